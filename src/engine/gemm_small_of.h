/* Sums of gemm_small.c that are computed element by element in T; included behind as_f32.h or as_f64.h. */

/* Transposes a B with rows along k to [k][n]. */
static void OF(turn)(const small *s, const T *b, T *to) {
    for (int64_t j = 0; j < s->n; j++, b += s->ldb)
        for (int64_t p = 0; p < s->k; p++) to[p * s->n + j] = b[p * s->skb];
}

INLINE void OF(tiny)(const small *s, const T *a, const T *b, T *c, const int64_t k) {
    const T alpha = (T)s->g->alpha, beta = (T)s->g->beta;
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            const T *x = a + i * s->lda, *y = b + j * s->ldb;
            T sum = x[0] * y[0], *to = c + i * s->ldc + j * s->snc;
            for (int64_t p = 1; p < k; p++) sum += x[p * s->ska] * y[p * s->skb];
            *to = s->g->beta == 0 ? alpha * sum : alpha * sum + beta * *to;
        }
}
static void OF(tiny_of)(const small *s, const void *a, const void *b, void *c) {
    if (s->k == 2) OF(tiny)(s, a, b, c, 2);
    else if (s->k == 3) OF(tiny)(s, a, b, c, 3);
    else if (s->k == 4) OF(tiny)(s, a, b, c, 4);
    else OF(tiny)(s, a, b, c, s->k);
}
