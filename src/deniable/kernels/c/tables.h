/* Tables of hashed candidates: symbols[s, c, :] are the symbols of r that candidate s has in cohort c.
 *
 * A plain hash has one symbol per cohort, a Bloom filter several, of which a repeated symbol counts once: the tables are
 * sorted, so that equal symbols are neighbours. The kernels share no state: of several threads each may take some
 * cohorts, candidates or columns.
 *
 * Limits: reading the table once, and per symbol one load or addition in a tile of cohorts that stays in the L1 cache; a
 * cache line of the table holds 32 cohorts, so a tile is never narrower. Overlaps only touch pairs that share a symbol.
 * The quadratic forms take C S k additions, vectorized along k.
 */
enum { LINE = 32, CELLS = 4096, COLUMNS = 64, LISTED = 1 << 18, LATER = 8, LINES = 8 };

/* Whether the k-th symbol of a filter is its first of that value. */
static inline bool is_new(const u16 *filter, i64 k) { return k == 0 || filter[k] != filter[k - 1]; }

/* Fetch the same cohorts' symbols of a later candidate, `row` further on per candidate: no processor foresees such
 * jumps, and waiting for them takes as long as all the rest. */
static inline void prefetch_run(const u16 *filter, i64 symbols, i64 row) {
    for (i64 k = 0; k < least(symbols, LINES * LINE); k += LINE)
        prefetch(filter + k, LATER * row * (i64)sizeof *filter);
}

/* The largest symbol of some filters; 0 of none. */
static u64 largest_symbol(const u16 *symbols, i64 n) {
    u16 found = 0;
    for (i64 i = 0; i < n; i++)
        found = symbols[i] > found ? symbols[i] : found;
    return found;
}

/* Add a share to the cells of a candidate's symbols, in `some` cohorts one after the other. */
static inline void add_share(const u16 *filter, i64 some, i64 hashes, double share, double *row, i64 r) {
    if (hashes == 1) {
        for (i64 c = 0; c < some; c++, row += r)
            row[filter[c]] += share;
        return;
    }
    for (i64 c = 0; c < some; c++, filter += hashes, row += r)
        for (i64 k = 0; k < hashes; k++)
            if (is_new(filter, k))
                row[filter[k]] += share;
}

/* The total `p` of the candidates that have each symbol in each of some cohorts, from the `first` on: added to `out`
 * [some, r]. False if a symbol that is needed is not below r: then nothing has happened. */
static bool mass(const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *p, i64 first, double *out,
                 i64 some, i64 r) {
    for (i64 s = 0; s < candidates; s++)
        if (p[s] != 0 && largest_symbol(symbols + (s * cohorts + first) * hashes, some * hashes) >= (u64)r)
            return false;
    i64 tile = most(LINE, CELLS / r);
    for (i64 begin = 0; begin < some; begin += tile)
        for (i64 s = 0; s < candidates; s++) {
            if (p[s] == 0)
                continue;
            const u16 *filter = symbols + (s * cohorts + first + begin) * hashes;
            i64 run = least(tile, some - begin);
            prefetch_run(filter, run * hashes, cohorts * hashes);
            add_share(filter, run, hashes, p[s], out + begin * r, r);
        }
    return true;
}

/* The sum of a cohort's weights of one filter's symbols. */
static inline double weigh(const double *weights, const u16 *filter, i64 hashes) {
    double total = weights[filter[0]];
    for (i64 k = 1; k < hashes; k++)
        if (is_new(filter, k))
            total += weights[filter[k]];
    return total;
}

/* The sum of a candidate's weights in `some` cohorts, one after the other: four sums, none of which waits for another. */
static inline __attribute__((always_inline)) double weigh_run(const double *row, const u16 *filter, i64 some, i64 hashes,
                                                              i64 r) {
    double a = 0, b = 0, c = 0, d = 0;
    for (; some >= 4; some -= 4, filter += 4 * hashes, row += 4 * r) {
        a += weigh(row, filter, hashes);
        b += weigh(row + r, filter + hashes, hashes);
        c += weigh(row + 2 * r, filter + 2 * hashes, hashes);
        d += weigh(row + 3 * r, filter + 3 * hashes, hashes);
    }
    for (; some > 0; some--, filter += hashes, row += r)
        a += weigh(row, filter, hashes);
    return (a + b) + (c + d);
}

/* For each candidate, the sum of the weights [C, r] of its symbols: added to `out`. */
static void collect(const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *weights, i64 r,
                    double *out) {
    i64 tile = most(LINE, CELLS / r);
    for (i64 first = 0; first < cohorts; first += tile)
        for (i64 s = 0; s < candidates; s++) {
            const u16 *filter = symbols + (s * cohorts + first) * hashes;
            const double *row = weights + first * r;
            i64 some = least(tile, cohorts - first);
            prefetch_run(filter, some * hashes, cohorts * hashes);
            /* of a single hash with a length that is known, which takes half the time */
            out[s] += hashes == 1 ? weigh_run(row, filter, some, 1, r) : weigh_run(row, filter, some, hashes, r);
        }
}

/* Sum over cohorts and candidates of n_c p times the field's products over ordered pairs of a filter's symbols. */
static double pairs_held(const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *p,
                         const double *sizes, const double *field, i64 r) {
    double out = 0;
    for (i64 s = 0; s < candidates; s++)
        for (i64 c = 0; c < cohorts; c++, symbols += hashes) {
            double total = 0, squares = 0;
            for (i64 k = 0; k < hashes; k++)
                if (is_new(symbols, k)) {
                    double value = field[c * r + symbols[k]];
                    total += value;
                    squares += value * value;
                }
            out += sizes[c] * p[s] * (total * total - squares);
        }
    return out;
}

/* The candidates with each symbol of a cohort, one list after the other: those with symbol y begin at `starts[y]`, of
 * r + 2, and end where the next begin. */
static inline void list_holders(const u16 *symbols, i64 candidates, i64 row, i64 hashes, i64 r, u32 *starts,
                                u32 *lists) {
    memset(starts, 0, (size_t)(r + 2) * sizeof *starts);
    for (i64 s = 0; s < candidates; s++)
        for (i64 k = 0; k < hashes; k++)
            starts[symbols[s * row + k] + 2] += is_new(symbols + s * row, k);
    for (i64 y = 0; y < r; y++)
        starts[y + 2] += starts[y + 1];
    for (i64 s = 0; s < candidates; s++)
        for (i64 k = 0; k < hashes; k++)
            if (is_new(symbols + s * row, k))
                lists[starts[symbols[s * row + k] + 1]++] = (u32)s;
}

/* Add a weight to the cells of a list. */
static inline void add_weight(double *row, const u32 *list, const u32 *end, double weight) {
    for (; list < end; list++)
        row[*list] += weight;
}

/* For some candidates beside all, from the `first` on, the sum over the cohorts of `weights` times the symbols that they
 * share: into `out` [rows, S], which holds 0.
 *
 * The lists of some cohorts are made at once, as many as the L2 cache holds, and a row is added to while it is in L1. */
static i64 overlaps(const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *weights, i64 r, i64 first,
                    double *out, i64 rows) {
    i64 apart = r + 2 + candidates * hashes, block = least(most(LISTED / apart, 1), cohorts), row = cohorts * hashes;
    u32 *room = malloc((size_t)(block * apart + 1) * sizeof *room);
    if (!room)
        return FAILED;
    for (i64 begin = 0; begin < cohorts; begin += block) {
        i64 end = least(begin + block, cohorts);
        for (i64 c = begin; c < end; c++)
            list_holders(symbols + c * hashes, candidates, row, hashes, r, room + (c - begin) * apart,
                         room + (c - begin) * apart + r + 2);
        for (i64 s = 0; s < rows; s++)
            for (i64 c = begin; c < end; c++) {
                const u16 *filter = symbols + (first + s) * row + c * hashes;
                const u32 *starts = room + (c - begin) * apart, *lists = starts + r + 2;
                for (i64 k = 0; k < hashes; k++)
                    if (is_new(filter, k))
                        add_weight(out + s * candidates, lists + starts[filter[k]], lists + starts[filter[k] + 1], weights[c]);
            }
    }
    free(room);
    return 0;
}

/* The centred mass [r, COLUMNS] that each column of a block of directions puts on the symbols of a cohort. */
static inline void centred_mass(const u16 *symbols, i64 candidates, i64 row, i64 hashes, const double *block,
                                double beta, i64 r, double *field) {
    double sums[COLUMNS] = {0};
    for (i64 s = 0; s < candidates; s++)
        for (i64 j = 0; j < COLUMNS; j++)
            sums[j] += block[s * COLUMNS + j];
    for (i64 y = 0; y < r; y++)
        for (i64 j = 0; j < COLUMNS; j++)
            field[y * COLUMNS + j] = -beta * sums[j];
    for (i64 s = 0; s < candidates; s++)
        for (i64 k = 0; k < hashes; k++)
            if (is_new(symbols + s * row, k)) {
                double *restrict cell = field + symbols[s * row + k] * COLUMNS;
                for (i64 j = 0; j < COLUMNS; j++)
                    cell[j] += block[s * COLUMNS + j];
            }
}

/* A cohort's three figures of every column of a block: see `quadratic_forms`. */
static inline void add_forms(const double *field, const double *squares, const double *line, double size, i64 r,
                             double forms[3][COLUMNS]) {
    double bent[COLUMNS] = {0}, lean[COLUMNS] = {0}, plain[COLUMNS] = {0}, low[COLUMNS], high[COLUMNS];
    memcpy(low, field, sizeof low);
    memcpy(high, field, sizeof high);
    for (i64 y = 0; y < r; y++, field += COLUMNS)
        for (i64 j = 0; j < COLUMNS; j++) {
            double z = field[j];
            bent[j] += squares[y] * z * z;
            lean[j] += line[y] * z;
            plain[j] += z * z;
            low[j] = z < low[j] ? z : low[j];
            high[j] = z > high[j] ? z : high[j];
        }
    for (i64 j = 0; j < COLUMNS; j++) {
        double width = high[j] - low[j];
        forms[0][j] += size * (bent[j] - lean[j] * lean[j]);
        forms[1][j] += size * size * plain[j];
        forms[2][j] = width > forms[2][j] ? width : forms[2][j];
    }
}

/* Figures [3, k] of the columns of `directions` [S, k], with z_c the centred mass of a column in cohort c:
 *
 * Sum_c n_c (sum_y squares z^2 - (sum_y line z)^2); sum_c n_c^2 sum_y z^2; the widest range of z in a cohort. */
static i64 quadratic_forms(const u16 *symbols, i64 candidates, i64 cohorts, i64 hashes, const double *directions,
                           i64 columns, double beta, const double *sizes, const double *squares, const double *line,
                           i64 r, double *out) {
    double *block = malloc((size_t)((candidates + r) * COLUMNS) * sizeof *block), *field = block + candidates * COLUMNS;
    if (!block)
        return FAILED;
    for (i64 first = 0; first < columns; first += COLUMNS) {
        i64 width = least(COLUMNS, columns - first);
        double forms[3][COLUMNS] = {0};
        memset(block, 0, (size_t)(candidates * COLUMNS) * sizeof *block);
        for (i64 s = 0; s < candidates; s++)
            memcpy(block + s * COLUMNS, directions + s * columns + first, (size_t)width * sizeof *block);
        for (i64 c = 0; c < cohorts; c++) {
            centred_mass(symbols + c * hashes, candidates, cohorts * hashes, hashes, block, beta, r, field);
            add_forms(field, squares + c * r, line + c * r, sizes[c], r, forms);
        }
        for (int figure = 0; figure < 3; figure++)
            memcpy(out + figure * columns + first, forms[figure], (size_t)width * sizeof *out);
    }
    free(block);
    return 0;
}
