/* Depthwise sums with a vector's lanes as channels: positions [x][lane], `apart` elements from one to the next, taps [k][lane]. A template like
 * gemm_tile.h. */
#define PLANE_COUNTS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define PLANE_CASE(N) case N: PLANE_RUN(N); break;

/* N neighbours of a row at a time: their sums are independent. */
INLINE void OF(plane_row)(const int N, int64_t taps, const T *w, const int64_t *shift, const T *in, int64_t step, T *out, int64_t apart, V add) {
    V sum[8];
    _Pragma("GCC unroll 8") for (int v = 0; v < N; v++) sum[v] = add;
    NO_UNROLL for (int64_t k = 0; k < taps; k++) {
        const T *from = in + shift[k];
        V x = LOADV(w + k * LANES);
        IN_REGISTER(x);
        _Pragma("GCC unroll 8") for (int v = 0; v < N; v++) sum[v] += LOADV(from + v * step) * x;
    }
    _Pragma("GCC unroll 8") for (int v = 0; v < N; v++) STOREV(out + v * apart, sum[v]);
}

static void OF(plane)(int64_t n, int64_t taps, const void *w, const int64_t *shift, const void *in, int64_t step, void *out, int64_t apart, const void *add) {
    const V start = LOADV(add);
    const T *x = in;
    T *y = out;
    for (int64_t left = n, blocks = (n + 7) / 8, m; left > 0; left -= m, blocks--, x += m * step, y += m * apart) {
        m = blocks == 1 ? left : (left + blocks - 1) / blocks; /* dealt evenly */
        switch (m) {
#define PLANE_RUN(N) OF(plane_row)(N, taps, w, shift, x, step, y, apart, start)
            PLANE_COUNTS(PLANE_CASE)
#undef PLANE_RUN
        }
    }
}

/* N taps at a time: the sums of tap k at `to[k]`. */
INLINE void OF(plane_taps)(const int N, int64_t n, const int64_t *shift, const int64_t *to, const T *in, int64_t step, const T *dy, int64_t apart, T *sums) {
    V sum[8];
    const T *from[8];
    _Pragma("GCC unroll 8") for (int k = 0; k < N; k++) sum[k] = LOADV(sums + to[k]), from[k] = in + shift[k];
    NO_UNROLL for (int64_t i = 0; i < n; i++) {
        V g = LOADV(dy + i * apart);
        IN_REGISTER(g);
        _Pragma("GCC unroll 8") for (int k = 0; k < N; k++) sum[k] += LOADV(from[k] + i * step) * g;
    }
    _Pragma("GCC unroll 8") for (int k = 0; k < N; k++) STOREV(sums + to[k], sum[k]);
}

static void OF(plane_dots)(int64_t n, int64_t taps, const int64_t *shift, const int64_t *to, const void *in, int64_t step, const void *dy, int64_t apart, void *sums) {
    for (int64_t left = taps, blocks = (taps + 7) / 8, m; left > 0; left -= m, blocks--, shift += m, to += m) {
        m = blocks == 1 ? left : (left + blocks - 1) / blocks;
        switch (m) {
#define PLANE_RUN(N) OF(plane_taps)(N, n, shift, to, in, step, dy, apart, sums)
            PLANE_COUNTS(PLANE_CASE)
#undef PLANE_RUN
        }
    }
}
#undef PLANE_COUNTS
#undef PLANE_CASE
