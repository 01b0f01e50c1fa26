/* Keyed hashes of texts: the first 8 bytes, little-endian, of HMAC-SHA-256 (RFC 2104, FIPS 180-4).
 *
 * A device hashes one text with what its language brings along; a search hashes a hundred thousand candidates.
 *
 * Limit: two blocks of 64 bytes for a text of up to 55, and some two thousand operations for each.
 */
enum { HASHED = 64, WORDS_OF_HASH = 8, LENGTH_BYTES = 8 };

static const u32 ROUND_CONSTANTS[HASHED] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* What a hash has come to: its words, after some bytes. */
struct sha {
    u32 words[WORDS_OF_HASH];
};

static const struct sha SHA_START = {
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
};

static inline u32 turned(u32 word, int bits) { return word >> bits | word << (32 - bits); }

static inline u32 big_endian(const u8 *bytes) {
    return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

/* Hash one more block. */
static void hash_block(struct sha *hash, const u8 *block) {
    u32 w[HASHED], a[WORDS_OF_HASH];
    for (int i = 0; i < 16; i++)
        w[i] = big_endian(block + 4 * i);
    for (int i = 16; i < HASHED; i++) {
        u32 early = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
        u32 late = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    memcpy(a, hash->words, sizeof a);
    for (int i = 0; i < HASHED; i++) {
        u32 chosen = (a[4] & a[5]) ^ (~a[4] & a[6]), major = (a[0] & a[1]) ^ (a[0] & a[2]) ^ (a[1] & a[2]);
        u32 first = a[7] + (turned(a[4], 6) ^ turned(a[4], 11) ^ turned(a[4], 25)) + chosen + ROUND_CONSTANTS[i] + w[i];
        u32 second = (turned(a[0], 2) ^ turned(a[0], 13) ^ turned(a[0], 22)) + major;
        a[7] = a[6], a[6] = a[5], a[5] = a[4], a[4] = a[3] + first;
        a[3] = a[2], a[2] = a[1], a[1] = a[0], a[0] = first + second;
    }
    for (int i = 0; i < WORDS_OF_HASH; i++)
        hash->words[i] += a[i];
}

/* Hash the last bytes, which follow one block: then come a bit, zeros, and how many bits there were. */
static struct sha hash_rest(struct sha hash, const u8 *bytes, i64 n) {
    u64 bits = 8 * (u64)(HASHED + n);
    for (; n >= HASHED; n -= HASHED, bytes += HASHED)
        hash_block(&hash, bytes);
    u8 last[2 * HASHED] = {0};
    i64 end = n + 1 + LENGTH_BYTES <= HASHED ? HASHED : 2 * HASHED;
    memcpy(last, bytes, (size_t)n);
    last[n] = 0x80;
    for (int i = 0; i < LENGTH_BYTES; i++)
        last[end - 1 - i] = (u8)(bits >> 8 * i);
    for (i64 i = 0; i < end; i += HASHED)
        hash_block(&hash, last + i);
    return hash;
}

/* The hash after one block: the key with every byte changed. */
static inline struct sha hash_key(const u8 *key, u8 change) {
    u8 block[HASHED];
    struct sha hash = SHA_START;
    for (int i = 0; i < HASHED; i++)
        block[i] = key[i] ^ change;
    hash_block(&hash, block);
    return hash;
}

/* The bases of texts, which stand one after the other and end at `ends`; the key is padded to a block. */
static void keyed_bases(const u8 *key, const u8 *texts, const i64 *ends, i64 n, u64 *out) {
    struct sha inner = hash_key(key, 0x36), outer = hash_key(key, 0x5c);
    for (i64 i = 0, begin = 0; i < n; begin = ends[i++]) {
        struct sha hash = hash_rest(inner, texts + begin, ends[i] - begin);
        u8 bytes[4 * WORDS_OF_HASH];
        for (int k = 0; k < 4 * WORDS_OF_HASH; k++)
            bytes[k] = (u8)(hash.words[k / 4] >> (24 - 8 * (k % 4)));
        hash = hash_rest(outer, bytes, sizeof bytes);
        out[i] = (u64)__builtin_bswap32(hash.words[1]) << 32 | __builtin_bswap32(hash.words[0]);
    }
}
