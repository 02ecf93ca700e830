/* Masks of T as bits: included by index_mask.c for every type. */

/* Wider elements than bytes: first to bytes, 64 at a time, in loops that compilers vectorise. */
static void OF(words)(const void *src, uint64_t *w, int64_t n) {
    const T *x = src;
    for (int64_t k = 0; k < n; k++, x += 64) {
        uint8_t set[64];
        for (int i = 0; i < 64 && sizeof(T) > 1; i++) set[i] = x[i] != 0;
        w[k] = bits_of_bytes(sizeof(T) > 1 ? set : (const uint8_t *)x);
    }
}
