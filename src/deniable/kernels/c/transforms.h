/* The Walsh-Hadamard transform, of integers and of real numbers: out[i] = sum_y (-1)^popcount(i & y) values[y].
 *
 * Limit: log2(K) additions for each of K numbers. Two strides share a pass, so memory is read half as often; the small
 * strides are done block by block, in the L1 cache.
 */
enum { BLOCK = 1 << 12 };

#define NUMBER i64
#define OF_NUMBERS(NAME) NAME##_integers
#include "butterflies.h"
#undef NUMBER
#undef OF_NUMBERS
#define NUMBER double
#define OF_NUMBERS(NAME) NAME##_reals
#include "butterflies.h"
#undef NUMBER
#undef OF_NUMBERS
