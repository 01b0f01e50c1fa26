/* The passes of transforms.h for one type of numbers: included once for each. */

/* One butterfly pass: sums and differences of numbers `stride` apart, in place. */
static inline void OF_NUMBERS(pairs)(NUMBER *values, i64 size, i64 stride) {
    for (i64 first = 0; first < size; first += 2 * stride) {
        NUMBER *restrict a = values + first, *restrict b = a + stride;
        for (i64 i = 0; i < stride; i++) {
            NUMBER p = a[i], q = b[i];
            a[i] = p + q, b[i] = p - q;
        }
    }
}

/* Two butterfly passes in one, of `stride` and its double, in place. */
static inline __attribute__((always_inline)) void OF_NUMBERS(quads)(NUMBER *values, i64 size, i64 stride) {
    for (i64 first = 0; first < size; first += 4 * stride) {
        NUMBER *restrict a = values + first, *restrict b = a + stride;
        NUMBER *restrict c = b + stride, *restrict d = c + stride;
        for (i64 i = 0; i < stride; i++) {
            NUMBER p = a[i] + b[i], q = a[i] - b[i], r = c[i] + d[i], s = c[i] - d[i];
            a[i] = p + r, b[i] = q + s, c[i] = p - r, d[i] = q - s;
        }
    }
}

/* All butterfly passes with strides from `stride` to below `stop`, in place. The first one's stride is often 1, which
 * the compiler unrolls by itself. */
static inline void OF_NUMBERS(passes)(NUMBER *values, i64 size, i64 stride, i64 stop) {
    if (stride == 1 && stop > 2) {
        OF_NUMBERS(quads)(values, size, 1);
        stride = 4;
    }
    for (; 2 * stride < stop; stride *= 4)
        OF_NUMBERS(quads)(values, size, stride);
    if (stride < stop)
        OF_NUMBERS(pairs)(values, size, stride);
}

static void OF_NUMBERS(walsh_hadamard)(NUMBER *values, i64 size) {
    i64 block = least(size, BLOCK);
    for (i64 first = 0; first < size; first += block)
        OF_NUMBERS(passes)(values + first, block, 1, block);
    OF_NUMBERS(passes)(values, size, block, size);
}
