/* All kernels for one target: base.h, avx2.c and avx512.c set the instructions and WIDTH, then include this. */
#include <math.h>
#include "choose.h"
#include "numbers.h"
#include "simd.h"
#include "words.h"
#include "bits.h"
#include "draws.h"
#include "subsets.h"
#include "lists.h"
#include "hashing.h"
#include "counts.h"
#include "adders.h"
#include "popcounts.h"
#include "cohort_counts.h"
#include "packed.h"
#include "transforms.h"
#include "inversion.h"
#include "tables.h"
#include "tails.h"
#include "recursions.h"
#include "kernels.h"

const struct kernels KERNELS = {
#define FIELD(NAME) .NAME = NAME,
    EACH_KERNEL(FIELD)
#undef FIELD
};
