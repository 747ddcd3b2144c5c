/* External-sampling MCCFR on Goofspiel: the traversal of gamecore/goofspiel/learn.py, on its
   records (`graph`) and its table of regrets and policies, level by level. */
#include <math.h>
#include <stdlib.h>

#include "random.h"

#define UNIT (1.0 / 4294967296.0)
/* Regrets as mixtures, without branches, whose outcome could only be guessed. */
#define POSITIVE(x) (0.5 * ((x) + fabs(x)))
/* Loops over three cards are unrolled: most nodes have so many. */
#define LEVEL(n, call, ...) (n == 3 ? call(3, __VA_ARGS__) : call(n, __VA_ARGS__))
#define INLINE static inline __attribute__((always_inline))

typedef struct {
    const uint32_t *graph;
    double *table, *values;
    uint64_t *bits;
    uint32_t *nodes;
    int64_t *when;
} work;

/* `flat` is 1 if no regret is positive. */
INLINE void match_regrets(int n, const double *regret, double *mixture) {
    double total = 0.0;
    for (int x = 0; x < n; x++) total += POSITIVE(regret[x]);
    double flat = total <= 0.0, scale = 1.0 / (total + n * flat);
    for (int x = 0; x < n; x++) mixture[x] = (POSITIVE(regret[x]) + flat) * scale;
}

INLINE double first_of_two(const double *regret) {
    double a = POSITIVE(regret[0]), b = POSITIVE(regret[1]), flat = a + b <= 0.0;
    return (a + flat) / (a + b + 2.0 * flat);
}

static void fetch(int64_t start, int64_t stop, work w) {
    for (int64_t i = start; i < stop; i++)
        w.values[i] = w.table[w.graph[w.nodes[i]]] + w.table[w.graph[w.nodes[i] + 1]];
}

INLINE void descend(int n, int player, int64_t start, int64_t stop, work w) {
    int own_step = player == 0 ? n : 1, other_step = player == 0 ? 1 : n, y = 0;
    int size = n > 3 ? (n - 1) * (n - 1) + 2 : 3;
    int64_t kid = stop;
    double mixture[8];
    for (int64_t i = start; i < stop; i++) {
        const uint32_t *record = w.graph + w.nodes[i];
        double *row = w.table + record[1 - player];
        match_regrets(n, row, mixture);
        for (int y = 0; y < n; y++) row[n + y] += (player == 0 ? n : 1) * mixture[y];
        for (int x = 0; x < n; x++, kid++) {
            uint64_t drawn = w.bits[w.when[kid]];
            if (player == 0 || x == 0) {
                double left = (double)(drawn >> 32) * UNIT;
                y = 0;
                for (int card = 0; card < n - 1; card++) y += (left -= mixture[card]) >= 0.0;
            }
            int64_t prize = (uint64_t)(uint32_t)drawn * (n - 1) >> 32;
            w.nodes[kid] = record[2 + x * own_step + y * other_step] + prize * size;
        }
    }
}

static void end(int player, int64_t start, int64_t stop, work w) {
    double *gain = w.values + stop;
    for (int64_t i = start; i < stop; i++, gain += 2) {
        const uint32_t *record = w.graph + w.nodes[i];
        double *row = w.table + record[1 - player], other = first_of_two(row);
        int results = record[2];
        uint64_t drawn = w.bits[w.when[i] + 1];
        int first = (double)(drawn >> 32) * UNIT >= other;
        if (player == 0) {
            int second = (double)(uint32_t)drawn * UNIT >= other;
            row[2] += 2.0 * other;
            row[3] += 2.0 * (1.0 - other);
            gain[0] = (results >> 2 * first & 3) - 1;
            gain[1] = (results >> (4 + 2 * second) & 3) - 1;
        } else {
            row[2] += other;
            row[3] += 1.0 - other;
            gain[0] = 1 - (results >> 4 * first & 3);
            gain[1] = 1 - (results >> (4 * first + 2) & 3);
        }
    }
    gain = w.values + stop;
    for (int64_t i = start; i < stop; i++, gain += 2) {
        double *row = w.table + w.graph[w.nodes[i] + player], own = first_of_two(row);
        double value = own * gain[0] + (1.0 - own) * gain[1];
        row[0] += gain[0] - value;
        row[1] += gain[1] - value;
        w.values[i] = value;
    }
}

INLINE void ascend(int n, int player, int64_t start, int64_t stop, work w) {
    double mixture[8], *gain = w.values + stop;
    for (int64_t i = start; i < stop; i++, gain += n) {
        double *row = w.table + w.graph[w.nodes[i] + player], value = 0.0;
        match_regrets(n, row, mixture);
        for (int x = 0; x < n; x++) value += mixture[x] * gain[x];
        for (int x = 0; x < n; x++) row[x] += gain[x] - value;
        w.values[i] = value;
    }
}

static void traverse(int cards, int player, work w) {
    int64_t start = 0, stop = 1;
    for (int n = cards; n > 2; n--) {
        int64_t more = n * (stop - start);
        fetch(start, stop, w);
        LEVEL(n, descend, player, start, stop, w);
        start = stop, stop += more;
    }
    fetch(start, stop, w);
    end(player, start, stop, w);
    for (int n = 3; n <= cards; n++) {
        int64_t fewer = (stop - start) / n;
        stop = start, start -= fewer;
        LEVEL(n, ascend, player, start, stop, w);
    }
}

/* When a walk, depth first, draws the number that leads to each node. */
static void drawing_times(int cards, int64_t draws, int64_t *when) {
    int64_t start = 0, stop = 1, step = draws;
    when[0] = -1;
    for (int n = cards; n > 2; n--) {
        int64_t more = n * (stop - start);
        step /= n;
        for (int64_t k = 0; k < more; k++) when[stop + k] = when[start + k / n] + 1 + k % n * step;
        start = stop, stop += more, step--;
    }
}

void iterate(int64_t iterations, int64_t cards, const uint32_t *graph, double *table, uint64_t *s) {
    int64_t size = cards > 2 ? 2 + cards * cards : 3, nodes = 1, draws = 1;
    for (int n = 3; n <= cards; n++) nodes = 1 + n * nodes, draws = n * (1 + draws);
    work w = {graph, table, malloc(24 * nodes), malloc(8 * draws), malloc(4 * nodes), malloc(8 * nodes)};
    drawing_times(cards, draws, w.when);
    while (iterations--)
        for (int player = 0; player < 2; player++) {
            w.nodes[0] = below(s, cards) * size;
            uint64_t state[4] = {s[0], s[1], s[2], s[3]};
            for (int64_t k = 0; k < draws; k++) w.bits[k] = next_uint64(state);
            for (int k = 0; k < 4; k++) s[k] = state[k];
            traverse(cards, player, w);
        }
    free(w.values), free(w.bits), free(w.nodes), free(w.when);
}
