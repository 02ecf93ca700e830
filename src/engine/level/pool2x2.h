/* Maximum pooling with 2 x 2 or 1 x 2 windows side by side, LANES outputs at a time: a template over T (element), I (an integer as wide)
 * and LANES, in vector extensions because the compilers do not vectorise the mixture of widths. No include guard: included
 * once for each type and width. */
typedef T NAME(v) __attribute__((vector_size(LANES * sizeof(T))));
typedef T NAME(vu) __attribute__((vector_size(LANES * sizeof(T)), aligned(sizeof(T)), may_alias));
typedef I NAME(w) __attribute__((vector_size(LANES * sizeof(I))));
typedef uint8_t NAME(b) __attribute__((vector_size(LANES)));
typedef uint8_t NAME(bu) __attribute__((vector_size(LANES), aligned(1), may_alias));

#define V NAME(v)
#define W NAME(w)
#define LOADV(p) ((V) * (const NAME(vu) *)(p))
#define STOREV(p, x) (*(NAME(vu) *)(p) = (x))
#define SELECT(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))
#if LANES == 16
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif LANES == 8
#define EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define ODD 1, 3, 5, 7, 9, 11, 13, 15
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define EVEN 0, 2, 4, 6
#define ODD 1, 3, 5, 7
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#endif

/* best, at: the maxima of the windows over x (upper row) and y (lower row), and their numbers 0 .. 3. The first of equal ones
 * wins, the last NaN does. */
static inline void NAME(four)(const T *x, const T *y, T *best, uint8_t *at) {
    const V x0 = LOADV(x), x1 = LOADV(x + LANES), y0 = LOADV(y), y1 = LOADV(y + LANES);
    const V a = __builtin_shufflevector(x0, x1, EVEN), b = __builtin_shufflevector(x0, x1, ODD);
    const V c = __builtin_shufflevector(y0, y1, EVEN), d = __builtin_shufflevector(y0, y1, ODD);
    const W right = (W)(b > a) | (W)(b != b), low_right = (W)(d > c) | (W)(d != d);
    const V top = (V)SELECT(right, (W)b, (W)a), low = (V)SELECT(low_right, (W)d, (W)c);
    const W take = (W)(low > top) | (W)(low != low);
    STOREV(best, (V)SELECT(take, (W)low, (W)top));
    const W number = SELECT(take, 2 - low_right, -right); /* a true mask is -1 */
    *(NAME(bu) *)at = __builtin_convertvector(number, NAME(b));
}
/* Of windows of one row. */
static inline void NAME(two)(const T *x, T *best, uint8_t *at) {
    const V x0 = LOADV(x), x1 = LOADV(x + LANES), a = __builtin_shufflevector(x0, x1, EVEN), b = __builtin_shufflevector(x0, x1, ODD);
    const W right = (W)(b > a) | (W)(b != b);
    STOREV(best, (V)SELECT(right, (W)b, (W)a));
    *(NAME(bu) *)at = __builtin_convertvector(-right, NAME(b));
}

/* x: each element of g at its place in its window, whose numbers here are first and first + 1; zeros elsewhere. */
static inline void NAME(spread)(const T *g, const uint8_t *at, int first, T *x) {
    const W v = (W)LOADV(g), k = __builtin_convertvector((NAME(b)) * (const NAME(bu) *)at, W);
    const V a = (V)((k == first) & v), b = (V)((k == first + 1) & v);
    STOREV(x, __builtin_shufflevector(a, b, LOW));
    STOREV(x + LANES, __builtin_shufflevector(a, b, HIGH));
}
#undef V
#undef W
#undef LOADV
#undef STOREV
#undef SELECT
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef LANES
#undef NAME
