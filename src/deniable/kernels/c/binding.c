/* The kernels as Python sees them: each entry says what it takes, and calls the kernel without the interpreter's lock.
 *
 * Whatever arrays come, no entry reads or writes beyond them: kinds, dimensions, contiguity and lengths are checked by
 * arguments.c, indices that arrays hold by `all_below`. Arrays that are written must not overlap others, nor may other
 * threads change what a kernel reads. */
#include "arguments.h"
#include "base.h" /* compiled here: the types of its kernels are those of all targets */

#ifndef SOURCES
#define SOURCES "" /* the digest of the files that this was compiled from */
#endif

static const struct kernels *now; /* those of the target in use */

#define ENTRY(NAME)                                                                                                    \
    static PyObject *enter_##NAME(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t given)
#define TAKE(...)                                                                                                      \
    static const struct wanted WANTED[] = {__VA_ARGS__};                                                               \
    struct call call;                                                                                                  \
    if (!take_arguments(&call, __func__ + sizeof "enter_" - 1, WANTED, sizeof WANTED / sizeof *WANTED, arguments, given))                    \
    return NULL
#define REQUIRE(HOLDS, CONDITION)                                                                                      \
    if (!require(&call, HOLDS, CONDITION))                                                                             \
    return NULL
#define UNLOCKED(WORK)                                                                                                 \
    Py_BEGIN_ALLOW_THREADS                                                                                             \
    WORK;                                                                                                              \
    Py_END_ALLOW_THREADS

#define NUMBER(K) call.given[K].integer
#define WORD(K) call.given[K].word
#define REAL(K) call.given[K].real
#define ARRAY(K) call.given[K].array
#define LENGTH(AXIS) length_of(&call, AXIS)

/* The kernel for the reports of array K, which is its last argument. */
#define FOR_REPORTS(NAME, K, ...)                                                                                      \
    (call.views[K].itemsize == 1   ? now->NAME##_8(__VA_ARGS__, ARRAY(K))                                              \
     : call.views[K].itemsize == 2 ? now->NAME##_16(__VA_ARGS__, ARRAY(K))                                             \
                                   : now->NAME##_32(__VA_ARGS__, ARRAY(K)))

static const char INDICES[] = "indices must be below the length of what they point into";
static const char NARROW[] = "rows must be wide enough for the symbols";

/* What many entries begin with: a tape of words, how many reports are done, and the values of all people. */
#define TAPE {"tape", "Q", "t"}, {"done", "q", .most = 'n'}
#define DRAW TAPE, {"values", "q", "n"}
#define DRAWING ARRAY(0), LENGTH('t'), NUMBER(1), ARRAY(2), LENGTH('n')

static PyObject *none_after(struct call *call) {
    release(call);
    Py_IncRef(Py_None);
    return Py_None;
}

static PyObject *number_after(struct call *call, i64 number) {
    release(call);
    return number == FAILED ? PyErr_NoMemory() : PyLong_FromLongLong(number);
}

static PyObject *progress_after(struct call *call, struct progress progress) {
    release(call);
    if (progress.used == FAILED)
        return PyErr_NoMemory();
    return Py_BuildValue("LL", (long long)progress.done, (long long)progress.used);
}

/* Do the work without the lock, and return what comes of it: nothing, a number, nothing if there was memory, and how
 * many reports are done and words used. */
#define RETURN_NONE(WORK)                                                                                              \
    UNLOCKED(WORK)                                                                                                     \
    return none_after(&call)
#define RETURN_NUMBER(WORK)                                                                                            \
    i64 number;                                                                                                        \
    UNLOCKED(number = WORK)                                                                                            \
    return number_after(&call, number)
#define RETURN_OUTCOME(WORK)                                                                                           \
    i64 failed;                                                                                                        \
    UNLOCKED(failed = WORK)                                                                                            \
    return failed ? number_after(&call, FAILED) : none_after(&call)
#define RETURN_PROGRESS(WORK)                                                                                          \
    struct progress progress;                                                                                          \
    UNLOCKED(progress = WORK)                                                                                          \
    return progress_after(&call, progress)

/* Raise ValueError unless `count` indices of array `k`, from the `from`-th on, are below the limit. */
static bool all_below(struct call *call, int k, i64 from, i64 count, i64 limit) {
    bool outside;
    UNLOCKED(outside = now->any_outside((const i64 *)call->given[k].array + from, count, limit))
    return require(call, !outside, INDICES);
}

#define REQUIRE_BELOW(K, COUNT, LIMIT)                                                                                 \
    if (!all_below(&call, K, 0, COUNT, LIMIT))                                                                         \
    return NULL

/* The same of those values that a draw may come to before the tape ends, since each takes a word at least. */
static bool drawn_below(struct call *call, i64 limit) {
    i64 done = call->given[1].integer, left = length_of(call, 'n') - done;
    return all_below(call, 2, done, least(left, length_of(call, 't')), limit);
}

ENTRY(philox) {
    TAKE({"key", "Q"}, {"stream", "Q"}, {"first", "Q"}, {"out", "Q", "n", true});
    REQUIRE(LENGTH('n') % 2 == 0, "the number of words must be even");
    RETURN_NONE(now->philox(WORD(0), WORD(1), WORD(2), ARRAY(3), LENGTH('n')));
}

ENTRY(draw_bernoulli) {
    TAKE(TAPE, {"below", "Q"}, {"out", "Q", "n", true});
    REQUIRE(LENGTH('n') % GROUP == 0 && NUMBER(1) % GROUP == 0, "words must come in whole groups");
    RETURN_PROGRESS(now->draw_bernoulli(ARRAY(0), LENGTH('t'), NUMBER(1), WORD(2), ARRAY(3), LENGTH('n')));
}

ENTRY(draw_coins) {
    TAKE(TAPE, {"bonus", "Q"}, {"total", "Q", .least = 1}, {"out", "B", "n", true});
    RETURN_PROGRESS(now->draw_coins(ARRAY(0), LENGTH('t'), NUMBER(1), WORD(2), WORD(3), ARRAY(4), LENGTH('n')));
}

ENTRY(draw_below) {
    TAKE(TAPE, {"bound", "Q", .least = 1}, {"out", "IqQ", "n", true});
    RETURN_PROGRESS(call.views[3].itemsize == 4
                        ? now->draw_below_32(ARRAY(0), LENGTH('t'), NUMBER(1), WORD(2), ARRAY(3), LENGTH('n'))
                        : now->draw_below_64(ARRAY(0), LENGTH('t'), NUMBER(1), WORD(2), ARRAY(3), LENGTH('n')));
}

ENTRY(draw_response) {
    TAKE(DRAW, {"bonus", "Q"}, {"total", "Q", .least = 1}, {"shift", "Q"}, {"out", "BHI", "n", true});
    REQUIRE(WORD(5) < 64, "shift must be below 64");
    RETURN_PROGRESS(FOR_REPORTS(draw_response, 6, DRAWING, WORD(3), WORD(4), WORD(5)));
}

ENTRY(draw_hadamard) {
    TAKE(DRAW, {"bonus", "Q"}, {"total", "Q", .least = 1}, {"part", "Q", .least = 2}, {"parts", "Q"},
         {"out", "BHI", "n", true});
    RETURN_PROGRESS(FOR_REPORTS(draw_hadamard, 7, DRAWING, WORD(3), WORD(4), WORD(5), WORD(6)));
}

ENTRY(draw_rows) {
    TAKE(DRAW, {"bonus", "Q"}, {"total", "Q", .least = 1}, {"rows", "Q", "df"}, {"out", "BHI", "n", true});
    REQUIRE(LENGTH('f') == 5, "a row must have 5 numbers");
    if (!drawn_below(&call, LENGTH('d')))
        return NULL;
    RETURN_PROGRESS(FOR_REPORTS(draw_rows, 6, DRAWING, WORD(3), WORD(4), ARRAY(5)));
}

ENTRY(draw_cyclic) {
    TAKE(DRAW, {"bonus", "Q"}, {"total", "Q", .least = 1}, {"block", "i", "b"}, {"length", "Q", .least = 1},
         {"out", "BHI", "n", true});
    REQUIRE(LENGTH('b') >= 1 && LENGTH('b') >> 31 == 0, "the block must have between 1 and 2^31 points");
    RETURN_PROGRESS(FOR_REPORTS(draw_cyclic, 7, DRAWING, WORD(3), WORD(4), ARRAY(5), (u64)LENGTH('b'), WORD(6)));
}

ENTRY(draw_table) {
    TAKE(DRAW, {"cells", "Q", "dc"}, {"shift", "Q"}, {"ends", "Q", "de"}, {"steps", "Q"}, {"out", "BHI", "n", true});
    REQUIRE(WORD(4) < 64 && WORD(6) < 32, "shift must be below 64 and steps below 32");
    REQUIRE(LENGTH('d') >= 1 && LENGTH('e') > (i64)1 << WORD(6), "a row must end with its total 2^steps times more");
    u64 total = ((const u64 *)ARRAY(5))[LENGTH('e') - 1];
    REQUIRE(total >= 1 && (total - 1) >> WORD(4) < (u64)LENGTH('c'), "the total must be positive and have a cell");
    if (!drawn_below(&call, LENGTH('d')))
        return NULL;
    RETURN_PROGRESS(FOR_REPORTS(draw_table, 7, DRAWING, ARRAY(3), (u64)LENGTH('c'), WORD(4), ARRAY(5), (u64)LENGTH('e'),
                               WORD(6)));
}

ENTRY(draw_geometric) {
    TAKE(DRAW, {"above", "Q", .least = 1}, {"below", "Q"}, {"labels", "q", .least = 1}, {"out", "BHI", "n", true});
    REQUIRE(WORD(3) + WORD(4) > 0, "above and below must not add up to 2^64");
    RETURN_PROGRESS(FOR_REPORTS(draw_geometric, 6, DRAWING, WORD(3), WORD(4), NUMBER(5)));
}

ENTRY(flip_own) {
    TAKE({"reports", "B", "nw", true}, {"values", "q", "n"}, {"last", "Q"});
    REQUIRE(LENGTH('w') >= 1, NARROW);
    REQUIRE_BELOW(1, LENGTH('n'), 8 * LENGTH('w'));
    RETURN_NONE(now->flip_own(ARRAY(0), LENGTH('w'), ARRAY(1), LENGTH('n'), (u8)WORD(2)));
}

ENTRY(toss_own) {
    TAKE({"reports", "B", "nw", true}, {"values", "q", "n"}, {"last", "Q"}, {"coins", "Q", "c"});
    REQUIRE(LENGTH('w') >= 1, NARROW);
    REQUIRE(LENGTH('c') >= quotient_up(LENGTH('n'), 64), "there must be a coin for each report");
    REQUIRE_BELOW(1, LENGTH('n'), 8 * LENGTH('w'));
    RETURN_NONE(now->toss_own(ARRAY(0), LENGTH('w'), ARRAY(1), LENGTH('n'), (u8)WORD(2), ARRAY(3)));
}

ENTRY(settle_subsets) {
    TAKE(DRAW, {"domain", "Q", .least = 1}, {"size", "q", .least = 1}, {"inside", "Q"}, {"total", "Q", .least = 1},
         {"rows", "Q", "nw", true});
    REQUIRE(LENGTH('w') >= 1 && (WORD(3) - 1) / 64 == (u64)LENGTH('w') - 1, "rows must be as wide as the domain");
    if (!drawn_below(&call, (i64)WORD(3)))
        return NULL;
    RETURN_PROGRESS(now->settle_subsets(DRAWING, WORD(3), NUMBER(4), WORD(5), WORD(6), ARRAY(7), LENGTH('w')));
}

ENTRY(cut_lists) {
    TAKE(TAPE, {"lists", "Q", "nw"}, {"labels", "q", .least = 1}, {"most", "q"}, {"out", "Q", "nr", true});
    REQUIRE(quotient_up(NUMBER(3), 64) <= LENGTH('w') && NUMBER(4) <= 64 * LENGTH('r') - NUMBER(3), NARROW);
    RETURN_PROGRESS(now->cut_lists(ARRAY(0), LENGTH('t'), NUMBER(1), ARRAY(2), LENGTH('n'), LENGTH('w'), NUMBER(3),
                                   NUMBER(4), ARRAY(5), LENGTH('r')));
}

ENTRY(split_words) {
    TAKE({"base", "Q"}, {"first", "Q"}, {"out", "Q", "n", true});
    RETURN_NONE(now->split_words(WORD(0), WORD(1), ARRAY(2), LENGTH('n')));
}

ENTRY(hash_table) {
    TAKE({"bases", "Q", "s"}, {"symbols", "Q", .least = 1}, {"out", "H", "sch", true});
    REQUIRE(WORD(1) <= 1 << 16, "there must be at most 2^16 symbols");
    RETURN_NONE(now->hash_table(ARRAY(0), LENGTH('s'), LENGTH('c'), LENGTH('h'), WORD(1), ARRAY(2)));
}

ENTRY(hash_own) {
    TAKE({"bases", "Q", "n"}, {"cohorts", "I", "n"}, {"symbols", "Q"}, {"out", "q", "n", true});
    RETURN_NONE(now->hash_own(ARRAY(0), ARRAY(1), LENGTH('n'), WORD(2), ARRAY(3)));
}

ENTRY(flip_filters) {
    TAKE({"reports", "B", "nw", true}, {"bases", "Q", "n"}, {"cohorts", "I", "n"}, {"hashes", "Q"},
         {"symbols", "Q", .least = 1});
    REQUIRE((WORD(4) - 1) / 8 < (u64)LENGTH('w') && WORD(3) <= 1 << 16, NARROW);
    RETURN_NONE(now->flip_filters(ARRAY(0), LENGTH('w'), ARRAY(1), ARRAY(2), LENGTH('n'), WORD(3), WORD(4)));
}

/* Whether the counts have room for the panels that begin at `starts`, to the end of their last tiles. */
static bool panels_fit(const i64 *starts, i64 panels, i64 panel, i64 apart, i64 counts) {
    enum { TILE = 512 };
    for (i64 p = 0; p < panels; p++) {
        if (starts[p] < 0 || starts[p] >= apart)
            return false;
        i64 run = quotient_up(least(panel, apart - starts[p]), TILE) * TILE;
        if (starts[p] + run > counts / 8)
            return false;
    }
    return true;
}

ENTRY(count_runs) {
    TAKE({"reports", "B", "nw"}, {"apart", "q", .least = 1}, {"starts", "q", "s"}, {"panel", "q", .least = 1},
         {"weight", "q", .least = -1}, {"held", "q", "h", true}, {"counts", "q", "c", true});
    i64 apart = NUMBER(1), width = LENGTH('w'), weighed = LENGTH('h');
    REQUIRE(width >= 1 && apart % width == 0 && apart < (i64)1 << 40, "apart must be a multiple of the reports' width");
    REQUIRE(weighed == 0 || (weighed == LENGTH('n') && apart == width), "only whole reports are weighed");
    REQUIRE(panels_fit(ARRAY(2), LENGTH('s'), NUMBER(3), apart, LENGTH('c')), "counts must have room for all tiles");
    RETURN_NUMBER(now->count_runs(ARRAY(0), LENGTH('n'), width, apart, ARRAY(2), LENGTH('s'), NUMBER(3), NUMBER(4),
                                  ARRAY(5), weighed, ARRAY(6)));
}

ENTRY(out_of_weight) {
    TAKE({"reports", "B", "nw"}, {"weight", "q", .least = INT64_MIN});
    RETURN_NUMBER(now->out_of_weight(ARRAY(0), LENGTH('n'), LENGTH('w'), NUMBER(1)));
}

ENTRY(beyond_single) {
    TAKE({"reports", "B", "nw"}, {"first", "q"});
    REQUIRE(NUMBER(1) / 8 < LENGTH('w'), NARROW);
    RETURN_NUMBER(now->beyond_single(ARRAY(0), LENGTH('n'), LENGTH('w'), NUMBER(1)));
}

ENTRY(count_cohorts) {
    TAKE({"reports", "B", "nw"}, {"people", "q", "c", true}, {"counts", "q", "cb", true});
    REQUIRE(LENGTH('w') >= 3 && LENGTH('b') == 8 * (LENGTH('w') - 2), "counts must have a column for every bit");
    RETURN_OUTCOME(now->count_cohorts(ARRAY(0), LENGTH('n'), LENGTH('w'), LENGTH('c'), ARRAY(1), ARRAY(2)));
}

/* Whether numbers ascend from 0 or more and end within a length, in steps of `shortest` to `longest`. */
static bool ascend(const i64 *starts, i64 count, i64 length, i64 shortest, i64 longest) {
    bool holds = count >= 1 && starts[0] >= 0 && starts[0] <= length;
    for (i64 k = 1; k < count && holds; k++)
        holds = starts[k] <= length && starts[k] - starts[k - 1] >= shortest && starts[k] - starts[k - 1] <= longest;
    return holds;
}

ENTRY(count_blocks) {
    TAKE({"reports", "B", "nw"}, {"starts", "q", "s"}, {"weights", "q", "k"}, {"counts", "q", "c", true});
    REQUIRE(LENGTH('w') >= 2 && LENGTH('s') == LENGTH('k') + 1, "a block must have a start and a weight");
    REQUIRE(ascend(ARRAY(1), LENGTH('s'), LENGTH('c'), 0, INT64_MAX), "starts must ascend within the counts");
    struct faults faults;
    UNLOCKED(faults = now->count_blocks(ARRAY(0), LENGTH('n'), LENGTH('w'), ARRAY(1), ARRAY(2), LENGTH('k'), ARRAY(3)))
    release(&call);
    return Py_BuildValue("LLL", (long long)faults.strange, (long long)faults.beyond, (long long)faults.misweighed);
}

ENTRY(count_values) {
    TAKE({"counts", "q", "c", true}, {"reports", "BHI", "n"});
    RETURN_NUMBER(FOR_REPORTS(count_values, 1, ARRAY(0), LENGTH('c'), LENGTH('n')));
}

ENTRY(mass_packed) {
    TAKE({"reports", "B", "nw"}, {"p", "d", "d"}, {"sums", "d", "n", true});
    REQUIRE(LENGTH('d') <= 8 * LENGTH('w'), NARROW);
    RETURN_OUTCOME(now->mass_packed(ARRAY(0), LENGTH('n'), LENGTH('w'), ARRAY(1), LENGTH('d'), ARRAY(2)));
}

ENTRY(collect_packed) {
    TAKE({"reports", "B", "nw"}, {"weights", "d", "n"}, {"sums", "d", "d", true});
    REQUIRE(LENGTH('d') <= 8 * LENGTH('w'), NARROW);
    RETURN_OUTCOME(now->collect_packed(ARRAY(0), LENGTH('n'), LENGTH('w'), ARRAY(1), ARRAY(2), LENGTH('d')));
}

ENTRY(walsh_hadamard) {
    TAKE({"values", "qd", "n", true});
    i64 size = LENGTH('n');
    REQUIRE(size > 0 && (size & (size - 1)) == 0, "the length must be a power of two");
    RETURN_NONE(call.kinds[0] == 'd' ? now->walsh_hadamard_reals(ARRAY(0), size)
                                     : now->walsh_hadamard_integers(ARRAY(0), size));
}

ENTRY(affine) {
    TAKE({"counts", "q", "n"}, {"scale", "d"}, {"offset", "d"}, {"out", "d", "n", true});
    RETURN_NONE(now->affine(ARRAY(0), LENGTH('n'), REAL(1), REAL(2), ARRAY(3)));
}

ENTRY(project_simplex) {
    TAKE({"v", "d", "n"}, {"point", "d", "n", true});
    RETURN_OUTCOME(now->project_simplex(ARRAY(0), LENGTH('n'), ARRAY(1)));
}

#define TABLE {"symbols", "H", "sch"}
#define OF_TABLE ARRAY(0), LENGTH('s'), LENGTH('c'), LENGTH('h')

/* Raise ValueError unless a table has symbols, all of them below r. */
static bool symbols_below(struct call *call, i64 r) {
    i64 count = length_of(call, 's') * length_of(call, 'c') * length_of(call, 'h');
    u64 found = 0;
    UNLOCKED(found = now->largest_symbol(call->given[0].array, count))
    return require(call, length_of(call, 'h') >= 1 && r >= 1 && (count == 0 || found < (u64)r), INDICES);
}

ENTRY(mass) {
    TAKE(TABLE, {"p", "d", "s"}, {"first", "q", .most = 'c'}, {"out", "d", "nr", true});
    REQUIRE(LENGTH('n') <= LENGTH('c') - NUMBER(2), "out must have a row for each of some cohorts");
    REQUIRE(LENGTH('h') >= 1 && LENGTH('r') >= 1, INDICES);
    bool below;
    UNLOCKED(below = now->mass(OF_TABLE, ARRAY(1), NUMBER(2), ARRAY(3), LENGTH('n'), LENGTH('r')))
    REQUIRE(below, INDICES);
    return none_after(&call);
}

ENTRY(collect) {
    TAKE(TABLE, {"weights", "d", "cr"}, {"out", "d", "s", true});
    if (!symbols_below(&call, LENGTH('r')))
        return NULL;
    RETURN_NONE(now->collect(OF_TABLE, ARRAY(1), LENGTH('r'), ARRAY(2)));
}

ENTRY(pairs_held) {
    TAKE(TABLE, {"p", "d", "s"}, {"sizes", "d", "c"}, {"field", "d", "cr"});
    if (!symbols_below(&call, LENGTH('r')))
        return NULL;
    double found;
    UNLOCKED(found = now->pairs_held(OF_TABLE, ARRAY(1), ARRAY(2), ARRAY(3), LENGTH('r')))
    release(&call);
    return PyFloat_FromDouble(found);
}

ENTRY(overlaps) {
    TAKE(TABLE, {"weights", "d", "c"}, {"r", "q", .least = 1}, {"first", "q", .most = 's'}, {"out", "d", "ns", true});
    REQUIRE(LENGTH('n') <= LENGTH('s') - NUMBER(3), "out must have a row for each of some candidates");
    REQUIRE(NUMBER(2) <= 1 << 16 && LENGTH('s') <= UINT32_MAX / most(LENGTH('h'), 1), "there must be fewer symbols");
    if (!symbols_below(&call, NUMBER(2)))
        return NULL;
    RETURN_OUTCOME(now->overlaps(OF_TABLE, ARRAY(1), NUMBER(2), NUMBER(3), ARRAY(4), LENGTH('n')));
}

ENTRY(quadratic_forms) {
    TAKE(TABLE, {"directions", "d", "sk"}, {"beta", "d"}, {"sizes", "d", "c"}, {"squares", "d", "cr"},
         {"line", "d", "cr"}, {"out", "d", "fk", true});
    REQUIRE(LENGTH('f') == 3, "out must have three rows");
    if (!symbols_below(&call, LENGTH('r')))
        return NULL;
    RETURN_OUTCOME(now->quadratic_forms(OF_TABLE, ARRAY(1), LENGTH('k'), REAL(2), ARRAY(3), ARRAY(4), ARRAY(5),
                                        LENGTH('r'), ARRAY(6)));
}

ENTRY(cumulants) {
    TAKE({"field", "d", "cr"}, {"t", "d"}, {"occupied", "d", "m"});
    REQUIRE(LENGTH('r') >= 1 && LENGTH('m') >= 1, "there must be cells and numbers of symbols");
    struct cumulants found;
    i64 failed;
    UNLOCKED(failed = now->cumulants(ARRAY(0), LENGTH('c'), LENGTH('r'), REAL(1), ARRAY(2), LENGTH('m') - 1, &found))
    release(&call);
    return failed ? PyErr_NoMemory() : Py_BuildValue("dddd", found.k0, found.k1, found.k2, found.third);
}

#define MOST_PEOPLE ((i64)1 << 53)
static const char CHANCES[] = "chances must be between 0 and 1";

static bool is_chance(double chance) { return chance >= 0 && chance <= 1; }

ENTRY(least_holders) {
    TAKE({"counts", "q", "n"}, {"people", "q", "n"}, {"guesses", "q", "n"}, {"g", "d"}, {"not_g", "d"}, {"h", "d"},
         {"not_h", "d"}, {"error", "d"}, {"found", "q", "n", true});
    REQUIRE(is_chance(REAL(3)) && is_chance(REAL(4)) && is_chance(REAL(5)) && is_chance(REAL(6)),
            CHANCES);
    REQUIRE_BELOW(1, LENGTH('n'), MOST_PEOPLE);
    RETURN_OUTCOME(now->least_holders(ARRAY(0), ARRAY(1), ARRAY(2), LENGTH('n'), REAL(3), REAL(4), REAL(5), REAL(6),
                                      REAL(7), ARRAY(8)));
}

ENTRY(upper_tail) {
    TAKE({"least", "q", .least = INT64_MIN}, {"x", "q"}, {"g", "d"}, {"not_g", "d"}, {"others", "q"}, {"h", "d"},
         {"not_h", "d"});
    REQUIRE(is_chance(REAL(2)) && is_chance(REAL(3)) && is_chance(REAL(5)) && is_chance(REAL(6)), CHANCES);
    REQUIRE(NUMBER(1) < MOST_PEOPLE && NUMBER(4) < MOST_PEOPLE, "there must be fewer than 2^53 people");
    double tail;
    UNLOCKED(tail = now->upper_tail(NUMBER(0), NUMBER(1), REAL(2), REAL(3), NUMBER(4), REAL(5), REAL(6)))
    release(&call);
    return tail < 0 ? PyErr_NoMemory() : PyFloat_FromDouble(tail);
}

ENTRY(decayed) {
    TAKE({"values", "d", "n"}, {"ratio", "d"}, {"out", "d", "n", true});
    RETURN_NONE(now->decayed(ARRAY(0), LENGTH('n'), REAL(1), ARRAY(2)));
}

ENTRY(inverse_diagonal) {
    TAKE({"starts", "q", "p"}, {"rows", "q", "e"}, {"lower", "d", "e"}, {"pivots", "d", "n"}, {"found", "d", "n", true});
    i64 size = LENGTH('n');
    REQUIRE(LENGTH('p') == size + 1 && ascend(ARRAY(0), size + 1, LENGTH('e'), 1, size),
            "every column must have its diagonal and no more entries than rows");
    REQUIRE_BELOW(1, LENGTH('e'), size);
    RETURN_OUTCOME(now->inverse_diagonal(ARRAY(0), ARRAY(1), ARRAY(2), ARRAY(3), size, ARRAY(4)));
}

ENTRY(recurrence_zeros) {
    TAKE({"prime", "Q", .least = 1}, {"taps", "I", "t"}, {"lags", "I", "t"}, {"rows", "q"}, {"alive", "B", "n", true});
    REQUIRE(WORD(0) < (u64)1 << 32, "the prime must be below 2^32");
    REQUIRE(NUMBER(3) < 64, "rows must be below 64, as degrees are");
    RETURN_NONE(now->recurrence_zeros((u32)WORD(0), ARRAY(1), ARRAY(2), LENGTH('t'), NUMBER(3), ARRAY(4), LENGTH('n')));
}

/* The names of the targets that this processor runs, from the least to the best. */
static PyObject *targets(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing)) {
    PyObject *names = PyList_New(0);
    for (int k = 0; names && target_name(k); k++) {
        PyObject *name = PyUnicode_FromString(target_name(k));
        if (!name || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

/* Let all threads use the kernels of that target from now on: for tests and measurements. */
static PyObject *use_target(PyObject *Py_UNUSED(module), PyObject *name) {
    for (int k = 0; target_name(k); k++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, target_name(k)) == 0) {
            now = target_kernels(k);
            Py_IncRef(Py_None);
            return Py_None;
        }
    PyErr_SetString(PyExc_ValueError, "the target must be one of targets()");
    return NULL;
}

#define METHOD(NAME) {#NAME, (PyCFunction)(void (*)(void))enter_##NAME, METH_FASTCALL, NULL}

static PyMethodDef METHODS[] = {
    METHOD(philox),          METHOD(draw_bernoulli), METHOD(draw_coins),       METHOD(draw_below),
    METHOD(draw_response),   METHOD(draw_hadamard),  METHOD(draw_rows),        METHOD(draw_cyclic),
    METHOD(draw_table),      METHOD(draw_geometric), METHOD(flip_own),         METHOD(toss_own),
    METHOD(settle_subsets),  METHOD(cut_lists),      METHOD(split_words),      METHOD(hash_table),
    METHOD(hash_own),        METHOD(flip_filters),   METHOD(count_runs),       METHOD(out_of_weight),
    METHOD(beyond_single),   METHOD(count_cohorts),  METHOD(count_blocks),     METHOD(count_values),
    METHOD(mass_packed),     METHOD(collect_packed), METHOD(affine),           METHOD(walsh_hadamard),
    METHOD(project_simplex), METHOD(mass),           METHOD(collect),          METHOD(pairs_held),
    METHOD(overlaps),        METHOD(cumulants),      METHOD(quadratic_forms),  METHOD(least_holders),
    METHOD(decayed),         METHOD(upper_tail),     METHOD(inverse_diagonal), METHOD(recurrence_zeros),
    {"targets", targets, METH_NOARGS, NULL},
    {"use_target", use_target, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* Choose the kernels. */
static int prepare(PyObject *module) {
    now = best_kernels();
    if (PyModule_AddIntConstant(module, "GROUP", GROUP) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "SOURCES", SOURCES);
}

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, prepare}, {0, NULL}};
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_kernels", NULL, 0, METHODS, SLOTS, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernels(void) { return PyModuleDef_Init(&MODULE); }
