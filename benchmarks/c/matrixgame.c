/* Exact solutions of many small matrix games: saddle points, else the simplex method with
   Dantzig's pivots and the lexicographic rule, as in gamecore/matrixgame.py. */
#include <math.h>
#include <string.h>

#define MOST 8 /* rows and columns */
#define ZERO 1e-12
#define TIE 1e-15
#define WIDE (2 * MOST + 2)

static int saddle_point(int n, const double *A, double *value) {
    for (int i = 0; i < n; i++) {
        double least = A[i * n];
        for (int j = 1; j < n; j++) least = A[i * n + j] < least ? A[i * n + j] : least;
        for (int j = 0; j < n; j++) {
            int highest = A[i * n + j] == least;
            for (int k = 0; highest && k < n; k++) highest = A[k * n + j] <= least;
            if (highest) return *value = least, 1;
        }
    }
    return 0;
}

static int leaving(int lines, int columns, double t[][WIDE], int enters, int first) {
    int ties[MOST + 1], count = lines - 1, test = columns - 1;
    for (int i = 0; i < count; i++) ties[i] = i;
    for (int following = first; following < columns; following++) {
        double least = INFINITY;
        int candidates = count;
        count = 0;
        for (int k = 0; k < candidates; k++) {
            int i = ties[k];
            if (t[i][enters] <= ZERO) continue;
            double ratio = t[i][test] / t[i][enters];
            if (ratio > least + TIE) continue;
            if (ratio < least - TIE) least = ratio, count = 0;
            ties[count++] = i;
        }
        if (count <= 1) break;
        test = following;
    }
    return count == 1 ? ties[0] : -1;
}

static void pivot(int lines, int columns, double t[][WIDE], int leaves, int enters) {
    double line[WIDE], by = t[leaves][enters];
    for (int j = 0; j < columns; j++) line[j] = t[leaves][j] / by;
    for (int i = 0; i < lines; i++) {
        double factor = t[i][enters];
        if (i == leaves)
            memcpy(t[i], line, columns * sizeof *line);
        else if (factor != 0.0)
            for (int j = 0; j < columns; j++) t[i][j] -= line[j] * factor;
        t[i][enters] = 0.0;
    }
    t[leaves][enters] = 1.0;
}

static void mixture(int n, const double *weights, int backwards, double *out) {
    double total = 0.0;
    for (int i = 0; i < n; i++) total += fmax(weights[i], 0.0);
    for (int i = 0; i < n; i++) out[backwards ? n - 1 - i : i] = fmax(weights[i], 0.0) / total;
}

static void simplex(int n, const double *A, double *row, double *column) {
    double t[MOST + 2][WIDE] = {0};
    int basis[MOST + 1], highest = 0, lines = n + 2, columns = 2 * n + 2;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) t[i][j] = A[i * n + j];
        t[i][n] = -1.0;
        t[i][n + 1 + i] = 1.0;
        basis[i] = n + 1 + i;
        if (A[i * n] > A[highest * n]) highest = i;
    }
    for (int j = 0; j < n; j++) t[n][j] = 1.0;
    t[n][columns - 1] = 1.0, t[n + 1][n] = -1.0;
    for (int step = 0;; step++) {
        int enters = n, leaves = highest;
        if (step == 1) enters = 0, leaves = n;
        if (step > 1) {
            double most = ZERO;
            enters = -1;
            for (int j = 0; j < columns - 1; j++)
                if (t[n + 1][j] > most) enters = j, most = t[n + 1][j];
            if (enters < 0 || (leaves = leaving(lines, columns, t, enters, n)) < 0) break;
        }
        pivot(lines, columns, t, leaves, enters);
        basis[leaves] = enters;
    }
    for (int i = 0; i < n; i++) row[i] = 0.0 - t[n + 1][n + 1 + i], column[i] = 0.0;
    for (int i = 0; i <= n; i++)
        if (basis[i] < n) column[basis[i]] = t[i][columns - 1];
}

static double gap(int n, const double *A, const double *row, const double *column) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {
        double up = 0.0, down = 0.0;
        for (int j = 0; j < n; j++) up += A[i * n + j] * column[j], down += A[j * n + i] * row[j];
        high = fmax(high, up), low = fmin(low, down);
    }
    return high - low;
}

static double equilibrium(int n, const double *A) {
    double value, low = INFINITY, high = -INFINITY, least = INFINITY, scaled[MOST * MOST];
    double row[MOST], column[MOST], p[MOST], q[MOST], x[MOST], y[MOST], turned[MOST * MOST];
    if (saddle_point(n, A, &value)) return value;
    for (int k = 0; k < n * n; k++) low = fmin(low, A[k]), high = fmax(high, A[k]);
    for (int k = 0; k < n * n; k++) scaled[k] = (A[k] - low) / (high - low) + 1.0;
    for (int how = 0; how < 8 && !(least < 1e-10); how++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int up = how & 1 ? n - 1 - i : i, left = how & 2 ? n - 1 - j : j;
                double a = scaled[i * n + j];
                turned[how < 4 ? up * n + left : left * n + up] = how < 4 ? a : 3.0 - a;
            }
        simplex(n, turned, x, y);
        mixture(n, how < 4 ? x : y, how & 1, p);
        mixture(n, how < 4 ? y : x, how & 2, q);
        double off = gap(n, scaled, p, q);
        if (off < least) least = off, memcpy(row, p, sizeof p), memcpy(column, q, sizeof q);
    }
    value = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) value += row[i] * A[i * n + j] * column[j];
    return value;
}

void values(long games, long n, const double *A, double *found) {
    for (long k = 0; k < games; k++) found[k] = equilibrium(n, A + k * n * n);
}
