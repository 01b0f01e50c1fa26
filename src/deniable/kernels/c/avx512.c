/* x86-64 with the AVX-512 of Ice Lake (2019) and Zen 4 (2022): counting bits in vectors is among it. */
#if defined(__x86_64__)
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi,bmi2,lzcnt,popcnt")
#pragma GCC target("prefer-vector-width=512")
#endif
#define KERNELS kernels_avx512
#define WIDTH 64
#include "target.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
