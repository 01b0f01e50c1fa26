/* Draws of subsets of exact size, as packed bits.
 *
 * Random words (or none, for a small size) are turned into a uniform subset of the *other* symbols by adding or removing
 * uniform symbols until the size is right: the distribution of the words does not change when symbols are renamed, so
 * neither does that of the result. Then a coin decides whether one member is replaced by the value. All that is drawn
 * before the coin is independent of it, and so is how long that takes. The exchange takes the same steps whatever the
 * coin, the member and the value are: its time reveals nothing about the truth, even to somebody who has the report.
 * Memory addresses do depend on them, so this does not protect against somebody who can observe the processor's cache.
 *
 * Limit: random words; see bits.h. For 64 symbols a dozen or so for the exact size.
 */

/* Add or remove uniform symbols other than `value` until the row holds `size`; -1 words used if the tape ran out. */
static inline void resize_subset(const u64 *tape, i64 end, i64 *used, u64 *row, i64 length, u64 value, u64 domain,
                                 i64 size) {
    i64 missing = size;
    for (i64 k = 0; k < length; k++)
        missing -= ones(row[k]);
    u64 adding = missing > 0, floor = rejected_below(domain);
    while (missing != 0) {
        u64 symbol = uniform(tape, end, used, domain, floor);
        if (*used < 0)
            return;
        u64 wanted = (row[symbol >> 6] >> (symbol & 63) & 1) ^ adding; /* a branch would often be mispredicted */
        u64 taken = wanted & (symbol != value);
        row[symbol >> 6] ^= taken << (symbol & 63);
        missing -= adding ? (i64)taken : -(i64)taken;
    }
}

/* A word with only the set bit of that rank, found by bisection: the same six steps whichever it is. */
static inline u64 lowest_above(u64 word, i64 rank) {
    u64 place = 0;
    for (u64 half = 32; half; half >>= 1) {
        i64 below = ones((word >> place) & (((u64)1 << half) - 1));
        u64 above = opaque(rank >= below);
        rank -= below & -(i64)above;
        place += half & -above;
    }
    return (u64)1 << place;
}

/* Replace the member of that rank by `value` if `truthful` is 1; the same steps if it is 0.
 *
 * The steps do not depend on the rank either: the member that left and the report would together reveal the truth. */
static inline void exchange_member(u64 *row, i64 length, i64 rank, u64 value, u64 truthful) {
    u64 mask = opaque(-truthful);
    i64 place = 0, before = 0, members = 0;
    for (i64 k = 0; k < length; k++) {
        members += ones(row[k]);
        u64 passed = opaque(members <= rank);
        place += (i64)passed;
        before += (members - before) & -(i64)passed;
    }
    row[place] ^= lowest_above(row[place], rank - before) & mask;
    row[value >> 6] |= ((u64)1 << (value & 63)) & mask;
}

/* Make each row of noise a subset of `size` that holds its value with probability `inside` / `total`. */
static struct progress settle_subsets(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people, u64 domain,
                                      i64 size, u64 inside, u64 total, u64 *rows, i64 length) {
    u64 last = ~(u64)0 >> (-domain & 63), rank_floor = rejected_below((u64)size), coin_floor = rejected_below(total);
    size_t bytes = (size_t)length * sizeof *rows;
    u64 *row = malloc(bytes);
    i64 used = row ? 0 : FAILED, i = done;
    for (; row && i < people; i++) {
        memcpy(row, rows + i * length, bytes);
        u64 value = (u64)values[i], rank = 0, coin = 0;
        row[length - 1] &= last;
        row[value >> 6] &= ~((u64)1 << (value & 63));
        i64 after = used;
        resize_subset(tape, end, &after, row, length, value, domain, size);
        if (after >= 0)
            rank = uniform(tape, end, &after, (u64)size, rank_floor);
        if (after >= 0)
            coin = uniform(tape, end, &after, total, coin_floor);
        if (after < 0)
            break;
        exchange_member(row, length, (i64)rank, value, coin < inside);
        memcpy(rows + i * length, row, bytes);
        used = after;
    }
    free(row);
    return (struct progress){i, used};
}
