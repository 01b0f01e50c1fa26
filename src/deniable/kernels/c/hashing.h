/* Symbols of strings in cohorts: hashes of a 64-bit base.
 *
 * A string's base is expanded by SplitMix64 (Steele, Lea and Flood 2014): its k-th word, k = 0, 1, ..., is
 *
 *     z = base + (k + 1) * 0x9E3779B97F4A7C15        all modulo 2^64
 *     z = (z xor z >> 30) * 0xBF58476D1CE4E5B9
 *     z = (z xor z >> 27) * 0x94D049BB133111EB
 *     word = z xor z >> 31
 *
 * and the symbol of hash j in cohort c is the upper word of word(c * hashes + j) * symbols.
 *
 * Limit: some ten operations per word; a table of 100,000 strings in 256 cohorts takes a third of a second.
 */

/* The k-th word of a base. */
static inline u64 split_mix(u64 base, u64 k) {
    u64 z = base + (k + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* The symbol below `symbols` that a base is hashed to at place cohort * hashes + hash. */
static inline u64 hash_symbol(u64 base, u64 place, u64 symbols) { return high_product(split_mix(base, place), symbols); }

/* The symbols [strings, cohorts, hashes] of many bases. There are at most 2^16 of them, so that the upper word needs
 * only two small products. */
static void hash_table(const u64 *bases, i64 strings, i64 cohorts, i64 hashes, u64 symbols, u16 *out) {
    i64 places = cohorts * hashes;
    for (i64 s = 0; s < strings; s++, out += places)
        for (i64 place = 0; place < places; place++) {
            u64 word = split_mix(bases[s], (u64)place);
            out[place] = (u16)(((word >> 32) * symbols + ((u32)word * symbols >> 32)) >> 32);
        }
}

/* `count` words of a base, from the `first` on. */
static void split_words(u64 base, u64 first, u64 *out, i64 count) {
    for (i64 k = 0; k < count; k++)
        out[k] = split_mix(base, first + (u64)k);
}

/* Write the symbol of each person's text in their cohort into `out`; for a single hash. */
static void hash_own(const u64 *bases, const u32 *cohorts, i64 people, u64 symbols, i64 *out) {
    for (i64 i = 0; i < people; i++)
        out[i] = (i64)hash_symbol(bases[i], cohorts[i], symbols);
}

/* Turn noise into noisy Bloom filters: each of a string's symbols is inverted once, without a branch on it.
 *
 * The place is hidden, or the compiler would count the loop by words that depend on the string. */
static void flip_filters(u8 *reports, i64 width, const u64 *bases, const u32 *cohorts, i64 people, u64 hashes,
                         u64 symbols) {
    for (i64 i = 0; i < people; i++, reports += width) {
        u64 first = cohorts[i] * hashes;
        for (u64 j = 0; j < hashes; j++) {
            u64 symbol = hash_symbol(bases[i], first + j, symbols), again = 0;
            for (u64 k = 0; k < j; k++)
                again |= hash_symbol(bases[i], opaque(first + k), symbols) == symbol;
            reports[symbol >> 3] ^= (u8)choose(again, 0, (u64)1 << (symbol & 7));
        }
    }
}
