/* Sums over the set bits of packed reports, one byte at a time by tables of 256 (the method of four Russians).
 *
 * Limit: one table look-up and one addition per byte, a ninth of the work of going bit by bit.
 */
enum { BYTES = 256 };

/* For each report, the sum of `p` over its set bits. */
static i64 mass_packed(const u8 *reports, i64 n, i64 width, const double *p, i64 symbols, double *sums) {
    double *tables = calloc((size_t)(width * BYTES), sizeof *tables);
    if (!tables)
        return FAILED;
    for (i64 j = 0; j < symbols; j++) {
        double *table = tables + (j >> 3) * BYTES;
        i64 bit = 1 << (j & 7);
        for (i64 low = 0; low < bit; low++)
            for (i64 high = low + bit; high < BYTES; high += 2 * bit)
                table[high] += p[j];
    }
    for (i64 i = 0; i < n; i++, reports += width) {
        double total[4] = {0}; /* four sums, none of which waits for another */
        i64 byte = 0;
        for (; byte + 4 <= width; byte += 4)
            for (int k = 0; k < 4; k++)
                total[k] += tables[(byte + k) * BYTES + reports[byte + k]];
        for (; byte < width; byte++)
            total[0] += tables[byte * BYTES + reports[byte]];
        sums[i] = (total[0] + total[1]) + (total[2] + total[3]);
    }
    free(tables);
    return 0;
}

/* For each symbol, the sum of `weights` over the reports that hold it. */
static i64 collect_packed(const u8 *reports, i64 n, i64 width, const double *weights, double *sums, i64 symbols) {
    double *tables = calloc((size_t)(width * BYTES), sizeof *tables);
    if (!tables)
        return FAILED;
    for (i64 i = 0; i < n; i++, reports += width) {
        double weight = weights[i];
#pragma GCC unroll 4
        for (i64 byte = 0; byte < width; byte++)
            tables[byte * BYTES + reports[byte]] += weight;
    }
    for (i64 j = 0; j < symbols; j++) {
        const double *table = tables + (j >> 3) * BYTES;
        i64 bit = 1 << (j & 7);
        double total = 0;
        for (i64 low = 0; low < bit; low++)
            for (i64 high = low + bit; high < BYTES; high += 2 * bit)
                total += table[high];
        sums[j] = total;
    }
    free(tables);
    return 0;
}
