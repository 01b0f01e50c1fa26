/* Every kernel once: its result, its name, what it takes. A target's file makes a table of them, binding.c calls them.
 *
 * Arrays are followed by their lengths where these are not those of another array. Nothing is checked here: binding.c
 * has done so. `EACH_REPORT` lists what exists for reports of one, two and four bytes.
 */
#pragma once
#include "numbers.h"

#define EACH_REPORT(KERNEL, BITS, REPORT)                                                                              \
    KERNEL(struct progress, draw_response_##BITS,                                                                      \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 bonus, u64 total, u64 shift,        \
            REPORT *out))                                                                                              \
    KERNEL(struct progress, draw_hadamard_##BITS,                                                                      \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 bonus, u64 total, u64 part,         \
            u64 parts, REPORT *out))                                                                                   \
    KERNEL(struct progress, draw_rows_##BITS,                                                                          \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 bonus, u64 total, const u64 *rows,  \
            REPORT *out))                                                                                              \
    KERNEL(struct progress, draw_cyclic_##BITS,                                                                        \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 bonus, u64 total,                   \
            const int32_t *block, u64 size, u64 length, REPORT *out))                                                  \
    KERNEL(struct progress, draw_table_##BITS,                                                                         \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, const u64 *cells, u64 width, u64 shift, \
            const u64 *ends, u64 length, u64 steps, REPORT *out))                                                      \
    KERNEL(struct progress, draw_geometric_##BITS,                                                                     \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 above, u64 below, i64 labels,       \
            REPORT *out))                                                                                              \
    KERNEL(void, join_cohorts_##BITS, (const u32 *cohorts, i64 people, u32 symbols, REPORT *out))                      \
    KERNEL(i64, count_values_##BITS, (const REPORT *reports, i64 n, i64 *counts, i64 size))

#define EACH_KERNEL(KERNEL)                                                                                            \
    EACH_REPORT(KERNEL, 8, u8)                                                                                         \
    EACH_REPORT(KERNEL, 16, u16)                                                                                       \
    EACH_REPORT(KERNEL, 32, u32)                                                                                       \
    KERNEL(void, philox, (u64 key, u64 stream, u64 first, u64 *out, i64 words))                                        \
    KERNEL(struct progress, draw_bernoulli, (const u64 *tape, i64 end, i64 done, u64 below, u64 *out, i64 words))      \
    KERNEL(struct progress, draw_coins, (const u64 *tape, i64 end, i64 done, u64 bonus, u64 total, u8 *out, i64 n))    \
    KERNEL(struct progress, draw_below_32, (const u64 *tape, i64 end, i64 done, u64 bound, u32 *out, i64 n))           \
    KERNEL(struct progress, draw_below_64, (const u64 *tape, i64 end, i64 done, u64 bound, u64 *out, i64 n))           \
    KERNEL(void, flip_own, (u8 *reports, i64 width, const i64 *values, i64 people, u8 last))                           \
    KERNEL(void, toss_own, (u8 *reports, i64 width, const i64 *values, i64 people, u8 last, const u64 *coins))         \
    KERNEL(struct progress, settle_subsets,                                                                            \
           (const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 domain, i64 size, u64 inside,       \
            u64 total, u64 *rows, i64 words))                                                                          \
    KERNEL(struct progress, cut_lists,                                                                                 \
           (const u64 *tape, i64 end, i64 done, const u64 *lists, i64 people, i64 words, i64 labels, i64 most,         \
            u64 *out, i64 room))                                                                                       \
    KERNEL(void, split_words, (u64 base, u64 first, u64 *out, i64 count))                                              \
    KERNEL(void, hash_table, (const u64 *bases, i64 strings, i64 cohorts, i64 hashes, u64 symbols, u16 *out))          \
    KERNEL(void, hash_own, (const u64 *bases, const u32 *cohorts, i64 people, u64 symbols, i64 *out))                  \
    KERNEL(void, flip_filters,                                                                                         \
           (u8 *reports, i64 width, const u64 *bases, const u32 *cohorts, i64 people, u64 hashes, u64 symbols))        \
    KERNEL(i64, count_runs,                                                                                            \
           (const u8 *reports, i64 n, i64 width, i64 apart, const i64 *starts, i64 panels, i64 panel, i64 weight,      \
            i64 *held, i64 weighed, i64 *counts))                                                                      \
    KERNEL(i64, out_of_pad, (const u8 *reports, i64 n, i64 width, u8 last))                                            \
    KERNEL(i64, out_of_weight, (const u8 *reports, i64 n, i64 width, i64 weight))                                      \
    KERNEL(i64, beyond_single, (const u8 *reports, i64 n, i64 width, i64 first))                                       \
    KERNEL(i64, count_cohorts, (const u8 *reports, i64 n, i64 width, i64 cohorts, i64 *people, i64 *counts))           \
    KERNEL(struct faults, count_blocks,                                                                                \
           (const u8 *reports, i64 n, i64 width, const i64 *starts, const i64 *weights, i64 blocks, i64 *counts))      \
    KERNEL(i64, mass_packed, (const u8 *reports, i64 n, i64 width, const double *p, i64 symbols, double *sums))        \
    KERNEL(i64, collect_packed,                                                                                        \
           (const u8 *reports, i64 n, i64 width, const double *weights, double *sums, i64 symbols))                    \
    KERNEL(void, walsh_hadamard_integers, (i64 *values, i64 size))                                                     \
    KERNEL(void, walsh_hadamard_reals, (double *values, i64 size))                                                     \
    KERNEL(void, affine, (const i64 *counts, i64 n, double scale, double offset, double *out))                         \
    KERNEL(i64, project_simplex, (const double *v, i64 n, double *point))                                              \
    KERNEL(i64, project_groups,                                                                                        \
           (const double *v, i64 n, const i64 *order, const i64 *sizes, const double *shares, i64 groups,              \
            double *point))                                                                                            \
    KERNEL(bool, mass,                                                                                                 \
           (const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *p, i64 first, double *out,      \
            i64 some, i64 r))                                                                                          \
    KERNEL(void, collect,                                                                                              \
           (const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *weights, i64 r, double *out))   \
    KERNEL(double, pairs_held,                                                                                         \
           (const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *p, const double *sizes,         \
            const double *field, i64 r))                                                                               \
    KERNEL(i64, overlaps,                                                                                              \
           (const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *weights, i64 r, i64 first,      \
            double *out, i64 rows))                                                                                    \
    KERNEL(i64, quadratic_forms,                                                                                       \
           (const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *directions, i64 columns,        \
            double beta, const double *sizes, const double *squares, const double *line, i64 r, double *out))          \
    KERNEL(i64, cumulants,                                                                                             \
           (const double *field, i64 cohorts, i64 r, double t, const double *occupied, i64 most,                       \
            struct cumulants *found))                                                                                  \
    KERNEL(i64, least_holders,                                                                                         \
           (const i64 *counts, const i64 *people, const i64 *guesses, i64 n, double g, double not_g, double h,         \
            double not_h, double error, i64 *found))                                                                   \
    KERNEL(double, upper_tail, (i64 limit, i64 x, double g, double not_g, i64 others, double h, double not_h))                                                                                              \
    KERNEL(void, decayed, (const double *values, i64 n, double ratio, double *out))                                    \
    KERNEL(i64, inverse_diagonal,                                                                                      \
           (const i64 *starts, const i64 *rows, const double *lower, const double *pivots, i64 size, double *found))   \
    KERNEL(void, recurrence_zeros,                                                                                     \
           (u32 prime, const u32 *taps, const u32 *lags, i64 terms, i64 rows, u8 *alive, i64 length))                  \
    KERNEL(bool, any_outside, (const i64 *values, i64 n, i64 limit))                                                   \
    KERNEL(u64, largest_symbol, (const u16 *symbols, i64 n))

struct kernels {
#define FIELD(RESULT, NAME, TAKES) RESULT(*NAME) TAKES;
    EACH_KERNEL(FIELD)
#undef FIELD
};

extern const struct kernels kernels_base;
#if defined(__x86_64__)
extern const struct kernels kernels_avx2, kernels_avx512;
#endif
