/* Counting bits in many rows at once, without turning them into numbers first.
 *
 * Eight rows of 512 bytes at a time go through carry-save adders (Harley and Seal; Mula, Kurz and Lemire 2018 for the
 * positional form): seven full adders leave the rows' running count modulo 8 in three digits per bit and one row of
 * carries, each worth eight. Eight rows of carries are counted in the same way one level up, and so on: a level costs an
 * eighth of the one below. Bits are turned into numbers once, at the end. Eight, because a processor reads ahead in no
 * more rows than about that many: with sixteen, long rows took half as long again to read.
 */
enum {
    ROWS = 8,
    WIDE = 64,       /* words of a tile */
    TILE = 8 * WIDE, /* bytes of a row that go through the adders together */
    DIGITS = 3,
    PLANES = 8, /* digits that become numbers together: those of a byte */
    LEVELS = 22 /* more than 8^21 rows do not exist */
};

/* What was counted so far, by level and tile. */
struct running {
    u64 *digits;       /* three rows a tile: the digits of every bit's count */
    u64 *carries;      /* up to eight rows a tile, which are not yet added up on the level above */
    i64 levels, tiles; /* enough levels that there is no carry out of the last */
    i64 filled[LEVELS]; /* how many rows of carries there are, for each level */
};

static inline bool room_to_count(struct running *running, i64 rows, i64 tiles) {
    running->levels = 1, running->tiles = tiles;
    for (i64 held = ROWS; held <= rows; held *= ROWS)
        running->levels++;
    size_t size = (size_t)(running->levels * tiles) * TILE;
    running->digits = malloc(DIGITS * size);
    running->carries = malloc(ROWS * size);
    return running->digits && running->carries;
}

static inline void free_running(struct running *running) {
    free(running->digits);
    free(running->carries);
}

static inline void begin_count(struct running *running) {
    memset(running->digits, 0, (size_t)(running->levels * running->tiles) * DIGITS * TILE);
    memset(running->filled, 0, sizeof running->filled);
}

static inline u64 *digits_of(const struct running *running, i64 level, i64 tile) {
    return running->digits + (level * running->tiles + tile) * DIGITS * WIDE;
}

static inline u64 *carries_of(const struct running *running, i64 level, i64 tile) {
    return running->carries + (level * running->tiles + tile) * ROWS * WIDE;
}

/* Where a tile's next row of carries goes. */
static inline u64 *next_carries(const struct running *running, i64 level, i64 tile) {
    return carries_of(running, level, tile) + running->filled[level] * WIDE;
}

/* Add eight rows of 64 words, `apart` bytes from each other, to a tile's digits; what they carry out goes to `out`. */
static inline void absorb(const u8 *rows, i64 apart, u64 *digits, u64 *out) {
    for (i64 j = 0; j < WIDE; j += WORDS) {
        const u8 *at = rows + 8 * j;
        words a, b, c, d, one = load(digits + j), two = load(digits + WIDE + j), four = load(digits + 2 * WIDE + j);
        one = add_bits(one, load(at), load(at + apart), &a);
        one = add_bits(one, load(at + 2 * apart), load(at + 3 * apart), &b);
        two = add_bits(two, a, b, &c);
        one = add_bits(one, load(at + 4 * apart), load(at + 5 * apart), &a);
        one = add_bits(one, load(at + 6 * apart), load(at + 7 * apart), &b);
        two = add_bits(two, a, b, &d);
        four = add_bits(four, c, d, &a);
        store(digits + j, one), store(digits + WIDE + j, two), store(digits + 2 * WIDE + j, four);
        store(out + j, a);
    }
}

/* Add up a level's carries into the digits above and one row of carries there. */
static inline void rise(struct running *running, i64 level) {
    for (i64 tile = 0; tile < running->tiles; tile++)
        absorb((const u8 *)carries_of(running, level, tile), TILE, digits_of(running, level + 1, tile),
               next_carries(running, level + 1, tile));
    running->filled[level] = 0;
    running->filled[level + 1]++;
}

/* Note one more row of carries; whenever a level has eight, add them up into one row on the level above. */
static inline void carry(struct running *running) {
    running->filled[0]++;
    for (i64 level = 0; running->filled[level] == ROWS; level++)
        rise(running, level);
}

/* Exchange each row's bits that lie `shift` above the mask with those under the mask `apart` rows below it. */
static inline void exchange_bits(u64 *planes, int apart, int shift, u64 mask) {
    for (int k = 0; k < PLANES; k++) {
        u64 *upper = planes + k * WIDE, *lower = upper + apart * WIDE;
        for (int j = 0; j < WIDE && (k & apart) == 0; j += WORDS) {
            words high = load(upper + j), low = load(lower + j), moved = (high >> shift ^ low) & mask;
            store(lower + j, low ^ moved);
            store(upper + j, high ^ moved << shift);
        }
    }
}

/* Add to the counts 2^shift times the number that each bit's eight digits write, one digit a row.
 *
 * First bits change places within the eight bytes above each other, so that each byte is a number; then bytes do within
 * eight words, so that the numbers stand in the order of their bits (Warren 2012, Hacker's Delight, 7-3). */
static inline void add_numbers(u64 *planes, i64 shift, i64 *counts) {
    exchange_bits(planes, 4, 4, 0x0F0F0F0F0F0F0F0F);
    exchange_bits(planes, 2, 2, 0x3333333333333333);
    exchange_bits(planes, 1, 1, 0x5555555555555555);
    exchange_bits(planes, 4, 32, 0x00000000FFFFFFFF);
    exchange_bits(planes, 2, 16, 0x0000FFFF0000FFFF);
    exchange_bits(planes, 1, 8, 0x00FF00FF00FF00FF);
    for (int j = 0; j < WIDE; j++)
        for (int k = 0; k < PLANES; k++) {
            const u8 *found = (const u8 *)(planes + k * WIDE + j);
            for (int bit = 0; bit < 8; bit++)
                counts[64 * j + 8 * k + bit] += (i64)found[bit] << shift;
        }
}

/* Add all that was counted to the counts, of 4096 bits per tile: the carries rise, then digits become numbers. */
static inline void add_up(struct running *running, i64 tiles, i64 *counts) {
    u64 planes[PLANES * WIDE];
    i64 digits = running->levels * DIGITS;
    for (i64 level = 0; level < running->levels - 1; level++)
        if (running->filled[level]) {
            for (i64 tile = 0; tile < running->tiles; tile++)
                memset(next_carries(running, level, tile), 0, (size_t)(ROWS - running->filled[level]) * TILE);
            rise(running, level);
        }
    for (i64 tile = 0; tile < tiles; tile++)
        for (i64 first = 0; first < digits; first += PLANES) {
            memset(planes, 0, sizeof planes);
            for (i64 k = 0; k < least(PLANES, digits - first); k++)
                memcpy(planes + k * WIDE,
                       digits_of(running, (first + k) / DIGITS, tile) + (first + k) % DIGITS * WIDE, TILE);
            add_numbers(planes, first, counts + 64 * WIDE * tile);
        }
}
