/* Random words: the counter-based source for simulation, and uniform integers from a tape of words.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011) enciphers a counter, so any part of a stream can be computed
 * without the part before it. Not for devices: anyone who knows the seed knows the noise.
 *
 * Uniform integers are Lemire's (2019): the upper word of word * bound, rejected while the lower word is below
 * 2^64 mod bound.
 *
 * Limit: twenty 32-bit products for two words. As many counters are enciphered at once as a vector has lanes.
 */

/* Both halves of the product of two words, and the upper one alone: one machine instruction, where the compiler has 128
 * bits. */
struct product {
    u64 low, high;
};

static inline struct product product_of(u64 a, u64 b) {
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;
    return (struct product){(u64)product, (u64)(product >> 64)};
#else
    u64 low = (u32)a * (u64)(u32)b, right = (a >> 32) * (u32)b, left = (u32)a * (b >> 32);
    u64 middle = (low >> 32) + (u32)right + (u32)left;
    return (struct product){a * b, (a >> 32) * (b >> 32) + (right >> 32) + (left >> 32) + (middle >> 32)};
#endif
}

static inline u64 high_product(u64 a, u64 b) { return product_of(a, b).high; }

static inline i64 ones(u64 word) { return __builtin_popcountll(word); }

/* The same word, hidden from the compiler's analysis, so that it cannot turn arithmetic on it into a branch. */
static inline u64 opaque(u64 word) {
    __asm__("" : "+r"(word));
    return word;
}

/* `yes` if chosen, else `no`: the compiler must make both, and has no condition left to branch on. */
static inline u64 choose(bool chosen, u64 yes, u64 no) { return no ^ ((yes ^ no) & opaque(-(u64)chosen)); }

/* 2^64 mod bound: words whose lower product is below it are rejected, or some integers would be likelier. */
static inline u64 rejected_below(u64 bound) { return -bound % bound; }

/* The next integer below `bound` and the place of its word; the end of the tape if there is none. */
static inline u64 next_integer(const u64 *tape, i64 end, i64 *at, u64 bound, u64 floor) {
    struct product product = {0, 0};
    for (; *at < end; ++*at) {
        product = product_of(tape[*at], bound);
        if (product.low >= floor)
            break;
    }
    return product.high;
}

/* An exact uniform integer below `bound`, and the number of words used so far; -1 if the tape ran out. */
static inline u64 uniform(const u64 *tape, i64 end, i64 *used, u64 bound, u64 floor) {
    u64 integer = next_integer(tape, end, used, bound, floor);
    *used = *used < end ? *used + 1 : -1;
    return integer;
}

enum { ROUNDS = 10, BESIDE = 2, ENCIPHERED = 2 * BESIDE * WORDS };
/* BESIDE: so many vectors of counters go side by side, since a product's result has to be waited for. */

/* The keys of all rounds, for the first and the third half. */
struct round_keys {
    words own[ROUNDS], other[ROUNDS];
};

static inline struct round_keys keys_of(u64 key) {
    struct round_keys keys;
    for (u64 round = 0; round < ROUNDS; round++) {
        keys.own[round] = spread((u32)(key + round * 0x9E3779B9));
        keys.other[round] = spread((u32)((key >> 32) + round * 0xBB67AE85));
    }
    return keys;
}

/* The words of `counter` and of those after it, two for each. A half's word holds anything in its upper 32 bits until
 * the end, since products do not read them. */
static inline void encipher(const struct round_keys *keys, u64 stream, u64 counter, u64 *out) {
    words a[BESIDE], b[BESIDE], c[BESIDE], d[BESIDE];
    for (int k = 0; k < BESIDE; k++) {
        a[k] = counter + (u64)(k * WORDS) + lane_numbers();
        b[k] = a[k] >> 32, c[k] = spread(stream), d[k] = spread(stream >> 32);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < BESIDE; k++) {
            words left = half_products(a[k], spread(0xD2511F53)), right = half_products(c[k], spread(0xCD9E8D57));
            a[k] = (right >> 32) ^ (b[k] ^ keys->own[round]), b[k] = right;
            c[k] = (left >> 32) ^ (d[k] ^ keys->other[round]), d[k] = left;
        }
    for (int k = 0; k < BESIDE; k++)
        store_in_turn(out + 2 * k * WORDS, (a[k] & 0xFFFFFFFF) | b[k] << 32, (c[k] & 0xFFFFFFFF) | d[k] << 32);
}

/* Fill `out`, of an even number of words, with those of `stream`: counter `first` gives the first two, and so on. */
static void philox(u64 key, u64 stream, u64 first, u64 *out, i64 count) {
    struct round_keys keys = keys_of(key);
    i64 at = 0;
    for (; at + ENCIPHERED <= count; at += ENCIPHERED)
        encipher(&keys, stream, first + (u64)at / 2, out + at);
    if (at < count) {
        u64 rest[ENCIPHERED];
        encipher(&keys, stream, first + (u64)at / 2, rest);
        memcpy(out + at, rest, (size_t)(count - at) * sizeof *out);
    }
}

/* Uniform integers below `bound` of 32 or 64 bits, and coins that are 1 in `bonus` cases of `total`. */
#define DRAW_INTEGERS(NAME, TYPE, NUMBER)                                                                              \
    static struct progress NAME {                                                                                      \
        u64 floor = rejected_below(bound);                                                                             \
        i64 used = 0;                                                                                                  \
        for (i64 i = done; i < n; i++) {                                                                               \
            i64 after = used;                                                                                          \
            u64 drawn = uniform(tape, end, &after, bound, floor);                                                      \
            if (after < 0)                                                                                             \
                return (struct progress){i, used};                                                                     \
            used = after;                                                                                              \
            out[i] = (TYPE)(NUMBER);                                                                                   \
        }                                                                                                              \
        return (struct progress){n, used};                                                                             \
    }
DRAW_INTEGERS(draw_below_32(const u64 *tape, i64 end, i64 done, u64 bound, u32 *out, i64 n), u32, drawn)
DRAW_INTEGERS(draw_below_64(const u64 *tape, i64 end, i64 done, u64 bound, u64 *out, i64 n), u64, drawn)
DRAW_INTEGERS(draw_coins(const u64 *tape, i64 end, i64 done, u64 bonus, u64 bound, u8 *out, i64 n), u8, drawn < bonus)
