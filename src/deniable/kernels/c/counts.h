/* Histograms of integer reports, checked on the way, and counts of reports of blocks.
 *
 * Limit: one load, one addition and one store per report, which a processor with store forwarding does in a cycle.
 * Equal neighbours would each wait for the previous store, so neighbours go to different tables: four if these fit in
 * the L1 cache, two if they fit in L2. Larger ones go to the counts themselves: a second table would only cause more
 * cache misses. A block is checked first and is then in the cache when it is counted.
 */
enum { COUNTED = 1 << 12, FOUR_TABLES = 1 << 12, TWO_TABLES = 1 << 16, TABLES = 4, HEAD = 2 };
#define PASS ((i64)1 << 31) /* reports per pass, so that no 32-bit count overflows */

/* The 32-bit numbers from a table to the next: no two at the same offset in a page, where a store would seem to alias
 * the other table's load. */
static inline i64 table_stride(i64 size) { return quotient_up(size, 1024) * 1024 + 272; }

#define REPORTS "integer_counts.h"
#include "each_report.h"

/* Add to `counts` how many reports hold each label, the blocks' labels one block after another, which begin at `starts`.
 *
 * A report is its block in two bytes, the lower one first, then one bit per label of the largest block. Malformed
 * reports may be counted in part. Limit: an addition for every bit that is set; a report holds few. */
static struct faults count_blocks(const u8 *reports, i64 n, i64 width, const i64 *starts, const i64 *weights,
                                  i64 blocks, i64 *counts) {
    struct faults faults = {0, 0, 0};
    for (i64 i = 0; i < n; i++, reports += width) {
        i64 block = reports[0] | reports[1] << 8, held = 0, outside = 0;
        if (block >= blocks) {
            faults.strange++;
            continue;
        }
        i64 start = starts[block], end = starts[block + 1];
        for (i64 at = HEAD; at < width; at++)
            for (u32 bits = reports[at]; bits; bits &= bits - 1, held++) {
                i64 label = start + 8 * (at - HEAD) + __builtin_ctz(bits);
                if (label < end)
                    counts[label]++;
                else
                    outside++;
            }
        faults.beyond += outside > 0;
        faults.misweighed += held != weights[block];
    }
    return faults;
}
