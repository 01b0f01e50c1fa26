/* Decoding arithmetic: the affine inversion of support counts, and the projection on the simplex.
 *
 * Sums have eight lanes on every machine, so that their rounding does not depend on it.
 *
 * Limit: reading the counts once and writing the estimate once; the projection reads its input a few times, and the
 * entries still positive some ten times, in cache.
 */
enum { LANES = 8, PARTS = LANES / WORDS, MOST_OUT = 4 };
/* MOST_OUT: once so many times fewer entries are left than are read, it pays to copy them together. */

struct sums {
    reals part[PARTS];
};

static inline reals load_reals(const double *at) { return *(const loose_reals *)at; }
static inline reals spread_real(double value) { return value - (reals){0}; }

/* The sum of the lanes, always in the same order. */
static inline double sum_of(const struct sums *sums) {
    double lane[LANES];
    memcpy(lane, sums, sizeof lane);
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* Signed integers as the nearest doubles: both halves are written behind the exponents of 2^52 and 2^84, which are then
 * taken away again; the last sum alone is rounded. */
static inline reals to_reals(words integers) {
    words low = (integers & 0xFFFFFFFF) | 0x4330000000000000, high = integers >> 32 ^ 0x4530000080000000;
    return ((reals)high - 0x1.00000801p84) + (reals)low;
}

/* scale * counts - offset, as floats. */
static void affine(const i64 *counts, i64 n, double scale, double offset, double *out) {
    i64 j = 0;
    for (; j + WORDS <= n; j += WORDS)
        *(loose_reals *)(out + j) = scale * to_reals(load(counts + j)) - offset;
    for (; j < n; j++)
        out[j] = scale * (double)counts[j] - offset;
}

/* The sum of the entries, and the largest of them. */
static inline double sum(const double *v, i64 n, double *largest) {
    struct sums sums = {0};
    reals top[PARTS];
    for (int k = 0; k < PARTS; k++)
        top[k] = spread_real(v[0]);
    i64 j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < PARTS; k++) {
            reals entry = load_reals(v + j + k * WORDS);
            words higher = (words)(entry > top[k]);
            sums.part[k] += entry;
            top[k] = (reals)(((words)entry & higher) | ((words)top[k] & ~higher));
        }
    double total = sum_of(&sums), found = v[0];
    for (int k = 0; k < PARTS; k++)
        for (int lane = 0; lane < WORDS; lane++)
            found = top[k][lane] > found ? top[k][lane] : found;
    for (; j < n; j++)
        total += v[j], found = v[j] > found ? v[j] : found;
    *largest = found;
    return total;
}

/* The total excess above the level, and the number of entries above it. */
static inline double excess(const double *v, i64 n, double level, i64 *inside) {
    struct sums sums = {0};
    words above[PARTS] = {0};
    i64 j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < PARTS; k++) {
            reals entry = load_reals(v + j + k * WORDS);
            words higher = (words)(entry > spread_real(level));
            sums.part[k] += (reals)((words)(entry - level) & higher);
            above[k] -= higher;
        }
    double total = sum_of(&sums);
    *inside = 0;
    for (int k = 0; k < PARTS; k++)
        for (int lane = 0; lane < WORDS; lane++)
            *inside += (i64)above[k][lane];
    for (; j < n; j++)
        if (v[j] > level)
            total += v[j] - level, ++*inside;
    return total;
}

/* Copy the entries above the level into `kept`, which may be `v` and needs room for one more; their number. */
static inline i64 keep_above(const double *v, i64 n, double level, double *kept) {
    i64 place = 0;
    for (i64 j = 0; j < n; j++) {
        kept[place] = v[j];
        place += v[j] > level;
    }
    return place;
}

/* The level above which the entries add up to 1, and their total excess; false without memory.
 *
 * No share is above 1, so the level is at most 1 below the largest entry: to begin there, where it is higher than the
 * mean says, keeps the rounding of entries far below out of it. */
static inline bool simplex_level(const double *v, i64 n, double *level, double *total) {
    i64 kept = n + 1, inside, left_of = n;
    const double *left = v;
    double *room = NULL;
    double top, mean = (sum(v, n, &top) - 1) / (double)n, lowest = fmin(top - 1, nextafter(top, -INFINITY));
    *level = fmax(mean, lowest);
    *total = excess(v, n, *level, &inside);
    while (0 < inside && inside < kept) { /* rounding may let an entry back in, which must not loop for ever */
        if (inside * MOST_OUT < left_of) {
            if (!room && !(room = malloc((size_t)(inside + 1) * sizeof *room)))
                return false;
            left_of = keep_above(left, left_of, *level, room);
            left = room;
        }
        kept = inside;
        *level += (*total - 1) / (double)inside;
        *total = excess(left, left_of, *level, &inside);
    }
    free(room);
    if (inside == 0) { /* entries so large that 1 is lost in rounding: the largest entries share it all */
        *level = lowest;
        *total = excess(v, n, *level, &inside);
    }
    return true;
}

/* The nearest distribution in squared distance: max(v - level, 0), with the level that makes it add up to 1.
 *
 * Michelot's (1986) sweeps, which are Newton steps: an entry that once is not above the level stays out. When most
 * entries are out, the others are copied together. */
static i64 project_simplex(const double *v, i64 n, double *point) {
    double level, total;
    if (n == 0)
        return 0;
    if (!simplex_level(v, n, &level, &total))
        return FAILED;
    double scale = 1 / total;
    for (i64 j = 0; j < n; j++) {
        double above = v[j] - level;
        point[j] = (above > 0 ? above : 0) * scale;
    }
    return 0;
}
