/* Which instructions the processor has, in its own words. Compilers offer __builtin_cpu_supports for it, but Zig's finds
   nothing: what it compiled ran the base everywhere. */
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>

/* The registers that the system keeps for a process, as bits of XCR0: a processor may have wider ones than that. */
enum { WIDTH_32 = 0x06, WIDTH_64 = 0xe6 };

struct features {
    unsigned kept, extended, leaf7b, leaf7c;
};

static struct features features(void) {
    struct features found = {0, 0, 0, 0};
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE))
        __asm__("xgetbv" : "=a"(found.kept), "=d"(d) : "c"(0));
    if (__get_cpuid(0x80000001, &a, &b, &c, &d))
        found.extended = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        found.leaf7b = b;
        found.leaf7c = c;
    }
    return found;
}

static int all_of(unsigned found, unsigned wanted) { return (found & wanted) == wanted; }

static int has_avx2(void) {
    struct features f = features();
    return all_of(f.kept, WIDTH_32) && all_of(f.leaf7b, bit_AVX2 | bit_BMI | bit_BMI2) && all_of(f.extended, bit_LZCNT);
}

static int has_avx512(void) {
    struct features f = features();
    unsigned wanted = bit_AVX512F | bit_AVX512CD | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    return all_of(f.kept, WIDTH_64) && all_of(f.leaf7b, wanted) && all_of(f.leaf7c, bit_AVX512VPOPCNTDQ);
}
#else
static int has_avx2(void) { return 0; }
static int has_avx512(void) { return 0; }
#endif
