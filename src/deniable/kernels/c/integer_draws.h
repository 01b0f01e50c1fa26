/* The draws of draws.h for one type of reports: included once for each. */

/* k-RR: below `bonus` = A - B the truth, else a uniform label, `total` = bonus + d B, B = 2^shift.
 *
 * Eight reports are drawn at once unless one of their words is rejected, which is rare; then the next is drawn alone. */
static struct progress OF_REPORTS(draw_response)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                                 u64 bonus, u64 total, u64 shift, REPORT *out) {
    u64 floor = rejected_below(total);
    i64 used = 0, i = done;
    while (i < people) {
        prefetch(values + i, AHEAD * sizeof *values);
        if (i + EIGHT <= people && used + EIGHT <= end) {
            u64 told[EIGHT];
            if (eight_responses(tape + used, values + i, bonus, total, shift, floor, told)) {
                for (int k = 0; k < EIGHT; k++)
                    out[i + k] = (REPORT)told[k];
                i += EIGHT, used += EIGHT;
                continue;
            }
        }
        i64 at = used;
        u64 coin = next_integer(tape, end, &at, total, floor);
        if (at >= end)
            break;
        out[i] = (REPORT)choose(coin < bonus, (u64)values[i], (coin - bonus) >> shift);
        i++, used = at + 1;
    }
    return (struct progress){i, used};
}

/* Below `bonus` a uniform output of the value's half part, else of all `parts * part` outputs.
 *
 * Value x has row x % (part - 1) + 1 of part x / (part - 1); its half is where the row's sign is +. Division is by the
 * product of x + 1 and the inverse rounded down: exact below 2^64 / part, and never slower. */
static struct progress OF_REPORTS(draw_hadamard)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                                 u64 bonus, u64 total, u64 part, u64 parts, REPORT *out) {
    u64 floor = rejected_below(total), rows = part - 1, outputs = part * parts - 1, inverse = ~(u64)0 / rows;
    i64 used = 0;
    for (i64 i = done; i < people; i++) {
        prefetch(values + i, AHEAD * sizeof *values);
        i64 at = used;
        u64 coin = next_integer(tape, end, &at, total, floor);
        if (at + 1 >= end)
            return (struct progress){i, used};
        u64 word = tape[at + 1], value = (u64)values[i], home = high_product(value + 1, inverse);
        u64 own = on_plus_half(word & rows, value - home * rows + 1) + home * part;
        out[i] = (REPORT)choose(coin < bonus, own, word & outputs);
        used = at + 2;
    }
    return (struct progress){most(done, people), used};
}

/* With probability `bonus` / `total` one of the value's own outputs, else one of its noise; from the same word.
 *
 * Row x of `rows` holds where x's noise starts and its mask, where its own outputs start and their mask, and the
 * Hadamard row whose + half they are; row 0 is + everywhere. */
static struct progress OF_REPORTS(draw_rows)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                             u64 bonus, u64 total, const u64 *rows, REPORT *out) {
    u64 floor = rejected_below(total);
    i64 used = 0;
    for (i64 i = done; i < people; i++) {
        prefetch(values + i, AHEAD * sizeof *values);
        i64 at = used;
        u64 coin = next_integer(tape, end, &at, total, floor);
        if (at + 1 >= end)
            return (struct progress){i, used};
        const u64 *row = rows + 5 * values[i];
        u64 word = tape[at + 1], own = row[2] + on_plus_half(word & row[3], row[4]);
        out[i] = (REPORT)choose(coin < bonus, own, row[0] + (word & row[1]));
        used = at + 2;
    }
    return (struct progress){most(done, people), used};
}

/* Below `bonus` = |D| (A - B) a uniform shift of D, else of all `length` residues; report value + shift.
 *
 * Both shifts come from the halves of one word, which is rejected if either half would be biased. */
static struct progress OF_REPORTS(draw_cyclic)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                               u64 bonus, u64 total, const int32_t *block, u64 size, u64 length,
                                               REPORT *out) {
    u64 floor = rejected_below(total), block_floor = ((u64)1 << 32) % size, length_floor = ((u64)1 << 32) % length;
    i64 used = 0;
    for (i64 i = done; i < people; i++) {
        prefetch(values + i, AHEAD * sizeof *values);
        i64 after = used;
        u64 coin = next_integer(tape, end, &after, total, floor), inside, outside;
        do {
            if (++after >= end)
                return (struct progress){i, used};
            inside = (u32)tape[after] * size, outside = (tape[after] >> 32) * length;
        } while ((u32)inside < block_floor || (u32)outside < length_floor);
        u64 own = (u64)block[inside >> 32], noise = outside >> 32;
        u64 shifted = (u64)values[i] + choose(coin < bonus, own, noise);
        u64 turned = shifted - length; /* what is below the length wraps to far above it */
        out[i] = (REPORT)(shifted < turned ? shifted : turned);
        used = after + 1;
    }
    return (struct progress){most(done, people), used};
}

/* Reports by cells that say all, EIGHT at once until a word may be rejected or the tape or the people end: how many. */
static __attribute__((noinline)) i64 OF_REPORTS(read_cells)(const u64 *tape, i64 most, const i64 *values,
                                                            const u64 *cells, u64 width, u64 shift, u64 total,
                                                            u64 floor, REPORT *out) {
    i64 i = 0;
    words coins[EIGHT / WORDS];
    for (; i + EIGHT <= most && eight_integers(tape + i, total, floor, coins); i += EIGHT)
        for (i64 k = 0; k < EIGHT; k++) {
            u64 coin = coins[k / WORDS][k % WORDS], cell = cells[(u64)values[i + k] * width + (coin >> shift)];
            out[i + k] = (REPORT)place_of(coin, cell, shift);
        }
    return i;
}

/* Reports of any channel of integer weights: a row of `ends` holds the running sums of its value, up to its total.
 *
 * cells[x, b] is of the words from b << `shift` on. Its upper bits say how many sums are at most its first word, its
 * `shift` lower ones after how many more words the next sum comes, less one, or are all set if none does. What else may
 * come is found in `steps` halvings, as many whichever it is, and none of them a branch. All rows have one total, which
 * stands again behind each, 2^steps times. */
static struct progress OF_REPORTS(draw_table)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                              const u64 *cells, u64 width, u64 shift, const u64 *ends, u64 length,
                                              u64 steps, REPORT *out) {
    u64 total = ends[length - 1], floor = rejected_below(total), last = length - ((u64)1 << steps);
    i64 used = 0, i = done;
    while (i < people) {
        if (steps == 0) {
            i64 drawn = OF_REPORTS(read_cells)(tape + used, least(end - used, people - i), values + i, cells, width,
                                               shift, total, floor, out + i);
            i += drawn, used += drawn;
        }
        i64 at = used;
        u64 coin = next_integer(tape, end, &at, total, floor);
        if (i == people || at >= end)
            break;
        u64 value = (u64)values[i], cell = cells[value * width + (coin >> shift)];
        out[i] = (REPORT)place_in(coin, cell, shift, ends + value * length, steps, last);
        i++, used = at + 1;
    }
    return (struct progress){i, used};
}

/* Two-sided geometric noise that is clamped at both ends: up in A of A + B cases, else one down; then as many steps more
 * the same way as coins go on, but never beyond an end.
 *
 * Every report takes as many coins as there are steps from one end to the other, all of them whatever they show: the
 * report tells how many were needed, so that a draw that stopped there would tell the value to a clock. A word that is
 * rejected says nothing of the coin that follows. */
static struct progress OF_REPORTS(draw_geometric)(const u64 *tape, i64 end, i64 done, const i64 *values, i64 people,
                                                  u64 above, u64 below, i64 labels, REPORT *out) {
    u64 both = above + below, floor = rejected_below(both);
    i64 used = 0;
    for (i64 i = done; i < people; i++) {
        if (end - used < labels)
            return (struct progress){i, used};
        i64 after = used;
        u64 coin = uniform(tape, end, &after, both, floor), steps = 0;
        if (after >= 0)
            steps = steps_taken(tape, end, &after, labels - 1, above, below);
        if (after < 0)
            return (struct progress){i, used};
        used = after;
        u64 value = (u64)values[i], room = (u64)(labels - 1) - value;
        u64 up = value + choose(steps < room, steps, room);
        u64 down = value - choose(steps + 1 < value, steps + 1, value);
        out[i] = (REPORT)choose(coin < above, up, down);
    }
    return (struct progress){most(done, people), used};
}
