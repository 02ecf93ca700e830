/* Draws that are `one` or 0, in elements as wide as T. rng_philox.c includes this for integers of each size. */

INLINE void OF(flags)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    T *restrict o = out;
    const T one = (T)a->one;
    const uint32_t limit = a->limit;
    for (int i = 0; i < WN__PX_BLOCK; i++) o[i] = w[i] <= limit ? one : 0;
}

/* Each element with a probability of its own. */
INLINE void OF(flags_each)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    T *restrict o = out;
    const double *restrict p = a->p;
    const T one = (T)a->one;
    for (int i = 0; i < WN__PX_BLOCK; i++) {
        double u = (double)(int32_t)(w[i] ^ 0x80000000u) + 0x1p31;
        o[i] = u < p[i] * 0x1p32 ? one : 0;
    }
}
