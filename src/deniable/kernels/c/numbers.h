/* Short names of the number types, and what all kernels share. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

/* How many reports are done, and how many words of the tape were used for them. */
struct progress {
    i64 done, used;
};

/* How many reports name no block, hold a bit beyond its labels, or hold another number of bits than they must. */
struct faults {
    i64 strange, beyond, misweighed;
};

/* The cumulant K of a sum and its first two derivatives, and a bound on its third absolute moments. */
struct cumulants {
    double k0, k1, k2, third;
};

enum { GROUP = 4 }; /* the Bernoulli words that are drawn together */

#define FAILED (-1) /* what a kernel returns that found no memory; nothing has happened then */

static inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 most(i64 a, i64 b) { return a > b ? a : b; }
static inline i64 quotient_up(i64 a, i64 b) { return (a + b - 1) / b; }
