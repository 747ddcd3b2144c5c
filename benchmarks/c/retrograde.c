/* Retrograde analysis of Geister with open colours by dense bit matrices, counts by depth alone:
   the algorithm that gamecore/geister/bitmatrix.py describes, on its rows and columns, in plain
   passes over all of them. A matrix is [block of 512 columns][row][8 words]. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8
#define BLOCK 512
#define ROWS (BLOCK / 2)
#define EVEN 0x5555555555555555
typedef uint64_t Row[WORDS];

typedef struct {
    int64_t placements, blocks, pieces; /* placements that have a row */
    const int64_t *starts;
    const int32_t *neighbours;
    const bool *escapes;
    const int16_t *cell;
    const int32_t *without;
    const int64_t *stands;
    const Row *on, *each; /* [cell][block], [block] */
    const int16_t *last_blue, *last_red;
} Sides;

static inline uint64_t mirrored(uint64_t word) { return (word & EVEN) << 1 | (word >> 1 & EVEN); }

static void transpose32(uint64_t *tile) { /* pairs of bits */
    uint64_t mask = 0xFFFFFFFF;
    for (int half = 16; half; half >>= 1, mask ^= mask << 2 * half)
        for (int start = 0; start < 32; start += 2 * half)
            for (int i = start; i < start + half; i++) {
                uint64_t swap = (tile[i] >> 2 * half ^ tile[i + half]) & mask;
                tile[i] ^= swap << 2 * half;
                tile[i + half] ^= swap;
            }
}

static void transpose(int64_t block, int64_t rows, const Row *found, const bool *some, Row *target,
                      bool add) {
    for (int64_t base = 0; base < rows; base += 32) {
        bool empty = !memchr(some + base, true, 32);
        if (empty && add) continue;
        for (int word = 0; word < WORDS; word++) {
            uint64_t tile[32] = {0};
            Row *to = target + base / ROWS * rows + block * ROWS + word * 32;
            for (int i = 0; !empty && i < 32; i++) tile[i] = found[base + i][word];
            if (!empty) transpose32(tile);
            for (int i = 0; i < 32; i++) {
                uint64_t *place = &to[i][base % ROWS / 32];
                *place = add ? *place | tile[i] : tile[i];
            }
        }
    }
}

static void end(const Sides *s, int64_t rows, const int16_t *last, Row *found, bool *some,
                Row *target) {
    for (int64_t block = 0; block < s->blocks; block++) {
        memset(found, 0, rows * sizeof *found);
        memset(some, true, rows);
        for (int64_t row = 0; row < s->placements; row++)
            if (last[row] >= 0)
                memcpy(found[row], s->on[last[row] * s->blocks + block], sizeof(Row));
        transpose(block, rows, found, some, target, false);
    }
}

static int64_t layer(const Sides *s, int64_t rows, bool win, const Row *source, Row *target,
                     Row *open, Row *found, bool *some) {
    int64_t new = 0;
    for (int64_t block = 0; block < s->blocks; block++) {
        const Row *replies = source + block * rows;
        Row *left = open + block * rows;
        memset(some, false, rows);
        for (int64_t row = 0; row < s->placements; row++) {
            Row now, images, some_bits = {0};
            uint64_t fresh = 0;
            const int64_t *i = s->starts + 2 * row;
            memset(now, win ? 0 : 255, sizeof now);
            memset(images, win ? 0 : 255, sizeof images);
            if (win && s->escapes[row]) {
                memset(now, 255, sizeof now);
            } else if (win) {
                for (int64_t k = i[0]; k < i[1]; k++)
                    for (int w = 0; w < WORDS; w++) now[w] |= replies[s->neighbours[k]][w];
                for (int64_t k = i[1]; k < i[2]; k++)
                    for (int w = 0; w < WORDS; w++) images[w] |= replies[s->neighbours[k]][w];
                for (int w = 0; w < WORDS; w++) now[w] |= mirrored(images[w]);
            } else {
                for (int64_t k = i[0]; k < i[1]; k++)
                    for (int w = 0; w < WORDS; w++) now[w] &= replies[s->neighbours[k]][w];
                for (int64_t k = i[1]; k < i[2]; k++)
                    for (int w = 0; w < WORDS; w++) images[w] &= replies[s->neighbours[k]][w];
                for (int w = 0; w < WORDS; w++) now[w] &= mirrored(images[w]);
            }
            for (int w = 0; w < WORDS; w++) now[w] &= left[row][w];
            for (int w = 0; w < WORDS; w++) left[row][w] ^= now[w];
            for (int w = 0; w < WORDS; w++) fresh |= now[w];
            for (int w = 0; fresh && w < WORDS; w++)
                new += s->stands[row] * __builtin_popcountll(now[w] & s->each[block][w]);
            some[row] = fresh != 0;
            for (int k = 0; k < s->pieces; k++) { /* the column has just taken this piece */
                int64_t fewer = s->without[row * s->pieces + k], at = s->cell[row * s->pieces + k];
                if (fewer < 0 || !some[fewer / 2]) continue;
                some[row] = true;
                for (int w = 0; w < WORDS; w++) {
                    uint64_t taken = found[fewer / 2][w];
                    if (fewer % 2) taken = mirrored(taken);
                    some_bits[w] |= taken & s->on[at * s->blocks + block][w];
                }
            }
            for (int w = 0; w < WORDS; w++) found[row][w] = now[w] | some_bits[w];
        }
        memset(found + s->placements, 0, (rows - s->placements) * sizeof *found);
        transpose(block, rows, found, some, target, win);
    }
    return new;
}

/* Write wins and losses by depth into `counts[2][depths]`; return the number of positions. */
int64_t analyse(const Sides *s, int64_t depths, int64_t *counts) {
    int64_t rows = s->blocks * ROWS, total = 0, had[2] = {1, 1};
    Row *open = calloc(s->blocks * rows, sizeof *open), *won = calloc(s->blocks * rows, sizeof *won);
    Row *lost = calloc(s->blocks * rows, sizeof *lost), *found = calloc(rows, sizeof *found);
    Row *newly = calloc(s->blocks * rows, sizeof *newly), *swap;
    bool *some = calloc(rows, sizeof *some);
    for (int64_t block = 0; block < s->blocks; block++)
        for (int64_t row = 0; row < s->placements; row++)
            for (int w = 0; w < WORDS; w++) {
                uint64_t each = s->each[block][w], free = each | mirrored(each);
                for (int k = 0; k < s->pieces; k++)
                    if (s->cell[row * s->pieces + k] >= 0)
                        free &= ~s->on[s->cell[row * s->pieces + k] * s->blocks + block][w];
                open[block * rows + row][w] = free;
                total += s->stands[row] * __builtin_popcountll(free & each);
            }
    end(s, rows, s->last_red, found, some, won);
    end(s, rows, s->last_blue, found, some, lost);
    for (int64_t depth = 1; depth < depths && (had[0] || had[1]); depth++) {
        int64_t losses = had[0] ? layer(s, rows, false, won, newly, open, found, some) : 0;
        int64_t wins = had[1] ? layer(s, rows, true, lost, won, open, found, some) : 0;
        swap = lost, lost = newly, newly = swap;
        counts[depth] = had[0] = wins;
        counts[depths + depth] = had[1] = losses;
    }
    free(open), free(won), free(lost), free(newly), free(found), free(some);
    return total;
}
