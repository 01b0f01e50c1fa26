/* Lists cut to a length: of longer ones a uniform choice of their labels, shorter ones filled up.
 *
 * The same words are read, in the same steps, whatever a list holds: all labels are shuffled, and the first ones that
 * are in the list stay. The tape convention is that of draws.h.
 *
 * Limit: random words, one for each label of the domain.
 */

/* All labels in a uniform order; the number of words used so far, -1 if the tape ran out. */
static inline i64 shuffled(const u64 *tape, i64 end, i64 used, u64 *order, i64 labels) {
    for (i64 place = 0; place < labels; place++)
        order[place] = (u64)place;
    for (i64 place = 0; place < labels - 1 && used >= 0; place++) {
        u64 bound = (u64)(labels - place);
        i64 other = place + (i64)uniform(tape, end, &used, bound, rejected_below(bound));
        u64 label = order[place];
        order[place] = order[other], order[other] = label;
    }
    return used;
}

/* Write `kept` places of each list into `out`: labels of the list, then as many of those after all labels.
 *
 * Rows of `lists` and `out` hold one bit per place; `out` must be clear. */
static struct progress cut_lists(const u64 *tape, i64 end, i64 done, const u64 *lists, i64 people, i64 words,
                                 i64 labels, i64 kept, u64 *out, i64 room) {
    u64 *order = malloc((size_t)labels * sizeof *order);
    i64 used = order ? 0 : FAILED, i = done;
    for (; order && i < people; i++) {
        i64 after = shuffled(tape, end, used, order, labels), left = kept;
        if (after < 0)
            break;
        used = after;
        const u64 *list = lists + i * words;
        u64 *cut = out + i * room;
        for (i64 k = 0; k < labels; k++) {
            u64 label = order[k], held = (list[label >> 6] >> (label & 63)) & opaque(left > 0);
            cut[label >> 6] |= (held & 1) << (label & 63);
            left -= (i64)(held & 1);
        }
        for (i64 filled = 0; filled < kept; filled++) {
            u64 dummy = (u64)(labels + filled);
            cut[dummy >> 6] |= opaque(filled < left) << (dummy & 63);
        }
    }
    free(order);
    return (struct progress){i, used};
}
