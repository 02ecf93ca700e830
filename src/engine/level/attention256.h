/* Attention with AVX2: f32 scores to weights, and back. Included by attention_vec.h. */
static void soften_f32(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc, int64_t width) {
    float shift[LANES];
    const V f = _mm256_set1_ps((float)by);
    shifts_f32(rows, cols, s, ld, (float)by, max, sum, acc, width, shift);
    for (int64_t i = 0; i < rows; i++) {
        float *x = (float *)s + i * ld;
        const V z = _mm256_set1_ps(shift[i]);
        V a = _mm256_setzero_ps(), w[BLOCK];
        for (int64_t j = 0; j < cols; j += BLOCK * VECTOR) { /* -inf from cols to whole blocks */
            EACH w[u] = _mm256_fmsub_ps(_mm256_loadu_ps(x + j + u * VECTOR), f, z);
            weights(w);
            a = _mm256_add_ps(a, _mm256_add_ps(_mm256_add_ps(w[0], w[1]), _mm256_add_ps(w[2], w[3])));
            EACH _mm256_storeu_ps(x + j + u * VECTOR, w[u]);
        }
        ((float *)sum)[i] += total(a);
    }
}

static void back_f32(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by, const void *lse, const void *delta, double scale,
                     struct wn__attention_pairs pairs) {
    const V f = _mm256_set1_ps((float)by), k = _mm256_set1_ps((float)scale);
    (void)pairs;
    for (int64_t i = 0; i < rows; i++) {
        float *p = (float *)s + i * ld, *d = (float *)ds + i * ld;
        const float lowest = ((const float *)lse)[i] * (float)UNIT_f32;
        const V z = _mm256_set1_ps(lowest), of = _mm256_set1_ps(((const float *)delta)[i]);
        const bool none = lowest == -INFINITY; /* nothing counted */
        for (int64_t j = 0; j < cols && !none; j += BLOCK * VECTOR) { /* what lies behind cols is room */
            V w[BLOCK];
            EACH w[u] = _mm256_fmsub_ps(_mm256_loadu_ps(p + j + u * VECTOR), f, z);
            weights(w);
            EACH _mm256_storeu_ps(d + j + u * VECTOR, _mm256_mul_ps(_mm256_mul_ps(w[u], _mm256_sub_ps(_mm256_loadu_ps(d + j + u * VECTOR), of)), k));
            EACH _mm256_storeu_ps(p + j + u * VECTOR, w[u]);
        }
        for (int64_t j = none ? 0 : cols; j < fill; j++) p[j] = d[j] = 0;
    }
}
