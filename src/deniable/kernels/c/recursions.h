/* Recursions: each step waits for the one before. */

/* The sums of ratio^|x-y| values_y over all labels y, for every x: one recursion up and one down.
 *
 * Limit: a product and a sum per label and direction. */
static void decayed(const double *values, i64 n, double ratio, double *out) {
    double carried = 0;
    for (i64 x = 0; x < n; x++)
        out[x] = carried = ratio * carried + values[x];
    carried = 0;
    for (i64 x = n - 1; x >= 0; x--) {
        out[x] += ratio * carried;
        carried = ratio * carried + values[x];
    }
}

/* The diagonal of the inverse of a sparse symmetric matrix from its factor L D L' (Takahashi, Fagan and Chin 1973):
 * from the columns of L, each from its diagonal of 1 downwards, rows in order, and from D.
 *
 * Of the inverse only the entries are computed at which L is not zero; they need no others. Limit: for each column of L
 * the columns of its rows are read once. */
static i64 inverse_diagonal(const i64 *starts, const i64 *rows, const double *lower, const double *pivots, i64 size,
                            double *found) {
    double *inverse = calloc((size_t)(starts[size] + size + 1), sizeof *inverse);
    i64 *place = malloc((size_t)(size + 1) * sizeof *place);
    for (i64 k = 0; place && k < size; k++)
        place[k] = -1;
    for (i64 j = inverse && place ? size - 1 : -1; j >= 0; j--) {
        double *sums = inverse + starts[size], diagonal = 1 / pivots[j];
        i64 first = starts[j] + 1, last = starts[j + 1];
        for (i64 at = first; at < last; at++)
            place[rows[at]] = at, sums[at - first] = 0;
        for (i64 at = first; at < last; at++) {
            i64 column = rows[at];
            sums[at - first] += inverse[starts[column]] * lower[at];
            for (i64 inner = starts[column] + 1; inner < starts[column + 1]; inner++) {
                i64 other = place[rows[inner]];
                if (other >= 0) {
                    sums[other - first] += inverse[inner] * lower[at];
                    sums[at - first] += inverse[inner] * lower[other];
                }
            }
        }
        for (i64 at = first; at < last; at++) {
            inverse[at] = -sums[at - first];
            diagonal -= inverse[at] * lower[at];
            place[rows[at]] = -1;
        }
        found[j] = inverse[starts[j]] = diagonal;
    }
    i64 failed = inverse && place ? 0 : FAILED;
    free(inverse);
    free(place);
    return failed;
}

/* Write a linear recurrence modulo a prime in `rows` rows of as many terms as there are columns, and clear `alive` where
 * a column is not zero in every row: the loop under the Singer difference sets.
 *
 * s[i] = sum of taps[k] * s[i - lags[k]] modulo `prime`, after a start of 0, ..., 0, 1. The lags and the rows are below
 * 64 and the sum of products below 2^32: a 32-bit remainder costs a third of a 64-bit one. */
enum { RING = 64 }; /* the last terms that are kept: a power of two above every degree */

static void recurrence_zeros(u32 prime, const u32 *taps, const u32 *lags, i64 terms, i64 rows, u8 *alive, i64 length) {
    u32 ring[RING] = {0}, step = 0;
    ring[RING - 1] = 1;
    for (i64 row = 0; row < rows; row++)
        for (i64 column = 0; column < length; column++) {
            u32 term = 0;
            for (i64 k = 0; k < terms; k++)
                term += taps[k] * ring[(step - lags[k]) & (RING - 1)];
            term %= prime;
            ring[step++ & (RING - 1)] = term;
            alive[column] &= term == 0;
        }
}

/* Whether any index is below 0 or not below the limit: the sign of one of two differences shows it. */
static bool any_outside(const i64 *values, i64 n, i64 limit) {
    u64 signs = 0;
    for (i64 i = 0; i < n; i++)
        signs |= (u64)values[i] | ~((u64)values[i] - (u64)limit);
    return signs >> 63;
}
