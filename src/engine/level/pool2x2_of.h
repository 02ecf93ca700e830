/* Maximum pooling with 2 x 2 or 1 x 2 windows side by side, LANES outputs at a time: included by maxpool_of.h for each
 * width, with K(name) as the name of a function of this width. In vector extensions, because the compilers do not
 * vectorise the mixture of widths. */
typedef T K(vec) __attribute__((vector_size(LANES * sizeof(T))));
typedef T K(loose) __attribute__((vector_size(LANES * sizeof(T)), aligned(sizeof(T)), may_alias));
typedef I K(ints) __attribute__((vector_size(LANES * sizeof(I))));
typedef uint8_t K(bytes) __attribute__((vector_size(LANES)));
typedef uint8_t K(loose_bytes) __attribute__((vector_size(LANES), aligned(1), may_alias));

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

INLINE K(vec) K(load)(const T *at) { return *(const K(loose) *)at; }
INLINE void K(store)(T *at, K(vec) x) { *(K(loose) *)at = x; }
INLINE K(ints) K(pick)(K(ints) which, K(ints) a, K(ints) b) { return (which & a) | (~which & b); }
INLINE K(ints) K(wins)(K(vec) b, K(vec) a) { return (K(ints))(b > a) | (K(ints))(b != b); }
INLINE void K(number)(uint8_t *at, K(ints) x) { *(K(loose_bytes) *)at = __builtin_convertvector(x, K(bytes)); }

/* best, at: the maxima of the windows over x (upper row) and y (lower row), and their numbers 0 .. 3. The first of
 * equal ones wins, the last NaN does. */
INLINE void K(four)(const T *x, const T *y, T *best, uint8_t *at) {
    const K(vec) x0 = K(load)(x), x1 = K(load)(x + LANES), y0 = K(load)(y), y1 = K(load)(y + LANES);
    const K(vec) a = __builtin_shufflevector(x0, x1, EVEN), b = __builtin_shufflevector(x0, x1, ODD);
    const K(vec) c = __builtin_shufflevector(y0, y1, EVEN), d = __builtin_shufflevector(y0, y1, ODD);
    const K(ints) right = K(wins)(b, a), low_right = K(wins)(d, c);
    const K(vec) top = (K(vec))K(pick)(right, (K(ints))b, (K(ints))a);
    const K(vec) low = (K(vec))K(pick)(low_right, (K(ints))d, (K(ints))c);
    const K(ints) take = K(wins)(low, top);
    K(store)(best, (K(vec))K(pick)(take, (K(ints))low, (K(ints))top));
    K(number)(at, K(pick)(take, 2 - low_right, -right)); /* a true mask is -1 */
}
/* Of windows of one row. */
INLINE void K(two)(const T *x, T *best, uint8_t *at) {
    const K(vec) x0 = K(load)(x), x1 = K(load)(x + LANES);
    const K(vec) a = __builtin_shufflevector(x0, x1, EVEN), b = __builtin_shufflevector(x0, x1, ODD);
    const K(ints) right = K(wins)(b, a);
    K(store)(best, (K(vec))K(pick)(right, (K(ints))b, (K(ints))a));
    K(number)(at, -right);
}
/* x: each element of g at its place in its window, whose numbers here are first and first + 1; zeros elsewhere. */
INLINE void K(spread)(const T *g, const uint8_t *at, int first, T *x) {
    const K(bytes) number = *(const K(loose_bytes) *)at;
    const K(ints) v = (K(ints))K(load)(g), k = __builtin_convertvector(number, K(ints));
    const K(vec) a = (K(vec))((k == first) & v), b = (K(vec))((k == first + 1) & v);
    K(store)(x, __builtin_shufflevector(a, b, LOW));
    K(store)(x + LANES, __builtin_shufflevector(a, b, HIGH));
}

/* The same for rows of n outputs; false: there are fewer than LANES, or the level's vectors are narrower, of which GCC
 * would make elements. Rows are often short (7, 14, 28): the last block overlaps the one before it, doing some outputs
 * twice. */
INLINE bool K(fours)(int64_t n, const T *x, const T *y, T *best, uint8_t *at) {
    if (LANES * sizeof(T) > VB || n < LANES) return false;
    for (int64_t o = 0; o < n; o += LANES) {
        if (o + LANES > n) o = n - LANES;
        K(four)(x + 2 * o, y + 2 * o, best + o, at + o);
    }
    return true;
}
INLINE bool K(twos)(int64_t n, const T *x, T *best, uint8_t *at) {
    if (LANES * sizeof(T) > VB || n < LANES) return false;
    for (int64_t o = 0; o < n; o += LANES) {
        if (o + LANES > n) o = n - LANES;
        K(two)(x + 2 * o, best + o, at + o);
    }
    return true;
}
INLINE bool K(spreads)(int64_t n, const T *g, const uint8_t *at, int first, T *x) {
    if (LANES * sizeof(T) > VB || n < LANES) return false;
    for (int64_t o = 0; o < n; o += LANES) {
        if (o + LANES > n) o = n - LANES;
        K(spread)(g + o, at + o, first, x + 2 * o);
    }
    return true;
}
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef LANES
#undef K
