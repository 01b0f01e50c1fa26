/* Draws whose label and random words are marked as undefined, so that valgrind tells of every branch that depends on them.
 *
 * What may branch is listed in test_secrets.py: whether a word is rejected, which says nothing of those that are used.
 * With PLANTED a draw is made that branches on the coin. */
#include <stdio.h>
#include <valgrind/memcheck.h>
#include "base.h"

enum { PEOPLE = 64, LENGTH = 1 << 13, LABELS = 70 };

static u64 tape[LENGTH];
static i64 values[PEOPLE];
static u16 out[PEOPLE];
static u8 packed[PEOPLE * 16];
static u64 rows[PEOPLE * 2];
static u64 state = 1;

static u64 next_word(void) {
    u64 z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    return z ^ z >> 27;
}

/* New words and values, of which the tool knows nothing. */
static void conceal(i64 labels) {
    for (int k = 0; k < LENGTH; k++)
        tape[k] = next_word();
    for (int k = 0; k < PEOPLE; k++)
        values[k] = (i64)(next_word() % (u64)labels);
    for (int k = 0; k < 2 * PEOPLE; k++)
        rows[k] = next_word();
    VALGRIND_MAKE_MEM_UNDEFINED(tape, sizeof tape);
    VALGRIND_MAKE_MEM_UNDEFINED(values, sizeof values);
    VALGRIND_MAKE_MEM_UNDEFINED(rows, sizeof rows);
}

#define TOLD(NAME, CALL)                                                                                               \
    do {                                                                                                               \
        conceal(LABELS);                                                                                               \
        unsigned before = VALGRIND_COUNT_ERRORS;                                                                       \
        CALL;                                                                                                          \
        printf("%s %u\n", NAME, (unsigned)VALGRIND_COUNT_ERRORS - before);                                             \
    } while (0)

int main(int count, char **arguments) {
    (void)count;
    const struct kernels *now = target_kernels(arguments[1][0] - '0');
    if (!now)
        return 3;
    static const int32_t block[] = {0, 1, 3};
    static const u64 half_rows[5 * LABELS], cells[2 * LABELS];
    const u64 one = (u64)1 << 40, ends[4 * LABELS] = {one, 2 * one, 2 * one, 2 * one};
    TOLD("response", now->draw_response_16(tape, LENGTH, 0, values, PEOPLE, one, one + 70 * 1024, 10, out));
    TOLD("hadamard", now->draw_hadamard_16(tape, LENGTH, 0, values, PEOPLE, one, 2 * one, 128, 1, out));
    TOLD("rows", now->draw_rows_16(tape, LENGTH, 0, values, PEOPLE, one, 2 * one, half_rows, out));
    TOLD("cyclic", now->draw_cyclic_16(tape, LENGTH, 0, values, PEOPLE, one, 2 * one, block, 3, 73, out));
    TOLD("table", now->draw_table_16(tape, LENGTH, 0, values, PEOPLE, cells, 2, 40, ends, 3, 0, out));
    TOLD("halved table", now->draw_table_16(tape, LENGTH, 0, values, PEOPLE, cells, 2, 40, ends, 4, 1, out));
    TOLD("geometric", now->draw_geometric_16(tape, LENGTH, 0, values, PEOPLE, one + 1, one, LABELS, out));
    TOLD("flip_own", now->flip_own(packed, 16, values, PEOPLE, 63));
    TOLD("toss_own", now->toss_own(packed, 16, values, PEOPLE, 63, tape));
    TOLD("flip_filters", now->flip_filters(packed, 16, tape, (const u32 *)block, 3, 2, 100));
    TOLD("bernoulli", now->draw_bernoulli(tape, LENGTH, 0, one, rows, 2 * PEOPLE));
    TOLD("subsets", now->settle_subsets(tape, LENGTH, 0, values, PEOPLE, LABELS, 20, 140, 240, rows, 2));
#if defined(PLANTED)
    TOLD("planted", out[0] = tape[0] < one ? (u16)values[0] : out[0]; if (tape[0] < one) out[1]++);
#endif
    return 0;
}
