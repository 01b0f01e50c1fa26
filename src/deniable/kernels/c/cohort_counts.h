/* How many packed reports of each cohort hold each bit; a report is a cohort in two bytes and then its bits.
 *
 * Eight bytes of bits become 64 bytes of 0 and 1 and are added to the cohort's 64 one-byte counters; before one of them
 * could overflow, the cohort's counters are emptied into wide ones. Reports may come in any order of cohorts; none is
 * moved.
 *
 * Limit: a load, an expansion, an addition and a store for every 32 or 64 bits, as wide as the target's vectors are.
 */
enum {
    SMALL = 64,      /* the counters of a word's bits */
    SHORT = 32,      /* the counters of a report that has no more */
    FULL = 255,      /* the most reports that a one-byte counter can hold */
    FURTHER = 2048   /* how many bytes ahead reports are prefetched */
};

/* Add the lower 32 or all 64 bits of a word to as many counters, the lowest bit to the first. Where there are no masks,
 * bits become bytes of 0 or of ones, which are -1. */
static inline __attribute__((always_inline)) void count_bits(u8 *counters, u64 word, int bits) {
#if WIDTH == 64
    if (bits == SMALL) {
        __m512i *held = (__m512i *)counters;
        *held = _mm512_mask_add_epi8(*held, word, *held, _mm512_set1_epi8(1));
    } else {
        __m256i *held = (__m256i *)counters;
        *held = _mm256_mask_add_epi8(*held, (u32)word, *held, _mm256_set1_epi8(1));
    }
#elif WIDTH == 32
    const __m256i bit = _mm256_set1_epi64x((i64)0x8040201008040201);
    __m256i byte = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    __m256i all = _mm256_set1_epi64x((i64)word), *held = (__m256i *)counters;
    for (int k = 0; k < bits / 32; k++, byte = _mm256_add_epi8(byte, _mm256_set1_epi8(4))) {
        __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(all, byte), bit);
        held[k] = _mm256_sub_epi8(held[k], _mm256_cmpeq_epi8(found, bit));
    }
#elif defined(__x86_64__)
    const __m128i bit = _mm_set1_epi64x((i64)0x8040201008040201);
    __m128i byte = _mm_set_epi64x(0x0101010101010101, 0), all = _mm_cvtsi64_si128((i64)word);
    __m128i *held = (__m128i *)counters;
    for (int k = 0; k < bits / 16; k++, byte = _mm_add_epi8(byte, _mm_set1_epi8(2))) {
        __m128i found = _mm_and_si128(_mm_shuffle_epi8(all, byte), bit);
        held[k] = _mm_sub_epi8(held[k], _mm_cmpeq_epi8(found, bit));
    }
#elif defined(__aarch64__)
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    for (int k = 0; k < bits / 16; k++) {
        uint8x16_t bytes = vcombine_u8(vdup_n_u8((u8)(word >> 16 * k)), vdup_n_u8((u8)(word >> (16 * k + 8))));
        vst1q_u8(counters + 16 * k, vsubq_u8(vld1q_u8(counters + 16 * k), vtstq_u8(bytes, bit)));
    }
#else
    for (int k = 0; k < bits; k++)
        counters[k] += word >> k & 1;
#endif
}

/* The counters of a column of reports: of each cohort `row` small ones, and how many reports are in them. */
struct cohorts {
    i64 cohorts, row, bits, width;
    u8 *counters, *held;
    i64 *people, *counts;
};

/* Add up reports from `first` on until the counters of a cohort are full: the next report, and that cohort.
 *
 * A report has `whole` bytes of bits and then at most `ending` bits. Returns `n` and cohort -1 if none became full. */
static inline __attribute__((always_inline)) i64 until_full(const struct cohorts *all, const u8 *column, i64 first,
                                                            i64 n, i64 *full, i64 row, i64 whole, int ending) {
    i64 width = all->width;
    u64 cohorts = (u64)all->cohorts, mask = ~(u64)0 >> 8 * (HEAD + whole + 8 - width);
    u8 *counters = all->counters, *held = all->held;
    const u8 *end = column + n * width;
    for (const u8 *report = column + first * width; report < end; report += width) {
        prefetch(report, FURTHER);
        u64 cohort = load_word(report) & 0xFFFF;
        if (cohort >= cohorts)
            continue;
        u8 *place = counters + (i64)cohort * row;
        for (i64 k = 0; k < whole; k += 8)
            count_bits(place + 8 * k, load_word(report + HEAD + k), SMALL);
        /* the next report's bytes are loaded too and masked out */
        count_bits(place + 8 * whole, load_word(report + HEAD + whole) & mask, ending);
        if (++held[cohort] == FULL) {
            *full = (i64)cohort;
            return (report - column) / width + 1;
        }
    }
    *full = -1;
    return n;
}

/* The same for reports of at most 32 bits and for longer ones. Functions of their own, so that their variables stay in
 * registers: loads from the stack can alias with stores to counters at similar addresses, which stalls some processors;
 * whether it happens depends on the addresses and lasts as long as the process. */
static __attribute__((noinline)) i64 until_full_short(const struct cohorts *all, const u8 *column, i64 first, i64 n,
                                                      i64 *full) {
    return until_full(all, column, first, n, full, SHORT, 0, SHORT);
}

static __attribute__((noinline)) i64 until_full_long(const struct cohorts *all, const u8 *column, i64 first, i64 n,
                                                     i64 *full) {
    return until_full(all, column, first, n, full, all->row, (all->width - HEAD - 1) / 8 * 8, SMALL);
}

/* Empty a cohort's small counters into its wide ones. */
static inline void settle_cohort(const struct cohorts *all, i64 cohort) {
    i64 bits = all->bits, *wide = all->counts + cohort * bits;
    u8 *narrow = all->counters + cohort * all->row;
    all->people[cohort] += all->held[cohort];
    all->held[cohort] = 0;
    for (i64 j = 0; j < bits; j++)
        wide[j] += narrow[j];
    memset(narrow, 0, (size_t)all->row);
}

/* Add up reports of a column that has one more word after them; reports whose cohort is too large are left out. */
static inline void add_cohorts(const struct cohorts *all, const u8 *column, i64 n) {
    for (i64 i = 0, full; i < n;) {
        i = all->row == SHORT ? until_full_short(all, column, i, n, &full)
                              : until_full_long(all, column, i, n, &full);
        if (full >= 0)
            settle_cohort(all, full);
    }
}

/* Add to `people` [cohorts] and `counts` [cohorts, bits]; reports whose cohort is too large are left out. */
static i64 count_cohorts(const u8 *reports, i64 n, i64 width, i64 cohorts, i64 *people, i64 *counts) {
    i64 bits = 8 * (width - HEAD), row = bits <= SHORT ? SHORT : quotient_up(bits, SMALL) * SMALL;
    i64 ending = least(n, 8), whole = n - ending;
    u8 *room = calloc((size_t)(SMALL + cohorts * (row + 1)), 1), *last = calloc((size_t)(ending * width + 8), 1);
    if (room && last) {
        u8 *counters = room + (-(uintptr_t)room & (SMALL - 1)); /* no 64 counters lie in two cache lines */
        struct cohorts all = {cohorts, row, bits, width, counters, counters + cohorts * row, people, counts};
        memcpy(last, reports + whole * width, (size_t)(ending * width));
        add_cohorts(&all, reports, whole);
        add_cohorts(&all, last, ending);
        for (i64 cohort = 0; cohort < cohorts; cohort++)
            settle_cohort(&all, cohort);
    }
    i64 failed = room && last ? 0 : FAILED;
    free(room);
    free(last);
    return failed;
}
