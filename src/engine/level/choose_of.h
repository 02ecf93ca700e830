/* A comparison of elements of T and the selection by it in one, without a mask of bytes between them, which would be
 * two thirds more work: included by pointwise_kernels.c behind an as_ file. */
INLINE bool OF(holds)(const int comparison, T a, T b) {
    switch (comparison) {
    case WN__CHOOSE_EQ: return a == b;
    case WN__CHOOSE_NE: return a != b;
    case WN__CHOOSE_LT: return a < b;
    case WN__CHOOSE_LE: return a <= b;
    case WN__CHOOSE_GT: return a > b;
    default: return a >= b;
    }
}
INLINE void OF(choose)(const int comparison, int64_t n, T *o, const void *const *in) {
    const T *a = in[0], *b = in[1], *c = in[2], *d = in[3];
    WN__IVDEP for (int64_t i = 0; i < n; i++) {
        const T x = c[i], y = d[i];
        o[i] = OF(holds)(comparison, a[i], b[i]) ? x : y;
    }
}
static void OF(choose_eq)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_EQ, n, out, in); }
static void OF(choose_ne)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_NE, n, out, in); }
static void OF(choose_lt)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_LT, n, out, in); }
static void OF(choose_le)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_LE, n, out, in); }
static void OF(choose_gt)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_GT, n, out, in); }
static void OF(choose_ge)(int64_t n, void *out, const void *const *in) { OF(choose)(WN__CHOOSE_GE, n, out, in); }
