/* The kernels of the best target that this processor has, and all that it has by their names. */
#include "choose.h"

struct target {
    const char *name;
    const struct kernels *kernels;
    int tried; /* whether all tests ran on such a processor; what was only compiled is for tests alone */
};

/* From the least to the best. */
static const struct target TARGETS[] = {
    {"base", &kernels_base, 1},
#if defined(__x86_64__)
    {"avx2", &kernels_avx2, 1},
    {"avx512", &kernels_avx512, 0},
#endif
};

static int runs(int target) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (target >= 1 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")))
        return 0;
    if (target >= 2 && !(__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq")))
        return 0;
#endif
    return target < (int)(sizeof TARGETS / sizeof *TARGETS);
}

const char *target_name(int target) { return runs(target) ? TARGETS[target].name : NULL; }

const struct kernels *target_kernels(int target) { return runs(target) ? TARGETS[target].kernels : NULL; }

const struct kernels *best_kernels(void) {
    const struct kernels *best = &kernels_base;
    for (int target = 0; runs(target); target++)
        if (TARGETS[target].tried)
            best = TARGETS[target].kernels;
    return best;
}
