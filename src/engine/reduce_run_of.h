/* Runs of one floating type, T, as they lie in memory as S: included by reduce_float_of.h with K(x) (names of what is defined here), FROM(at)
 * (a register of elements), PART(at, n) (of which only n are there, the others 0), either FILL(at, lo, hi, none)
 * (those from lo up to hi, the others none) or AS_STORED(v) (0 or an infinity). Lanes stay in registers until a single value is left; one run
 * after the other keeps reading one stream, and their chains overlap: nothing but predictable branches lies between. */

/* A register of elements into accumulators a. */
INLINE void K(step_one)(const wn__fold f, OF(lanes) *s, V *a, const V x) {
    *a = OF(with)(f, *a, x, s->p);
    OF(see)(f, &s->q, x, x);
}
/* Two of them, so that one comparison looks for NaN in both. */
INLINE void K(step_two)(const wn__fold f, OF(lanes) *s, V *a, V *b, const V x, const V y) {
    *a = OF(with)(f, *a, x, s->p);
    *b = OF(with)(f, *b, y, s->p);
    OF(see)(f, &s->q, x, y);
}
/* One more element into each lane. */
INLINE void K(step_lanes)(const wn__fold f, OF(lanes) *s, const S *x) {
    if (VECTORS == 1) K(step_one)(f, s, &s->a0, FROM(x));
    if (VECTORS > 1) K(step_two)(f, s, &s->a0, &s->a1, FROM(x), FROM(x + VN));
    if (VECTORS > 2) K(step_two)(f, s, &s->a2, &s->a3, FROM(x + 2 * VN), FROM(x + 3 * VN));
    if (VECTORS > 4) {
        K(step_two)(f, s, &s->a4, &s->a5, FROM(x + 4 * VN), FROM(x + 5 * VN));
        K(step_two)(f, s, &s->a6, &s->a7, FROM(x + 6 * VN), FROM(x + 7 * VN));
    }
}
/* As many elements as give each lane the same number; where the first one lies of the *n that are left. Where one register is all lanes, it
 * takes two in turn. */
INLINE const S *K(whole_lanes)(const wn__fold f, OF(lanes) *s, const S *x, int64_t *n) {
    if (VECTORS == 1)
        for (; *n >= 4 * WN__LANES; *n -= 4 * WN__LANES, x += 2 * WN__LANES) {
            K(step_two)(f, s, &s->a0, &s->a0, FROM(x), FROM(x + VN));
            x += 2 * WN__LANES;
            K(step_two)(f, s, &s->a0, &s->a0, FROM(x), FROM(x + VN));
        }
    for (; *n >= WN__LANES; *n -= WN__LANES, x += WN__LANES) K(step_lanes)(f, s, x);
    return x;
}
/* The n elements behind the last whole 16 ones: lanes that get none stay as they are. */
INLINE void K(step_part)(const wn__fold f, OF(lanes) *s, V *a, const S *x, int64_t n) {
    if (n <= 0) return;
    const V e = PART(x, n);
    *a = OF(pick)(OF(first)(n), OF(with)(f, *a, e, s->p), *a);
    OF(see)(f, &s->q, e, e);
}
INLINE void K(step_rest)(const wn__fold f, OF(lanes) *s, const S *x, int64_t n) {
    K(step_part)(f, s, &s->a0, x, n);
    if (VECTORS > 1) K(step_part)(f, s, &s->a1, x + VN, n - VN);
    if (VECTORS > 2) {
        K(step_part)(f, s, &s->a2, x + 2 * VN, n - 2 * VN);
        K(step_part)(f, s, &s->a3, x + 3 * VN, n - 3 * VN);
    }
    if (VECTORS > 4) {
        K(step_part)(f, s, &s->a4, x + 4 * VN, n - 4 * VN);
        K(step_part)(f, s, &s->a5, x + 5 * VN, n - 5 * VN);
        K(step_part)(f, s, &s->a6, x + 6 * VN, n - 6 * VN);
        K(step_part)(f, s, &s->a7, x + 7 * VN, n - 7 * VN);
    }
}

/* A run of at most WN__RUN elements. */
INLINE T K(fold)(const wn__fold f, const S *x, int64_t n, T p) {
    OF(lanes) s = OF(no_lanes)(f, p);
    x = K(whole_lanes)(f, &s, x, &n);
    if (n > 0) K(step_rest)(f, &s, x, n);
    return OF(of_lanes)(f, &s);
}

/* Elements for lanes lo to hi, of which the first lies at x, between others that change nothing: in registers where the machine can load
 * some of a register, by way of memory where it cannot. */
#ifndef FILL
static WN__ONCE void K(filled)(S *to, const S *x, int64_t lo, int64_t hi, S none) {
    for (int64_t i = 0; i < WN__LANES; i++) to[i] = none;
    memcpy(to + lo, x, (size_t)((hi < WN__LANES ? hi : WN__LANES) - lo) * sizeof *to);
}
INLINE void K(step_some)(const wn__fold f, OF(lanes) *s, const S *x, int64_t lo, int64_t hi) {
    S some[WN__LANES] __attribute__((aligned(64)));
    K(filled)(some, x, lo, hi, AS_STORED(OF(nothing)(f)));
    K(step_lanes)(f, s, some);
}
#else
INLINE void K(step_fill)(const wn__fold f, OF(lanes) *s, V *a, const S *x, int64_t lo, int64_t hi) {
    K(step_one)(f, s, a, FILL(x, lo, hi, OF(nothing)(f)));
}
INLINE void K(step_some)(const wn__fold f, OF(lanes) *s, const S *x, int64_t lo, int64_t hi) {
    K(step_fill)(f, s, &s->a0, x - lo, lo, hi);
    if (VECTORS > 1) K(step_fill)(f, s, &s->a1, x - lo + VN, lo - VN, hi - VN);
    if (VECTORS > 2) {
        K(step_fill)(f, s, &s->a2, x - lo + 2 * VN, lo - 2 * VN, hi - 2 * VN);
        K(step_fill)(f, s, &s->a3, x - lo + 3 * VN, lo - 3 * VN, hi - 3 * VN);
    }
}
#endif

/* Runs of several rows that come in pieces, the lanes kept in memory meanwhile. whole: what folds the lanes of a whole run. */
INLINE void K(feed)(const wn__fold f, const OF(fold_fn) whole, const S *data, int64_t step, int64_t rows, int64_t n, int64_t done,
                    const void *param, T *lane, T *ends) {
    const T p = OF(scalar)(param);
    for (int64_t r = 0; r < rows; r++, lane += WN__LANES) {
        const S *x = data + r * step;
        T *end = ends + r;
        OF(lanes) s = OF(no_lanes)(f, p);
        for (int64_t rest = n, at = done; rest > 0;) {
            OF(lanes_from)(&s, lane);
            if (!at) s.a0 = s.a1 = s.a2 = s.a3 = s.a4 = s.a5 = s.a6 = s.a7 = OF(empty)(f);
            int64_t left = rest < WN__RUN - at ? rest : WN__RUN - at;
            const int64_t held = at % WN__LANES;
            rest -= left, at += left;
            if (held) {
                K(step_some)(f, &s, x, held, held + left);
                x += WN__LANES - held, left -= WN__LANES - held;
            }
            x = K(whole_lanes)(f, &s, x, &left);
            if (left > 0) {
                K(step_some)(f, &s, x, 0, left);
                x += left;
            }
            OF(lanes_to)(f, &s, lane);
            if (at < WN__RUN) break;
            *end = whole(lane, WN__LANES, 0);
            end += rows, at = 0;
        }
    }
}

/* ---- the kernels */
#define FOLD(name, f) static T K(fold_##name)(const void *x, int64_t n, T p) { return K(fold)(f, x, n, p); }
#define FEED(name, all, f)                                                                                             \
    static void K(feed_##name)(const void *data, int64_t step, int64_t rows, int64_t n, int64_t done, const void *param, void *lanes, void *ends) { \
        K(feed)(f, OF(fold_##all), data, step, rows, n, done, param, lanes, ends); }
FOLD(sum, WN__FOLD_SUM)
FOLD(squares, WN__FOLD_SQUARES)
FOLD(min, WN__FOLD_MIN)
FOLD(max, WN__FOLD_MAX)
FEED(sum, sum, WN__FOLD_SUM)
#ifndef FROM_HALF
FOLD(prod, WN__FOLD_PROD)
FOLD(shifted, WN__FOLD_SHIFTED)
FEED(squares, sum, WN__FOLD_SQUARES)
FEED(min, min, WN__FOLD_MIN)
FEED(max, max, WN__FOLD_MAX)
#endif
#undef FOLD
#undef FEED
