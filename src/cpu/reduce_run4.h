/* Four runs side by side, for one floating type: included by reduce_float.h. A single chain of additions waits for each of them; four
 * fill the units, and the lanes' trees of four runs take hardly more instructions than that of one. Where 16 lanes are more than two
 * registers (RUN4_LANES 0) one run has chains enough. */

#if RUN4_LANES == 16
/* The tree 8+8, 4+4, 2+2, 1+1 of four registers: run s comes to element s. */
#define TREE(op)                                                                                                       \
    static inline NAME(V) NAME(tree_##op)(NAME(V) a0, NAME(V) a1, NAME(V) a2, NAME(V) a3) {                            \
        NAME(V) h0 = NAME(j_##op)(__builtin_shufflevector(a0, a1, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), \
                                  __builtin_shufflevector(a0, a1, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)); \
        NAME(V) h1 = NAME(j_##op)(__builtin_shufflevector(a2, a3, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), \
                                  __builtin_shufflevector(a2, a3, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)); \
        NAME(V) q = NAME(j_##op)(__builtin_shufflevector(h0, h1, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), \
                                 __builtin_shufflevector(h0, h1, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)); \
        q = NAME(j_##op)(__builtin_shufflevector(q, q, 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13),            \
                         __builtin_shufflevector(q, q, 2, 3, 6, 7, 10, 11, 14, 15, 2, 3, 6, 7, 10, 11, 14, 15));       \
        return NAME(j_##op)(__builtin_shufflevector(q, q, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6),             \
                            __builtin_shufflevector(q, q, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3, 5, 7));            \
    }
#elif RUN4_LANES == 8
#define TREE(op)                                                                                                       \
    static inline NAME(V) NAME(tree_##op)(NAME(V) a0, NAME(V) a1, NAME(V) a2, NAME(V) a3) {                            \
        NAME(V) h0 = NAME(j_##op)(__builtin_shufflevector(a0, a1, 0, 1, 2, 3, 8, 9, 10, 11),                           \
                                  __builtin_shufflevector(a0, a1, 4, 5, 6, 7, 12, 13, 14, 15));                        \
        NAME(V) h1 = NAME(j_##op)(__builtin_shufflevector(a2, a3, 0, 1, 2, 3, 8, 9, 10, 11),                           \
                                  __builtin_shufflevector(a2, a3, 4, 5, 6, 7, 12, 13, 14, 15));                        \
        NAME(V) q = NAME(j_##op)(__builtin_shufflevector(h0, h1, 0, 1, 4, 5, 8, 9, 12, 13),                            \
                                 __builtin_shufflevector(h0, h1, 2, 3, 6, 7, 10, 11, 14, 15));                         \
        return NAME(j_##op)(__builtin_shufflevector(q, q, 0, 2, 4, 6, 0, 2, 4, 6), __builtin_shufflevector(q, q, 1, 3, 5, 7, 1, 3, 5, 7)); \
    }
#endif

#if RUN4_LANES
/* The last of the lanes' steps for one register: 8+8 (of 16 lanes), 4+4, 2+2, 1+1. */
#if RUN4_LANES == 16
#define FIRST_HALVES(op, a) NAME(j_##op)(a, __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15))
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l, i, j, k, l, i, j, k, l, i, j, k, l)
#else
#define FIRST_HALVES(op, a) (a)
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l, i, j, k, l)
#endif
static inline NAME(V) NAME(j_add)(NAME(V) a, NAME(V) b) { return a + b; }
static inline NAME(V) NAME(j_mul)(NAME(V) a, NAME(V) b) { return a * b; }
static inline NAME(V) NAME(j_min)(NAME(V) a, NAME(V) b) { return V_MIN(a, b); }
static inline NAME(V) NAME(j_max)(NAME(V) a, NAME(V) b) { return V_MAX(a, b); }
TREE(add)
TREE(mul)
TREE(min)
TREE(max)

/* The elements behind a run's whole vectors, the others as init: those change nothing. */
static inline void NAME(rest)(T *to, const T *x, int64_t n, T init) {
    for (int64_t j = 0; j < WN__LANES; j++) to[j] = j < n ? x[j] : init;
}

/* see: V_SEE where NaN counts; ends: what becomes of run s's result. Elements past the end are the neutral ones of `joined`. */
#define NOTHING_SEEN(q, x) ((void)(q))
#define RUN4(name, op, joined, init, pad, see, ends)                                                                   \
    static void NAME(run4_##name)(const void *const *data, int64_t n, const void *param, void *acc) {                  \
        const T *x0 = data[0], *x1 = data[1], *x2 = data[2], *x3 = data[3];                                            \
        T p = NAME(scalar)(param), rest[4][WN__LANES] __attribute__((aligned(64)));                                    \
        NAME(V) pv = NAME(v_splat)(p), a0 = NAME(v_splat)(init), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, \
                b3 = a0;                                                                                               \
        NAME(M) q0 = {0}, q1 = q0, q2 = q0, q3 = q0;                                                                   \
        (void)pv;                                                                                                      \
        for (int64_t i = 0; i < n; i += WN__LANES, x0 += WN__LANES, x1 += WN__LANES, x2 += WN__LANES, x3 += WN__LANES) { \
            if (n - i < WN__LANES) {                                                                                   \
                for (int s = 0; s < 4; s++) NAME(rest)(rest[s], (const T *)data[s] + i, n - i, pad);                   \
                x0 = rest[0], x1 = rest[1], x2 = rest[2], x3 = rest[3];                                                \
            }                                                                                                          \
            AHEAD(x0), AHEAD(x1), AHEAD(x2), AHEAD(x3);                                                                \
            RUN4_STEP(a0, q0, x0, op, see);                                                                            \
            RUN4_STEP(a1, q1, x1, op, see);                                                                            \
            RUN4_STEP(a2, q2, x2, op, see);                                                                            \
            RUN4_STEP(a3, q3, x3, op, see);                                                                            \
            if (VECTORS == 1) continue;                                                                                \
            RUN4_STEP(b0, q0, x0 + VN, op, see);                                                                       \
            RUN4_STEP(b1, q1, x1 + VN, op, see);                                                                       \
            RUN4_STEP(b2, q2, x2 + VN, op, see);                                                                       \
            RUN4_STEP(b3, q3, x3 + VN, op, see);                                                                       \
        }                                                                                                              \
        if (VECTORS > 1) {                                                                                             \
            a0 = NAME(j_##joined)(a0, b0), a1 = NAME(j_##joined)(a1, b1), a2 = NAME(j_##joined)(a2, b2);               \
            a3 = NAME(j_##joined)(a3, b3);                                                                             \
        }                                                                                                              \
        NAME(V) e = NAME(tree_##joined)(a0, a1, a2, a3);                                                               \
        T *y = acc;                                                                                                    \
        y[0] = ends(e[0], q0), y[1] = ends(e[1], q1), y[2] = ends(e[2], q2), y[3] = ends(e[3], q3);                    \
    }
/* Four short streams in turn are more than the processor foresees: 13 GB/s from memory, 19 with this (one stream 22). */
#define AHEAD(x) __builtin_prefetch((const char *)(x) + 32768, 0, 2)
#define RUN4_STEP(a, q, at, op, see)                                                                                   \
    do {                                                                                                               \
        NAME(V) x_ = NAME(v_load)(at);                                                                                 \
        a = op(a, x_);                                                                                                 \
        see(q, x_);                                                                                                    \
    } while (0)
#define ADD(a, x) ((a) + (x))
#define MULTIPLY(a, x) ((a) * (x))
#define SQUARE(a, x) ((a) + ((x)-pv) * ((x)-pv))
#define AS_IT_IS(e, q) (e)
#define OR_NAN(e, q) (NAME(any_nan)(q) ? (T)WN__NAN_F64 : (e))
RUN4(sum, ADD, add, 0, 0, NOTHING_SEEN, AS_IT_IS)
RUN4(prod, MULTIPLY, mul, 1, 1, NOTHING_SEEN, AS_IT_IS)
RUN4(squares, SQUARE, add, 0, p, NOTHING_SEEN, AS_IT_IS)
RUN4(min, V_MIN, min, (T)WN__INF_F64, (T)WN__INF_F64, V_SEE, OR_NAN)
RUN4(max, V_MAX, max, -(T)WN__INF_F64, -(T)WN__INF_F64, V_SEE, OR_NAN)

/* One run, whose lanes' tree would otherwise be fifteen comparisons one after the other. */
#define RUN1(name, op, init)                                                                                           \
    static void NAME(run_##name)(const void *data, int64_t n, const void *param, void *acc) {                          \
        const T *x = data;                                                                                             \
        T rest[WN__LANES] __attribute__((aligned(64)));                                                                \
        NAME(V) a = NAME(v_splat)(init), b = a;                                                                        \
        NAME(M) q = {0};                                                                                               \
        (void)param;                                                                                                   \
        for (int64_t i = 0; i < n; i += WN__LANES, x += WN__LANES) {                                                   \
            if (n - i < WN__LANES) {                                                                                   \
                NAME(rest)(rest, (const T *)data + i, n - i, init);                                                    \
                x = rest;                                                                                              \
            }                                                                                                          \
            RUN4_STEP(a, q, x, op, V_SEE);                                                                             \
            if (VECTORS > 1) RUN4_STEP(b, q, x + VN, op, V_SEE);                                                       \
        }                                                                                                              \
        if (VECTORS > 1) a = NAME(j_##name)(a, b);                                                                     \
        a = FIRST_HALVES(name, a);                                                                                     \
        a = NAME(j_##name)(a, SPREAD(a, 4, 5, 6, 7));                                                                  \
        a = NAME(j_##name)(a, SPREAD(a, 2, 3, 2, 3));                                                                  \
        a = NAME(j_##name)(a, SPREAD(a, 1, 1, 1, 1));                                                                  \
        *(T *)acc = OR_NAN(a[0], q);                                                                                   \
    }
RUN1(min, V_MIN, (T)WN__INF_F64)
RUN1(max, V_MAX, -(T)WN__INF_F64)
#undef RUN1
#undef FIRST_HALVES
#undef SPREAD
#undef RUN4
#undef RUN4_STEP
#undef AHEAD
#undef ADD
#undef MULTIPLY
#undef SQUARE
#undef AS_IT_IS
#undef OR_NAN
#undef NOTHING_SEEN
#undef TREE
#else
#define ONE_BY_ONE(name)                                                                                               \
    static void NAME(run4_##name)(const void *const *data, int64_t n, const void *param, void *acc) {                  \
        for (int s = 0; s < 4; s++) NAME(run_##name)(data[s], n, param, (T *)acc + s);                                 \
    }
ONE_BY_ONE(sum)
ONE_BY_ONE(prod)
ONE_BY_ONE(squares)
ONE_BY_ONE(min)
ONE_BY_ONE(max)
#undef ONE_BY_ONE
#endif
