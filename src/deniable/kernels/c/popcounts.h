/* How many packed reports hold each symbol, and which reports are malformed.
 *
 * Limit: reading the bytes; what is done with them is in adders.h. Short reports stand side by side in one row of the
 * adders. Of long ones a panel of bytes is counted down all reports: its digits stay in the cache.
 */
enum { ANY = -1 }; /* stands for any weight */

static inline u64 load_word(const u8 *at) {
    u64 word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The number of bits that are set in `run` bytes. */
static inline i64 bits_set(const u8 *bytes, i64 run) {
    i64 held = 0, at = 0;
#if WIDTH == 64
    if (run > WIDTH / 2) { /* for less, the lanes' sum takes longer than it saves */
        __m512i counted = _mm512_setzero_si512();
        for (; at + WIDTH <= run; at += WIDTH)
            counted = _mm512_add_epi64(counted, _mm512_popcnt_epi64(_mm512_loadu_si512(bytes + at)));
        if (at < run) {
            __mmask64 rest = ~(u64)0 >> (WIDTH - (run - at));
            counted = _mm512_add_epi64(counted, _mm512_popcnt_epi64(_mm512_maskz_loadu_epi8(rest, bytes + at)));
        }
        return _mm512_reduce_add_epi64(counted);
    }
#endif
    for (; at + 32 <= run; at += 32)
        held += (ones(load_word(bytes + at)) + ones(load_word(bytes + at + 8))) +
                (ones(load_word(bytes + at + 16)) + ones(load_word(bytes + at + 24)));
    for (; at + 8 <= run; at += 8)
        held += ones(load_word(bytes + at));
    if (at == run)
        return held;
    if (run >= 8) /* the rest ends a word, of which the beginning was counted before */
        return held + ones(load_word(bytes + run - 8) >> 8 * (8 - (run - at)));
    for (; at < run; at++)
        held += ones(bytes[at]);
    return held;
}

/* How many packed reports do not hold exactly `weight` symbols. */
static i64 out_of_weight(const u8 *reports, i64 n, i64 width, i64 weight) {
    i64 wrong = 0;
    for (i64 i = 0; i < n; i++)
        wrong += bits_set(reports + i * width, width) != weight;
    return wrong;
}

/* How many packed reports hold more than one symbol from `first` on. */
static i64 beyond_single(const u8 *reports, i64 n, i64 width, i64 first) {
    i64 wrong = 0, before = (first >> 3) + 1;
    for (i64 i = 0; i < n; i++, reports += width)
        wrong += ones((u64)reports[before - 1] >> (first & 7)) + bits_set(reports + before, width - before) > 1;
    return wrong;
}

/* Eight runs of bytes, `apart` from each other, as the block's rows; 0 where there are none. */
static inline void fill_block(u8 *block, const u8 *column, i64 bytes, i64 apart, i64 run) {
    memset(block, 0, ROWS * TILE);
    for (i64 k = 0; k < ROWS; k++)
        if (k * apart < bytes)
            memcpy(block + k * TILE, column + k * apart, (size_t)least(run, bytes - k * apart));
}

/* Count the bits of eight runs of bytes, `apart` from each other, in a column of which `bytes` are left. */
static inline void absorb_runs(const u8 *column, i64 bytes, i64 apart, i64 run, struct running *running) {
    for (i64 tile = 0; tile * TILE < run; tile++) {
        i64 at = tile * TILE;
        u64 *digits = digits_of(running, 0, tile), *out = next_carries(running, 0, tile);
        if (at + (ROWS - 1) * apart + TILE <= bytes) {
            absorb(column + at, apart, digits, out);
        } else {
            u8 spare[ROWS * TILE];
            fill_block(spare, column + at, bytes - at, apart, least(TILE, run - at));
            absorb(spare, TILE, digits, out);
        }
    }
    carry(running);
}

/* Add to the counts how many hold each bit of the `panel` bytes from each start on, and weigh the reports.
 *
 * A row of the adders starts every `apart` bytes and is as long; beyond it, in the last tile, counts say nothing. What
 * the bytes weigh is added to `held`, if that is of `weighed` = n reports; if it is of none, the number of reports with
 * another weight is returned, unless it is ANY. */
static i64 count_runs(const u8 *reports, i64 n, i64 width, i64 apart, const i64 *starts, i64 panels, i64 panel,
                      i64 weight, i64 *held, i64 weighed, i64 *counts) {
    i64 beside = apart / width, groups = quotient_up(n, beside * ROWS), wrong = 0;
    struct running running;
    if (!room_to_count(&running, quotient_up(n, beside), quotient_up(least(panel, apart), TILE)))
        wrong = FAILED;
    for (i64 p = 0; p < panels && wrong != FAILED; p++) {
        i64 start = starts[p], run = least(panel, apart - start);
        begin_count(&running);
        for (i64 i = 0; i < groups; i++) {
            i64 first = start + i * ROWS * apart, begun = i * ROWS * beside, ended = least(n, begun + ROWS * beside);
            absorb_runs(reports + first, n * width - first, apart, run, &running);
            if (weighed) /* while they are in the cache */
                for (i64 k = begun; k < ended; k++)
                    held[k] += bits_set(reports + start + k * width, run);
            else if (weight != ANY)
                wrong += out_of_weight(reports + begun * width, ended - begun, width, weight);
        }
        add_up(&running, quotient_up(run, TILE), counts + 8 * start);
    }
    free_running(&running);
    return wrong;
}
