/* External-sampling MCCFR on Goofspiel: the traversal of gamecore/goofspiel/learn.py, on its
   records (`graph`) and its table of regrets and policies. */
#include "random.h"

#define ROOM 24
#define UNIT (1.0 / 4294967296.0)
#define POSITIVE(x) ((x) > 0.0 ? (x) : 0.0)

static void match_regrets(int n, const double *regret, double *mixture) {
    double total = 0.0;
    for (int x = 0; x < n; x++) total += mixture[x] = POSITIVE(regret[x]);
    double scale = 1.0 / total;
    for (int x = 0; x < n; x++) mixture[x] = total > 0.0 ? mixture[x] * scale : 1.0 / n;
}

static double walk_last(int64_t node, int player, const int32_t *graph, double *table, uint64_t *s) {
    double *own_row = table + graph[node + player], *other_row = table + graph[node + 1 - player];
    int64_t results = graph[node + 2];
    double a = POSITIVE(own_row[0]), b = POSITIVE(own_row[1]), gain0, gain1;
    double own = a + b > 0.0 ? a / (a + b) : 0.5;
    a = POSITIVE(other_row[0]), b = POSITIVE(other_row[1]);
    double other = a + b > 0.0 ? a / (a + b) : 0.5;
    uint64_t bits = next_uint64(s);
    int first = (double)(bits >> 32) * UNIT < other ? 0 : 1;
    if (player == 0) {
        int second = (double)(uint32_t)bits * UNIT < other ? 0 : 1;
        other_row[2] += 2.0 * other;
        other_row[3] += 2.0 * (1.0 - other);
        gain0 = (results >> 2 * first & 3) - 1;
        gain1 = (results >> (4 + 2 * second) & 3) - 1;
    } else {
        other_row[2] += other;
        other_row[3] += 1.0 - other;
        gain0 = 1 - (results >> 4 * first & 3);
        gain1 = 1 - (results >> (4 * first + 2) & 3);
    }
    double value = own * gain0 + (1.0 - own) * gain1;
    own_row[0] += gain0 - value;
    own_row[1] += gain1 - value;
    return value;
}

static double walk(int64_t node, int n, int player, const int32_t *graph, double *table,
                   int64_t length, uint64_t *s) {
    if (n == 2) return walk_last(node, player, graph, table, s);
    double *own_row = table + graph[node + player], *other_row = table + graph[node + 1 - player];
    double *own = table + length - ROOM * (n + 1), *other = own + 8, *gains = own + 16;
    match_regrets(n, own_row, own);
    match_regrets(n, other_row, other);
    for (int y = 0; y < n; y++) other_row[n + y] += (player == 0 ? n : 1) * other[y];
    int own_step = player == 0 ? n : 1, other_step = player == 0 ? 1 : n;
    int size = n > 3 ? (n - 1) * (n - 1) + 2 : 3, y = 0;
    double value = 0.0;
    for (int x = 0; x < n; x++) {
        uint64_t bits = next_uint64(s);
        if (player == 0 || x == 0) {
            double left = (double)(bits >> 32) * UNIT;
            for (y = 0; y < n - 1; y++) {
                left -= other[y];
                if (left < 0.0) break;
            }
        }
        int64_t prize = (uint64_t)(uint32_t)bits * (n - 1) >> 32;
        int64_t kid = graph[node + 2 + x * own_step + y * other_step] + prize * size;
        gains[x] = walk(kid, n - 1, player, graph, table, length, s);
        value += own[x] * gains[x];
    }
    for (int x = 0; x < n; x++) own_row[x] += gains[x] - value;
    return value;
}

void iterate(int64_t iterations, int64_t cards, const int32_t *graph, double *table,
             int64_t length, uint64_t *s) {
    int64_t size = cards > 2 ? 2 + cards * cards : 3;
    while (iterations--)
        for (int player = 0; player < 2; player++)
            walk(below(s, cards) * size, cards, player, graph, table, length, s);
}
