/* Exact tails of a sum of two binomials: x people support a label with probability g, the n - x others with h.
 *
 * Each binomial is laid out around its mode by the ratio of neighbouring probabilities, until they are 1e-18 of the
 * largest, and divided by its sum: without logarithms and gamma functions nothing cancels at n = 1e9. Binomials are
 * log-concave, so the mass cut off is below a geometric series with the ratio of the last two; it is added to the tail,
 * which can then only be too large. An interval from such tails can only be too wide.
 */
#define CUT 1e-18
#define ROUNDING 1e-11 /* of the tail: two windows of some thousand products each */

/* Probabilities of a binomial around its mode, the first one's index, and the mass cut off. */
struct window {
    double *weights;
    i64 first, count;
    double cut;
};

/* How far from the mode probabilities are laid out, at most. */
static inline i64 reach_of(i64 trials, double chance, double rest) {
    return (i64)(10 * sqrt((double)trials * chance * rest)) + 40;
}

/* Lay out Binomial(trials, chance); `room` has twice its reach and 1 numbers. */
static inline struct window window_of(i64 trials, double chance, double rest, double *room) {
    if (trials == 0 || chance <= 0 || rest <= 0) {
        room[0] = 1;
        return (struct window){room, rest <= 0 ? trials : 0, 1, 0};
    }
    double odds = chance / rest, cut = 0, total = 0;
    i64 mode = least(trials, (i64)((double)(trials + 1) * chance)), reach = reach_of(trials, chance, rest);
    i64 start = most(0, mode - reach), last = least(trials, mode + reach);
    double *weights = room - start;
    weights[mode] = 1;
    for (i64 i = mode; i < last; i++) {
        weights[i + 1] = weights[i] * odds * (double)(trials - i) / (double)(i + 1);
        if (weights[i + 1] < CUT)
            last = i + 1;
    }
    if (last < trials) {
        double ratio = odds * (double)(trials - last) / (double)(last + 1);
        cut += weights[last] * ratio / (1 - ratio);
    }
    for (i64 i = mode; i > start; i--) {
        weights[i - 1] = weights[i] * (double)i / (odds * (double)(trials - i + 1));
        if (weights[i - 1] < CUT)
            start = i - 1;
    }
    if (start > 0) {
        double ratio = (double)start / (odds * (double)(trials - start + 1));
        cut += weights[start] * ratio / (1 - ratio);
    }
    for (i64 i = start; i <= last; i++)
        total += weights[i];
    for (i64 i = start; i <= last; i++)
        weights[i] /= total;
    return (struct window){weights + start, start, last + 1 - start, cut / total};
}

/* Pr[Binomial(x, g) + Binomial(others, h) >= limit], never too small; not_g = 1 - g and not_h = 1 - h. -1 without
 * memory. */
static double upper_tail(i64 limit, i64 x, double g, double not_g, i64 others, double h, double not_h) {
    if (limit <= 0)
        return 1;
    if (limit > x + others)
        return 0;
    i64 own_room = 2 * reach_of(x, g, not_g) + 1, rest_room = 2 * reach_of(others, h, not_h) + 1;
    double *room = malloc((size_t)(own_room + rest_room) * sizeof *room);
    if (!room)
        return FAILED;
    struct window own = window_of(x, g, not_g, room), rest = window_of(others, h, not_h, room + own_room);
    double rest_above = 0, tail = 0; /* rest_above = Pr[the others give at least `at`] */
    i64 at = rest.first + rest.count;
    for (i64 i = 0; i < own.count; i++) {
        i64 needed = limit - (own.first + i);
        while (at > needed && at > rest.first)
            rest_above += rest.weights[--at - rest.first];
        tail += own.weights[i] * rest_above;
    }
    free(room);
    double bound = tail * (1 + ROUNDING) + own.cut + rest.cut;
    return bound < 1 ? bound : 1;
}

/* For each count the smallest x, at most `people`, whose upper tail exceeds `error`; searched from a guess.
 *
 * The tail grows with x, so a search that doubles its stride brackets x, and halving finds it. */
static i64 least_holders(const i64 *counts, const i64 *people, const i64 *guesses, i64 n, double g, double not_g,
                         double h, double not_h, double error, i64 *found) {
    for (i64 k = 0; k < n; k++) {
        i64 low = -1, high = people[k]; /* low fails, high holds or is the cap */
        i64 x = least(most(guesses[k], 0), high), stride = 1;
        while (high - low > 1) {
            double tail = upper_tail(counts[k], x, g, not_g, people[k] - x, h, not_h);
            if (tail < 0)
                return FAILED;
            i64 after = tail > error ? x - stride : x + stride;
            if (tail > error)
                high = x;
            else
                low = x;
            stride *= 2;
            x = low < after && after < high ? after : low + (high - low) / 2;
        }
        found[k] = high;
    }
    return 0;
}

/* E e^(t sum) of one cohort's field of r cells and its first two derivatives in t, by running means of elementary
 * symmetric polynomials: no term exceeds the largest, whatever r and the number of hashes are. */
static inline void moments_of(const double *field, i64 r, double t, const double *occupied, i64 hashes, double *powers,
                              double moments[3]) {
    memset(powers, 0, (size_t)(3 * (hashes + 1)) * sizeof *powers);
    powers[0] = 1;
    for (i64 m = 0; m < r; m++) {
        double f = field[m], z = exp(t * f);
        for (i64 k = least(m + 1, hashes); k > 0; k--) {
            double share = (double)k / (double)(m + 1), *one = powers + 3 * k;
            const double *before = one - 3;
            one[0] += share * (z * before[0] - one[0]);
            one[1] += share * (z * (before[1] + f * before[0]) - one[1]);
            one[2] += share * (z * (before[2] + 2 * f * before[1] + f * f * before[0]) - one[2]);
        }
    }
    for (int order = 0; order < 3; order++) {
        moments[order] = 0;
        for (i64 k = 0; k <= hashes; k++)
            moments[order] += occupied[k] * powers[3 * k + order];
    }
}

/* K(t), K'(t), K''(t) and R(t) of a sum over random hashes, see decode/hash_tails.py: a third moment is at most the
 * variance times the largest deviation. */
static i64 cumulants(const double *field, i64 cohorts, i64 r, double t, const double *occupied, i64 hashes,
                     struct cumulants *found) {
    double *powers = malloc((size_t)(3 * (hashes + 1)) * sizeof *powers), moments[3];
    if (!powers)
        return FAILED;
    *found = (struct cumulants){0, 0, 0, 0};
    for (i64 c = 0; c < cohorts; c++, field += r) {
        moments_of(field, r, t, occupied, hashes, powers, moments);
        double mean = moments[1] / moments[0], spread = moments[2] / moments[0] - mean * mean;
        double variance = spread > 0 ? spread : 0, high = field[0], low = field[0];
        for (i64 y = 1; y < r; y++)
            high = field[y] > high ? field[y] : high, low = field[y] < low ? field[y] : low;
        double above = fmax(high, (double)hashes * high) - mean, below = mean - fmin(low, (double)hashes * low);
        found->k0 += log(moments[0]);
        found->k1 += mean;
        found->k2 += variance;
        found->third += variance * fmax(above, below);
    }
    free(powers);
    return 0;
}
