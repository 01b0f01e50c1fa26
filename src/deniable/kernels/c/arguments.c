/* Checks of arguments; see arguments.h. */
#include "arguments.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE "@=<"
#else
#define NATIVE "@=>!"
#endif

/* The kind of a buffer's items by B H I Q, b h i q or d; 0 for any other, and for bytes in foreign order. */
static char kind_in(const Py_buffer *view) {
    const char *format = view->format ? view->format : "B";
    static const char UNSIGNED[] = "BHILQN", SIGNED[] = "bhilqn", BY_SIZE[2][9] = {"\0BH\0I\0\0\0Q", "\0bh\0i\0\0\0q"};
    format += *format && strchr(NATIVE, *format);
    if (!*format || format[1] || view->itemsize < 1 || view->itemsize > 8)
        return 0;
    if (*format == 'd')
        return view->itemsize == 8 ? 'd' : 0;
    if (strchr(UNSIGNED, *format))
        return BY_SIZE[0][view->itemsize];
    return strchr(SIGNED, *format) ? BY_SIZE[1][view->itemsize] : 0;
}

/* What an argument must be, in words. */
static void refuse(const struct call *call, const struct wanted *wanted, const char *fault) {
    static const char NAMES[][8] = {"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float64"};
    static const char KINDS[] = "BHIQbhiqd";
    char kinds[64] = "";
    for (const char *kind = wanted->kinds; *kind; kind++) {
        strcat(kinds, *kinds ? " or " : "");
        strcat(kinds, NAMES[strchr(KINDS, *kind) - KINDS]);
    }
    PyErr_Format(PyExc_TypeError, "%s must be %s%s of %s with %d dimensions for %s, got %s", wanted->name,
                 wanted->written ? "a writable " : "a ", "contiguous array", kinds, (int)strlen(wanted->axes), call->name,
                 fault);
}

/* Note a length, or raise ValueError if the same axis has another elsewhere. */
static bool same_length(struct call *call, const struct wanted *wanted, char axis, i64 length) {
    i64 *known = &call->lengths[axis - 'a'];
    if (*known < 0)
        *known = length;
    if (*known != length)
        PyErr_Format(PyExc_ValueError, "%s must have the length %lld on one axis to fit the other arrays of %s, got %lld",
                     wanted->name, (long long)*known, call->name, (long long)length);
    return *known == length;
}

static bool take_array(struct call *call, int k, PyObject *object) {
    const struct wanted *wanted = &call->wanted[k];
    Py_buffer *view = &call->views[k];
    if (!PyObject_CheckBuffer(object)) {
        refuse(call, wanted, "no array");
        return false;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) < 0)
        return false;
    char kind = call->kinds[k] = kind_in(view);
    const char *fault = !kind || !strchr(wanted->kinds, kind)             ? "another kind"
                        : view->ndim != (int)strlen(wanted->axes)         ? "another number of dimensions"
                        : !PyBuffer_IsContiguous(view, 'C')               ? "one that is not contiguous"
                        : (uintptr_t)view->buf % (uintptr_t)view->itemsize ? "one that is not aligned"
                        : wanted->written && view->readonly               ? "one that cannot be written"
                                                                          : NULL;
    if (fault) {
        refuse(call, wanted, fault);
        return false;
    }
    call->given[k].array = view->buf;
    for (int axis = 0; axis < view->ndim; axis++)
        if (!same_length(call, wanted, wanted->axes[axis], view->shape[axis]))
            return false;
    return true;
}

static bool take_number(struct call *call, int k, PyObject *object) {
    union given *given = &call->given[k];
    if (*call->wanted[k].kinds == 'd') {
        given->real = PyFloat_AsDouble(object);
        return !PyErr_Occurred();
    }
    PyObject *number = PyNumber_Index(object);
    if (!number)
        return false;
    if (*call->wanted[k].kinds == 'Q')
        given->word = PyLong_AsUnsignedLongLong(number);
    else
        given->integer = PyLong_AsLongLong(number);
    Py_DecRef(number);
    return !PyErr_Occurred();
}

/* Bounds of numbers, once all lengths are known. */
static bool within_bounds(const struct call *call, int k) {
    const struct wanted *wanted = &call->wanted[k];
    bool wide = *wanted->kinds == 'Q';
    if (wanted->axes || *wanted->kinds == 'd')
        return true;
    u64 number = call->given[k].word;
    i64 top = wanted->most ? length_of(call, wanted->most) : INT64_MAX;
    bool holds = wide ? number >= (u64)wanted->least && (!wanted->most || number <= (u64)top)
                      : (i64)number >= wanted->least && (i64)number <= top;
    if (!holds)
        PyErr_Format(PyExc_ValueError, "%s must be between %lld and %lld for %s", wanted->name, (long long)wanted->least,
                     (long long)top, call->name);
    return holds;
}

bool take_arguments(struct call *call, const char *name, const struct wanted *wanted, Py_ssize_t count,
                    PyObject *const *arguments, Py_ssize_t given) {
    call->name = name, call->wanted = wanted, call->count = count;
    memset(call->lengths, 0xFF, sizeof call->lengths);
    for (Py_ssize_t k = 0; k < count; k++)
        call->views[k].obj = NULL;
    if (given != count) {
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, got %zd", name, count, given);
        return false;
    }
    bool taken = true;
    for (int k = 0; k < count && taken; k++)
        taken = wanted[k].axes ? take_array(call, k, arguments[k]) : take_number(call, k, arguments[k]);
    for (int k = 0; k < count && taken; k++)
        taken = within_bounds(call, k);
    if (!taken)
        release(call);
    return taken;
}

void release(struct call *call) {
    for (Py_ssize_t k = 0; k < call->count; k++)
        if (call->views[k].obj)
            PyBuffer_Release(&call->views[k]);
}

bool require(struct call *call, bool holds, const char *condition) {
    if (!holds) {
        PyErr_Format(PyExc_ValueError, "%s: %s", call->name, condition);
        release(call);
    }
    return holds;
}
