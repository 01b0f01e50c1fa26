/* The kernels of the best target that this processor has, and all that it has by their names. */
#include "choose.h"
#include "processor.h"

struct target {
    const char *name;
    const struct kernels *kernels;
};

/* From the least to the best. */
static const struct target TARGETS[] = {
    {"base", &kernels_base},
#if defined(__x86_64__)
    {"avx2", &kernels_avx2},
    {"avx512", &kernels_avx512},
#endif
};

static int runs(int target) {
    return target == 0 || (target == 1 && has_avx2()) || (target == 2 && has_avx2() && has_avx512());
}

const char *target_name(int target) { return runs(target) ? TARGETS[target].name : NULL; }

const struct kernels *target_kernels(int target) { return runs(target) ? TARGETS[target].kernels : NULL; }

const struct kernels *best_kernels(void) {
    int best = 0;
    while (runs(best + 1))
        best++;
    return TARGETS[best].kernels;
}
