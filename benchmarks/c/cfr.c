/* The iterations of one CFR move: gamecore/geister/cfr.py on its own tree, begun but not iterated.
   The lanes of a type are one vector, an extension of C that gcc and clang have. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TYPES 6
typedef double Lanes __attribute__((vector_size(64), aligned(8)));
typedef int64_t Mask __attribute__((vector_size(64)));
typedef Lanes Sides[2];

typedef struct { /* the arrays of gamecore.geister.tree.Tree, in its order */
    int64_t *size, *mover, *parent;
    uint64_t *start;
    Sides *possible;
    int64_t *cell, *way;
    Lanes *legal;
    int64_t (*child)[2];
    bool *ends;
    Lanes *payoff;
    bool *live, (*due)[2], *learns;
    Lanes *regret, *gain, *strategy, *average, *weight;
    bool *played;
    Lanes *value;
    Sides *reach, *worth;
} Tree;

static inline bool any(Mask m) {
    return m[0] | m[1] | m[2] | m[3] | m[4] | m[5] | m[6] | m[7];
}

static inline Lanes positive(Lanes x) { return (Lanes)((Mask)x & (Mask)(x > 0.0)); }

static inline bool put(Lanes *to, Lanes from) {
    bool changed = any(*to != from);
    *to = from;
    return changed;
}

static void descend(Tree *t, Sides colour) {
    for (int side = 0; side < 2; side++) t->due[0][1 - side] |= put(&t->reach[0][side], colour[side]);
    for (int64_t node = 0; node < t->size[0]; node++) {
        int64_t side = t->mover[node], other = 1 - side;
        bool mine = t->due[node][other], theirs = t->due[node][side];
        if (!mine && !theirs) continue;
        for (uint64_t a = t->start[node]; a < t->start[node + 1]; a++) {
            if (mine) {
                t->weight[a] = t->reach[node][side] * t->strategy[a];
                t->played[a] = any(t->weight[a] > 0.0);
            }
            for (int taken = 0; taken < 2; taken++) {
                int64_t c = t->child[a][taken];
                if (c < 0) continue;
                if (mine) t->due[c][other] |= put(&t->reach[c][side], t->weight[a]);
                if (theirs)
                    t->due[c][side] |=
                        put(&t->reach[c][other], t->reach[node][other] * t->possible[c][other]);
            }
        }
    }
    for (uint64_t a = 0; a < t->start[1]; a++) t->average[a] += t->weight[a];
}

static void ascend(Tree *t, int64_t actions) {
    for (int64_t node = t->size[0] - 1; node >= 0; node--) {
        int64_t side = t->mover[node], other = 1 - side;
        uint64_t first = t->start[node], last = t->start[node + 1];
        if (t->due[node][side]) {
            Lanes v = {0};
            for (uint64_t a = first; a < last; a++) {
                Lanes c = {0};
                for (int64_t j = 0; j < t->size[1 + other]; j++) {
                    double x = t->reach[node][other][j];
                    if (x > 0.0) c += t->payoff[j * actions + a] * x;
                }
                for (int taken = 0; taken < 2; taken++)
                    if (t->child[a][taken] >= 0) c += t->worth[t->child[a][taken]][side];
                v += t->strategy[a] * c;
                t->value[a] = c;
            }
            for (uint64_t a = first; a < last; a++)
                t->gain[a] = (t->value[a] - v) * t->legal[a];
            t->learns[node] = any(t->reach[node][other] > 0.0);
            t->due[t->parent[node]][side] |= put(&t->worth[node][side], v);
        }
        if (t->due[node][other]) {
            Lanes v = {0};
            for (uint64_t a = first; a < last; a++) {
                if (!t->played[a]) continue;
                Lanes w = t->weight[a];
                for (int64_t j = 0; t->ends[a] && j < t->size[1 + other]; j++) {
                    Lanes p = t->payoff[j * actions + a];
                    v[j] -= p[0] * w[0] + p[1] * w[1] + p[2] * w[2] + p[3] * w[3] + p[4] * w[4]
                            + p[5] * w[5];
                }
                for (int taken = 0; taken < 2; taken++) {
                    int64_t c = t->child[a][taken];
                    if (c >= 0) v += t->worth[c][other] * t->possible[c][other];
                }
            }
            t->due[t->parent[node]][other] |= put(&t->worth[node][other], v);
        }
        t->due[node][0] = t->due[node][1] = false;
    }
}

static void learn(Tree *t) {
    for (int64_t node = 0; node < t->size[0]; node++) {
        if (!t->learns[node]) continue;
        uint64_t first = t->start[node], last = t->start[node + 1];
        Mask moved = {0};
        for (uint64_t a = first; a < last; a++) {
            Lanes before = t->regret[a], after = before + t->gain[a];
            t->regret[a] = after;
            moved |= positive(before) != positive(after);
        }
        if (!any(moved)) continue;
        for (int i = 0; i < TYPES; i++) {
            if (!moved[i]) continue;
            double total = 0.0, able = 0.0, even = 0.0;
            for (uint64_t a = first; a < last; a++) total += fmax(t->regret[a][i], 0.0);
            for (uint64_t a = first; !(total > 0.0) && a < last; a++) able += t->legal[a][i];
            if (able > 0.0) even = 1.0 / able;
            total = total > 0.0 ? 1.0 / total : 0.0;
            for (uint64_t a = first; a < last; a++) {
                double share = fmax(t->regret[a][i], 0.0) * total + t->legal[a][i] * even;
                if (share != t->strategy[a][i]) t->due[node][0] = t->due[node][1] = true;
                t->strategy[a][i] = share;
            }
        }
    }
}

void iterate(Tree *t, int64_t actions, int64_t iterations, Sides *colours) {
    while (iterations--) {
        for (int side = 0; side < 2; side++) colours[2][side] += colours[1][side];
        descend(t, colours[1]);
        ascend(t, actions);
        learn(t);
        for (int side = 0; side < 2; side++) {
            double *regret = (double *)&colours[0][side], *colour = (double *)&colours[1][side];
            double value = 0.0, total = 0.0;
            int64_t types = t->size[1 + side];
            for (int64_t i = 0; i < types; i++) value += colour[i] * t->worth[0][side][i];
            for (int64_t i = 0; i < types; i++) {
                regret[i] += t->worth[0][side][i] - value;
                total += fmax(regret[i], 0.0);
            }
            for (int64_t i = 0; i < types; i++)
                colour[i] = total > 0.0 ? fmax(regret[i], 0.0) / total : 1.0 / types;
        }
    }
}
