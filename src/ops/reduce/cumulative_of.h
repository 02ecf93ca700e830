/* Running extremes of T, which needs no conversion: included by cumulative.c behind each as_TYPE.h. */

/* w neighbouring lines, each element from the result before it. Where the functions begin decides
 * how the loop of one line lies in lines of code: 1.4 times as fast on a Zen 3. */
static __attribute__((aligned(64))) void OF(extremes)(const run_job *j, const char *xp, char *yp, int64_t *at, int64_t w, int64_t xs,
                                                      int64_t ys, int64_t xn, int64_t yn) {
    const T *x = (const T *)(const void *)xp;
    T *y = (T *)(void *)yp;
    if (w == 1) { /* a new extreme is rare: a branch that is guessed waits for nothing */
        const bool max = j->kind == WN__RUN_MAX;
        T best = x[0];
        const int64_t n = j->n;
        int64_t where = 0;
        for (int64_t i = 0; i < n; i++) {
            const T v = x[i * xn];
            const bool past = max ? v < best : v > best; /* false of NaN on either side */
            if (__builtin_expect(!past && (IS_NAN(v) || !IS_NAN(best)), 0)) best = v, where = i;
            y[i * yn] = best;
            at[i * yn] = where;
        }
        return;
    }
    for (int64_t q = 0; q < w; q++) {
        y[q * ys] = x[q * xs];
        at[q * ys] = 0;
    }
    for (int64_t i = 1; i < j->n; i++) {
        x += xn;
        y += yn;
        at += yn;
        for (int64_t q = 0; q < w; q++) {
            T v = x[q * xs], best = y[q * ys - yn];
            bool take = (j->kind == WN__RUN_MAX ? v >= best : v <= best) | IS_NAN(v);
            y[q * ys] = take ? v : best;
            at[q * ys] = take ? i : at[q * ys - yn];
        }
    }
}
