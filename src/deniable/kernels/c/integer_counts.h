/* The histogram of counts.h for one type of reports: included once for each. */

/* How many of a block of reports are not below `size`; the search for the maximum is vectorized. */
static inline i64 OF_REPORTS(beyond)(const REPORT *reports, i64 n, i64 size) {
    REPORT largest = 0;
    for (i64 i = 0; i < n; i++)
        largest = reports[i] > largest ? reports[i] : largest;
    i64 wrong = 0;
    if (largest >= size)
        for (i64 i = 0; i < n; i++)
            wrong += reports[i] >= size;
    return wrong;
}

/* Count a block of reports, neighbours in different tables. */
static inline void OF_REPORTS(add_to_tables)(const REPORT *reports, i64 n, u32 *a, u32 *b, u32 *c, u32 *d) {
    i64 i = 0;
    for (; i + TABLES <= n; i += TABLES) {
        a[reports[i]]++;
        b[reports[i + 1]]++;
        c[reports[i + 2]]++;
        d[reports[i + 3]]++;
    }
    for (; i < n; i++)
        a[reports[i]]++;
}

/* Count a block of reports in the counts themselves. */
static inline void OF_REPORTS(add_straight)(const REPORT *reports, i64 n, i64 *counts) {
    for (i64 i = 0; i < n; i++)
        counts[reports[i]]++;
}

/* Add to `counts` in one pass over at most PASS reports; see `count_values`. */
static i64 OF_REPORTS(count_pass)(const REPORT *reports, i64 n, i64 *counts, i64 size) {
    i64 tables = size <= FOUR_TABLES ? 4 : size <= TWO_TABLES ? 2 : 0, apart = table_stride(size), wrong = 0;
    u32 *held = calloc((size_t)(tables ? tables * apart : 1), sizeof *held);
    if (!held)
        return FAILED;
    for (i64 first = 0; first < n; first += COUNTED) {
        i64 block = least(COUNTED, n - first), beyond = OF_REPORTS(beyond)(reports + first, block, size);
        wrong += beyond;
        if (beyond == 0 && tables == 0)
            OF_REPORTS(add_straight)(reports + first, block, counts);
        else if (beyond == 0)
            OF_REPORTS(add_to_tables)(reports + first, block, held, held + apart, held + 2 % tables * apart,
                                      held + 3 % tables * apart);
    }
    for (i64 k = 0; k < tables; k++)
        for (i64 value = 0; value < size; value++)
            counts[value] += held[k * apart + value];
    free(held);
    return wrong;
}

/* Add reports to the counts and return how many are out of range; a block with such a report is not counted. */
static i64 OF_REPORTS(count_values)(i64 *counts, i64 size, i64 n, const REPORT *reports) {
    i64 wrong = 0;
    for (i64 first = 0; first < n; first += PASS) {
        i64 more = OF_REPORTS(count_pass)(reports + first, least(PASS, n - first), counts, size);
        if (more < 0)
            return FAILED;
        wrong += more;
    }
    return wrong;
}
