/* Vectors as wide as the target's registers, and the few instructions that no compiler finds by itself.
 *
 * A target's file defines WIDTH, in bytes. Wider vectors than that would be kept in memory.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef u64 words __attribute__((vector_size(WIDTH)));
typedef u64 loose_words __attribute__((vector_size(WIDTH), aligned(1), may_alias));
typedef double reals __attribute__((vector_size(WIDTH)));
typedef double loose_reals __attribute__((vector_size(WIDTH), aligned(1), may_alias));
enum { WORDS = WIDTH / 8 };

static inline words load(const void *at) { return *(const loose_words *)at; }
static inline void store(void *at, words vector) { *(loose_words *)at = vector; }
static inline words spread(u64 word) { return word - (words){0}; }

/* 0, 1, 2, ... */
static inline words lane_numbers(void) {
    u64 number[WORDS];
    for (u64 lane = 0; lane < WORDS; lane++)
        number[lane] = lane;
    return load(number);
}

/* The 64-bit products of the lower halves of all lanes. */
static inline words half_products(words a, words b) {
#if WIDTH == 64
    return (words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif WIDTH == 32
    return (words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
    return (words)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
#endif
}

/* Write the lanes of both vectors in turn. */
static inline void store_in_turn(u64 *out, words even, words odd) {
#if WIDTH == 64
    const __m512i lower = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), upper = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    store(out, (words)_mm512_permutex2var_epi64((__m512i)even, lower, (__m512i)odd));
    store(out + WORDS, (words)_mm512_permutex2var_epi64((__m512i)even, upper, (__m512i)odd));
#elif WIDTH == 32
    __m256i lower = _mm256_unpacklo_epi64((__m256i)even, (__m256i)odd);
    __m256i upper = _mm256_unpackhi_epi64((__m256i)even, (__m256i)odd);
    store(out, (words)_mm256_permute2x128_si256(lower, upper, 0x20));
    store(out + WORDS, (words)_mm256_permute2x128_si256(lower, upper, 0x31));
#else
    store(out, (words){even[0], odd[0]});
    store(out + WORDS, (words){even[1], odd[1]});
#endif
}

/* All lanes moved down by as many bits. */
static inline words shifted_down(words a, u64 bits) {
#if WIDTH == 64
    return (words)_mm512_srl_epi64((__m512i)a, _mm_cvtsi64_si128((i64)bits));
#elif WIDTH == 32
    return (words)_mm256_srl_epi64((__m256i)a, _mm_cvtsi64_si128((i64)bits));
#elif defined(__x86_64__)
    return (words)_mm_srl_epi64((__m128i)a, _mm_cvtsi64_si128((i64)bits));
#else
    return a >> spread(bits);
#endif
}

/* The sum and the carry of three bits in every place: a full adder. */
static inline words add_bits(words a, words b, words c, words *carry) {
#if WIDTH == 64
    *carry = (words)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0xE8);
    return (words)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
#else
    words half = a ^ b;
    *carry = (a & b) | (half & c);
    return half ^ c;
#endif
}

/* Whether any bit is set. */
static inline bool any(words vector) {
#if WIDTH == 64
    return _mm512_test_epi64_mask((__m512i)vector, (__m512i)vector) != 0;
#elif WIDTH == 32
    return !_mm256_testz_si256((__m256i)vector, (__m256i)vector);
#elif defined(__x86_64__)
    return !_mm_testz_si128((__m128i)vector, (__m128i)vector);
#else
    return (vector[0] | vector[1]) != 0;
#endif
}

/* The same masks, hidden from the compiler's analysis, so that it cannot turn a selection by them into a branch. */
static inline words opaque_words(words mask) {
#if defined(__x86_64__)
    __asm__("" : "+x"(mask));
#elif defined(__aarch64__)
    __asm__("" : "+w"(mask));
#endif
    return mask;
}
