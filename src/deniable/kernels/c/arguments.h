/* Arguments of a kernel, checked: no pointer is taken before kind, dimensions, contiguity and lengths are right. */
#pragma once
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include "numbers.h"

enum { MOST_ARGUMENTS = 12, MOST_AXES = 3, LETTERS = 26 };

/* One argument: its name, the kinds that it may have, and its axes.
 *
 * Kinds are buffer formats with the sizes that NumPy gives them: B H I Q unsigned of 1, 2, 4 and 8 bytes, b h i q signed,
 * d double; of a number Q, q or d. `axes` has a letter for each dimension, and equal letters mean equal lengths; NULL
 * makes it a number. An array that is written must be writable. A number may have bounds: at least `least`, and at
 * most the length of the axis `most`. */
struct wanted {
    const char *name, *kinds, *axes;
    bool written;
    i64 least;
    char most;
};

/* An argument that was taken. */
union given {
    u64 word;
    i64 integer;
    double real;
    void *array;
};

struct call {
    const char *name;
    const struct wanted *wanted;
    Py_ssize_t count;
    union given given[MOST_ARGUMENTS];
    Py_buffer views[MOST_ARGUMENTS]; /* of arrays; views[k].obj is NULL where there is none */
    char kinds[MOST_ARGUMENTS];      /* of arrays */
    i64 lengths[LETTERS];            /* of each letter; -1 where it was not met */
};

/* Take all arguments, or raise TypeError or ValueError and take none. */
bool take_arguments(struct call *call, const char *name, const struct wanted *wanted, Py_ssize_t count,
                    PyObject *const *arguments, Py_ssize_t given);

/* Give the arrays back. */
void release(struct call *call);

/* Raise ValueError and give the arrays back, if a condition does not hold that concerns several arguments. */
bool require(struct call *call, bool holds, const char *condition);

static inline i64 length_of(const struct call *call, char axis) { return call->lengths[axis - 'a']; }
