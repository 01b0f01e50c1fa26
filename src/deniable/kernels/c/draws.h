/* Draws of reports that are one integer each: response, Hadamard, cyclic, a table of weights, and geometric noise.
 *
 * Every kernel reads a tape of random words and stops before a report that the tape cannot finish: (reports done, words
 * used). The caller extends the tape from the first word of the unfinished report, so no word is ever discarded and the
 * distribution stays exact.
 *
 * There is no branch on whether the report is truthful: both outcomes are drawn, then one is selected. Table look-ups
 * do depend on the value, so this does not protect against somebody who can observe the processor's cache.
 *
 * Limit: the random words, one per report for randomized response, two for the others.
 */
enum { EIGHT = 8, AHEAD = 128 };

/* The integers below `bound` of the next EIGHT words; false if one of the words may be rejected.
 *
 * The 128-bit products are made of four of 32-bit halves. Only the upper half of the lower word is compared. */
static inline bool eight_integers(const u64 *tape, u64 bound, u64 floor, words *integers) {
    words doubtful = {0};
    for (int k = 0; k < EIGHT / WORDS; k++) {
        words low = load(tape + k * WORDS), high = low >> 32;
        words right = half_products(low, spread(bound >> 32)) + (half_products(low, spread(bound)) >> 32);
        words left = half_products(high, spread(bound)) + (right & 0xFFFFFFFF);
        integers[k] = half_products(high, spread(bound >> 32)) + (right >> 32) + (left >> 32);
        doubtful |= (words)((left & 0xFFFFFFFF) <= spread(floor >> 32));
    }
    return !any(doubtful);
}

/* Eight randomized responses, unless one of the words may be rejected: then nothing, and the next is drawn alone. */
static inline bool eight_responses(const u64 *tape, const i64 *values, u64 bonus, u64 total, u64 shift, u64 floor,
                                   u64 *told) {
    words coins[EIGHT / WORDS];
    bool all = eight_integers(tape, total, floor, coins);
    for (int k = 0; k < EIGHT / WORDS; k++) {
        words truth = load(values + k * WORDS), noise = shifted_down(coins[k] - bonus, shift);
        store(told + k * WORDS, noise ^ ((truth ^ noise) & opaque_words((words)(coins[k] < spread(bonus)))));
    }
    return all;
}

/* The word if the Hadamard row's sign is + there, else its neighbour across the row's lowest bit.
 *
 * Flipping that bit maps the halves onto each other. The parity becomes a mask, without a branch. */
static inline u64 on_plus_half(u64 word, u64 row) {
    u64 low = row & -row;
    return word ^ (low & opaque(-((u64)ones(word & row) & 1)));
}

/* How many running sums are at most the coin, as its cell says: one more if the coin comes after the next sum, which
 * carries into their number. */
static inline u64 place_of(u64 coin, u64 cell, u64 shift) {
    u64 lower = ((u64)1 << shift) - 1;
    return ((cell ^ lower) + (coin & lower)) >> shift;
}

/* The same where cells do not say all: halvings follow, from no further than the `last` place where they can begin. */
static inline u64 place_in(u64 coin, u64 cell, u64 shift, const u64 *row, u64 steps, u64 last) {
    u64 begun = place_of(coin, cell, shift), place = choose(begun < last, begun, last);
    for (u64 half = (u64)1 << steps >> 1; half; half >>= 1)
        place += half & -(u64)(row[place + half - 1] <= coin);
    return place;
}

/* How many of the coins go on before the first that does not; -1 words used if the tape ran out.
 *
 * A coin goes on in `below` of `above` cases. All are tossed, whatever they show. */
static inline u64 steps_taken(const u64 *tape, i64 end, i64 *used, i64 coins, u64 above, u64 below) {
    u64 floor = rejected_below(above), going = 1, steps = 0;
    for (i64 tossed = 0; tossed < coins;) {
        if (*used >= end) {
            *used = -1;
            break;
        }
        u64 word = tape[(*used)++], taken = word * above >= floor;
        going &= (taken ^ 1) | (high_product(word, above) < below);
        steps += taken & going;
        tossed += (i64)taken;
    }
    return steps;
}

/* Ask for the cache line of an element that may lie beyond the end: in a loop with much work per element the processor
 * does not look far enough ahead to hide the latency of memory. */
static inline void prefetch(const void *column, i64 bytes) {
    __builtin_prefetch((const void *)((uintptr_t)column + (uintptr_t)bytes), 0, 3);
}

#define NAMED_(NAME, BITS) NAME##_##BITS
#define NAMED(NAME, BITS) NAMED_(NAME, BITS)
#define OF_REPORTS(NAME) NAMED(NAME, REPORT_BITS)
#define REPORTS "integer_draws.h"
#include "each_report.h"
