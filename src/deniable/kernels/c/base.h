/* Every processor of the architecture; on x86-64 all since 2009 (x86-64-v2), which NumPy asks for, too. */
#if defined(__x86_64__) && defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("sse3,ssse3,sse4.1,sse4.2,popcnt"))), apply_to = function)
#elif defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("sse3,ssse3,sse4.1,sse4.2,popcnt")
#endif
#define KERNELS kernels_base
#define WIDTH 16
#include "target.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#elif defined(__x86_64__)
#pragma GCC pop_options
#endif
