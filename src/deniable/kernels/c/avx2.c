/* x86-64 with AVX2 and BMI2: since 2013. */
#if defined(__x86_64__)
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#define KERNELS kernels_avx2
#define WIDTH 32
#include "target.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
