/* The targets that this processor runs, numbered from the least to the best: NULL beyond the last. */
#pragma once
#include <stddef.h>

extern const struct kernels kernels_base, kernels_avx2, kernels_avx512;

const char *target_name(int target);
const struct kernels *target_kernels(int target);

/* Those of the best target that this processor runs, among the tried ones. */
const struct kernels *best_kernels(void);
