/* Random playouts of Triomineering with the heuristic: gamecore/triomineering/playouts.py. */
#include "random.h"

static int64_t nth(uint64_t x, int64_t n) {
    while (n--) x &= x - 1;
    return __builtin_ctzll(x);
}

static int64_t playout(uint64_t free, int c, uint64_t fits, uint64_t *s) {
    for (;;) {
        uint64_t v = free & free >> c & free >> 2 * c, h = free & free >> 1 & free >> 2 & fits;
        if (!v || !h) return 1 + (v != 0) - (h != 0);
        uint64_t by_h = h | h << 1 | h << 2, by_v = v | v << c | v << 2 * c;
        uint64_t hindering = v & (by_h | by_h >> c | by_h >> 2 * c);
        if (hindering) {
            v = hindering;
            h &= by_v | by_v >> 1 | by_v >> 2;
        }
        int64_t i = nth(v, below(s, __builtin_popcountll(v)));
        int64_t j = nth(h, below(s, __builtin_popcountll(h)));
        free &= ~((1ull | 1ull << c | 1ull << 2 * c) << i | 7ull << j);
    }
}

int64_t playouts(uint64_t free, int64_t columns, uint64_t fits, int64_t count, uint64_t *s) {
    int64_t total = 0;
    while (count--) total += playout(free, columns, fits, s);
    return total;
}
