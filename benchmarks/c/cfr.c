/* The iterations of one CFR move: gamecore/geister/cfr.py on its own tree, begun but not iterated.
   The lanes of a type are one vector, an extension of C that gcc and clang have. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { TYPES = 6, NODES = 820, ACTIONS = 820 * 16, BITS = 32 };
typedef double Lanes __attribute__((vector_size(64), aligned(8)));
typedef int64_t Mask __attribute__((vector_size(64)));

typedef struct { /* gamecore.geister.tree.TREE */
    Lanes possible[2 * NODES], reach[2 * NODES], worth[2 * NODES];
    Lanes legal[ACTIONS], uniform[ACTIONS], regret[ACTIONS], gain[ACTIONS], strategy[ACTIONS];
    Lanes average[ACTIONS], weight[ACTIONS], value[ACTIONS], payoff[2 * TYPES * ACTIONS];
    int64_t nodes, types[2], clock, start[NODES + 1], mover[NODES], parent[NODES], settled[NODES];
    int64_t cell[ACTIONS], way[ACTIONS], child[ACTIONS][2];
    int64_t due[2 * NODES / BITS + 1], learns[NODES / BITS + 1];
    int8_t live[NODES], ends[ACTIONS], played[ACTIONS];
} Tree;

static inline bool any(Mask m) {
    return m[0] | m[1] | m[2] | m[3] | m[4] | m[5] | m[6] | m[7];
}

static inline Lanes where(Lanes above, Lanes x, Lanes otherwise) {
    Mask lanes = above > 0.0;
    return (Lanes)((lanes & (Mask)x) | (~lanes & (Mask)otherwise));
}

static inline Lanes positive(Lanes x) { return where(x, x, (Lanes){0}); }

static inline bool put(Lanes *to, Lanes from) {
    bool changes = any(*to != from);
    *to = from;
    return changes;
}

static inline bool has(const int64_t *set, int64_t x) { return set[x / BITS] >> x % BITS & 1; }
static inline void add(int64_t *set, int64_t x) { set[x / BITS] |= INT64_C(1) << x % BITS; }
static inline void take(int64_t *set, int64_t x) { set[x / BITS] &= ~(INT64_C(1) << x % BITS); }

static inline int64_t following(const int64_t *set, int64_t words, int64_t x) {
    int64_t left = -(INT64_C(1) << x % BITS);
    for (int64_t word = x / BITS; word < words; word++, left = -1)
        if (left &= set[word]) return BITS * word + __builtin_ctzll(left);
    return -1;
}

static inline int64_t preceding(const int64_t *set, int64_t x) {
    int64_t left = (INT64_C(1) << x % BITS) - 1;
    for (int64_t word = x / BITS; word >= 0; word--, left = -1)
        if (left &= set[word]) return BITS * word + 63 - __builtin_clzll(left);
    return -1;
}

static inline int64_t next_due(const Tree *t, int64_t x) {
    return following(t->due, 2 * NODES / BITS + 1, x);
}

static inline int64_t next_learner(const Tree *t, int64_t x) {
    return following(t->learns, NODES / BITS + 1, x);
}

static void descend(Tree *t, Lanes *colour) {
    for (int64_t side = 0; side < 2; side++)
        if (put(&t->reach[side], colour[side])) add(t->due, 1 - side);
    for (int64_t row = next_due(t, 0); row >= 0; row = next_due(t, row / 2 * 2 + 2)) {
        int64_t node = row / 2, mine = 2 * node + t->mover[node], theirs = mine ^ 1;
        bool passes = has(t->due, theirs), meets = has(t->due, mine);
        for (int64_t a = t->start[node]; a < t->start[node + 1]; a++) {
            if (passes) {
                t->weight[a] = t->reach[mine] * t->strategy[a];
                t->played[a] = any(t->weight[a] != 0.0);
            }
            for (int taken = 0; taken < 2; taken++) {
                int64_t c = t->child[a][taken];
                if (c < 0) continue;
                int64_t my = 2 * c + mine % 2, their = 2 * c + theirs % 2;
                if (passes && put(&t->reach[my], t->weight[a])) add(t->due, their);
                if (meets && put(&t->reach[their], t->reach[theirs] * t->possible[their]))
                    add(t->due, my);
            }
        }
    }
    for (int64_t a = 0; a < t->start[1]; a++) t->average[a] += t->weight[a];
}

static inline Lanes paid(const Lanes *payoff, const Lanes *chances) {
    Lanes total = {0};
    for (int k = 0; k < TYPES; k++) {
        double x = ((const double *)chances)[k];
        if (x > 0.0) total += payoff[k] * x;
    }
    return total;
}

static void settle(Tree *t, int64_t first, int64_t last, int64_t missed) {
    for (int64_t a = first; a < last; a++) {
        Lanes more = t->gain[a], total = t->regret[a];
        if (!any(more != 0.0)) continue;
        for (int64_t k = 0; k < missed; k++) total += more;
        t->regret[a] = total;
    }
}

static void ascend(Tree *t) {
    for (int64_t row = preceding(t->due, 2 * t->nodes); row >= 0; row = preceding(t->due, row)) {
        int64_t node = row / 2, side = row % 2, first = t->start[node], last = t->start[node + 1];
        Lanes total = {0};
        if (t->mover[node] == side) {
            for (int64_t a = first; a < last; a++) {
                Lanes found = {0};
                if (t->ends[a]) found = paid(&t->payoff[2 * a * TYPES], &t->reach[row ^ 1]);
                for (int taken = 0; taken < 2; taken++)
                    if (t->child[a][taken] >= 0) found += t->worth[2 * t->child[a][taken] + side];
                t->value[a] = found;
                total += t->strategy[a] * found;
            }
            if (!has(t->learns, node)) {
                settle(t, first, last, t->clock - t->settled[node]);
                add(t->learns, node);
            }
            for (int64_t a = first; a < last; a++)
                t->gain[a] = (t->value[a] - total) * t->legal[a];
        } else {
            for (int64_t a = first; a < last; a++) {
                if (!t->played[a]) continue;
                if (t->ends[a]) total += paid(&t->payoff[(2 * a + 1) * TYPES], &t->weight[a]);
                for (int taken = 0; taken < 2; taken++) {
                    int64_t c = 2 * t->child[a][taken] + side;
                    if (c >= 0) total += t->worth[c] * t->possible[c];
                }
            }
        }
        if (put(&t->worth[row], total)) add(t->due, 2 * t->parent[node] + side);
        take(t->due, row);
    }
}

static void learn(Tree *t) {
    for (int64_t node = next_learner(t, 0); node >= 0; node = next_learner(t, node + 1)) {
        int64_t first = t->start[node], last = t->start[node + 1];
        bool moves = false, rises = false;
        for (int64_t a = first; a < last; a++) {
            Lanes before = t->regret[a], after = before + t->gain[a];
            t->regret[a] = after;
            moves |= any(positive(before) != positive(after));
            rises |= any(t->gain[a] > 0.0);
        }
        if (moves) {
            Lanes total = {0}, one = {1, 1, 1, 1, 1, 1, 1, 1};
            bool changes = false;
            for (int64_t a = first; a < last; a++) total += positive(t->regret[a]);
            Lanes share = one / where(total, total, one);
            for (int64_t a = first; a < last; a++) {
                Lanes matched = positive(t->regret[a]) * share;
                changes |= put(&t->strategy[a], where(total, matched, t->uniform[a]));
            }
            if (changes) {
                add(t->due, 2 * node);
                add(t->due, 2 * node + 1);
            }
        } else if (!rises) {
            take(t->learns, node);
            t->settled[node] = t->clock + 1;
        }
    }
    t->clock++;
}

void iterate(Tree *t, int64_t iterations, Lanes colours[3][2]) {
    while (iterations--) {
        for (int side = 0; side < 2; side++) colours[2][side] += colours[1][side];
        descend(t, colours[1]);
        ascend(t);
        learn(t);
        for (int side = 0; side < 2; side++) {
            double *regret = (double *)&colours[0][side], *colour = (double *)&colours[1][side];
            double *worth = (double *)&t->worth[side], value = 0.0, total = 0.0;
            int64_t types = t->types[side];
            for (int64_t i = 0; i < types; i++) value += colour[i] * worth[i];
            for (int64_t i = 0; i < types; i++) {
                regret[i] += worth[i] - value;
                total += fmax(regret[i], 0.0);
            }
            for (int64_t i = 0; i < types; i++)
                colour[i] = total > 0.0 ? fmax(regret[i], 0.0) / total : 1.0 / types;
        }
    }
}
