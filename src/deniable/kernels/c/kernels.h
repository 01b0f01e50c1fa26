/* Every kernel by its name: a target makes a table of its own, and binding.c calls them by that. What a kernel takes
 * stands where it is written; lengths follow their arrays. Nothing is checked there: binding.c has done so. */
#define EACH_REPORT(KERNEL, BITS)                                                                                      \
    KERNEL(draw_response_##BITS) KERNEL(draw_hadamard_##BITS) KERNEL(draw_rows_##BITS) KERNEL(draw_cyclic_##BITS)      \
    KERNEL(draw_table_##BITS) KERNEL(draw_geometric_##BITS) KERNEL(count_values_##BITS)
#define EACH_KERNEL(KERNEL)                                                                                            \
    EACH_REPORT(KERNEL, 8) EACH_REPORT(KERNEL, 16) EACH_REPORT(KERNEL, 32)                                             \
    KERNEL(philox) KERNEL(draw_bernoulli) KERNEL(draw_coins) KERNEL(draw_below_32) KERNEL(draw_below_64)               \
    KERNEL(flip_own) KERNEL(toss_own) KERNEL(settle_subsets) KERNEL(cut_lists) KERNEL(split_words) KERNEL(hash_table)  \
    KERNEL(hash_own) KERNEL(flip_filters) KERNEL(count_runs) KERNEL(out_of_weight) KERNEL(beyond_single)               \
    KERNEL(count_cohorts) KERNEL(count_blocks) KERNEL(mass_packed) KERNEL(collect_packed)                              \
    KERNEL(walsh_hadamard_integers) KERNEL(walsh_hadamard_reals) KERNEL(affine) KERNEL(project_simplex) KERNEL(mass)   \
    KERNEL(collect) KERNEL(pairs_held) KERNEL(overlaps) KERNEL(quadratic_forms) KERNEL(cumulants)                      \
    KERNEL(least_holders) KERNEL(upper_tail) KERNEL(decayed) KERNEL(inverse_diagonal) KERNEL(recurrence_zeros)         \
    KERNEL(any_outside) KERNEL(largest_symbol)

struct kernels {
#define FIELD(NAME) __typeof__(NAME) *NAME;
    EACH_KERNEL(FIELD)
#undef FIELD
};
