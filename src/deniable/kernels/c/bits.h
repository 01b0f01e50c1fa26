/* Draws of packed bits: Bernoulli words and unary reports.
 *
 * Bits are little-endian: symbol j is bit j & 7 of byte j >> 3, so on a little-endian machine also bit j & 63 of word
 * j >> 6. The tape convention is that of draws.h.
 *
 * Limit: random words. A Bernoulli word costs about 9: 256 coins are decided together, and each round halves the
 * undecided ones: 8 rounds and 1.3 more.
 */
enum { BITS = 64, SURE = 5 };

/* A group of words is one vector, or two or four where these are narrower. */
#if WIDTH == 64
typedef u64 lanes __attribute__((vector_size(32)));
typedef u64 loose_lanes __attribute__((vector_size(32), aligned(1), may_alias));
enum { PIECES = 1 };
static inline bool any_lanes(lanes vector) { return !_mm256_testz_si256((__m256i)vector, (__m256i)vector); }
#else
typedef words lanes;
typedef loose_words loose_lanes;
enum { PIECES = GROUP / WORDS };
static inline bool any_lanes(lanes vector) { return any(vector); }
#endif

/* 256 coins: those whose words equal the bound's leading bits so far, and those whose words are below it. */
struct coins {
    lanes equal[PIECES], below[PIECES];
};

/* Compare each lane's next bit, of the words at `at`, with the bound's next bit, which fills `one`. */
static inline void compare_bit(struct coins *coins, const u64 *at, u64 one) {
    for (int k = 0; k < PIECES; k++) {
        lanes bits = ((const loose_lanes *)at)[k], bound = one - (lanes){0};
        coins->below[k] |= coins->equal[k] & bound & ~bits;
        coins->equal[k] &= bits ^ ~bound;
    }
}

static inline bool undecided(const struct coins *coins) {
    lanes some = coins->equal[0];
    for (int k = 1; k < PIECES; k++)
        some |= coins->equal[k];
    return any_lanes(some);
}

static inline struct coins fresh_coins(void) {
    struct coins coins;
    for (int k = 0; k < PIECES; k++)
        coins.equal[k] = ~(lanes){0}, coins.below[k] = (lanes){0};
    return coins;
}

/* Words whose bits are 1 with probability `below` / 2^64 exactly; their number is a multiple of GROUP.
 *
 * Each lane compares its own 64-bit uniform with `below`, most significant bit first, until all are decided. The first
 * SURE bits are compared without looking: if lanes are left undecided then, they were before, too, and else, once in
 * 3,000 groups, the group is drawn again bit by bit.
 */
static struct progress draw_bernoulli(const u64 *tape, i64 end, i64 done, u64 below, u64 *out, i64 count) {
    u64 one[BITS];
    for (int bit = 0; bit < BITS; bit++)
        one[bit] = -(below >> (BITS - 1 - bit) & 1);
    i64 used = 0;
    for (i64 first = done; first < count; first += GROUP) {
        struct coins coins = fresh_coins();
        i64 at = used;
        int bit = 0;
        if (end - used >= SURE * GROUP) {
            for (; bit < SURE; bit++)
                compare_bit(&coins, tape + at + bit * GROUP, one[bit]);
            at += SURE * GROUP;
            if (!undecided(&coins))
                coins = fresh_coins(), at = used, bit = 0;
        }
        for (; bit < BITS && undecided(&coins); bit++, at += GROUP) {
            if (at + GROUP > end)
                return (struct progress){first, used};
            compare_bit(&coins, tape + at, one[bit]);
        }
        for (int k = 0; k < PIECES; k++)
            ((loose_lanes *)(out + first))[k] = coins.below[k];
        used = at;
    }
    return (struct progress){most(done, count), used};
}

/* Turn noise into Rappor reports: the own bit is inverted, pad bits (outside `last`) are cleared. */
static void flip_own(u8 *reports, i64 width, const i64 *values, i64 people, u8 last) {
    for (i64 i = 0; i < people; i++, reports += width) {
        reports[width - 1] &= last;
        reports[values[i] >> 3] ^= (u8)(1 << (values[i] & 7));
    }
}

/* Turn noise into OptimizedUnary reports: the own bit becomes a fair coin, bit i & 63 of word i >> 6. */
static void toss_own(u8 *reports, i64 width, const i64 *values, i64 people, u8 last, const u64 *coins) {
    for (i64 i = 0; i < people; i++, reports += width) {
        reports[width - 1] &= last;
        i64 byte = values[i] >> 3, bit = values[i] & 7;
        u8 coin = coins[i >> 6] >> (i & 63) & 1;
        reports[byte] = (u8)((reports[byte] & ~(1 << bit)) | coin << bit);
    }
}
