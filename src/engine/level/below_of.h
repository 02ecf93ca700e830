/* Keys of type T below a bar: included by keys.c behind as_u32.h or as_u64.h. */

static inline T OF(least)(const T *key, int n, T flip) {
    T low = (T)-1;
    for (int k = 0; k < n; k++) {
        const T v = key[k] ^ flip;
        low = v < low ? v : low;
    }
    return low;
}

/* Seldom any: the whole, then pieces are passed by at the speed of vectors. */
static int OF(below)(const T *key, int n, T flip, T bar, uint16_t *at) {
    int found = 0;
    if (OF(least)(key, n, flip) >= bar) return 0;
    for (int i = 0; i < n; i += PIECE) {
        const int m = n - i < PIECE ? n - i : PIECE;
        if (m == PIECE && OF(least)(key + i, PIECE, flip) >= bar) continue;
        for (int k = 0; k < m; k++) {
            at[found] = (uint16_t)(i + k);
            found += (key[i + k] ^ flip) < bar;
        }
    }
    return found;
}
