/* Selection among keys of T: included by select.c behind as_u32.h and as_u64.h. */

/* Key number k (from 0) in ascending order of key[0 .. n); *before: how many are smaller. The array is overwritten. */
static T OF(select)(T *key, int64_t n, int64_t k, int bits, int64_t *before) {
    int64_t count[1 << 11];
    *before = 0;
    while (n > FEW && bits > 0) {
        int width = n > 2048 && bits > 8 ? 11 : 8, low = bits > width ? bits - width : 0;
        T mask = (T)(((T)1 << (bits - low)) - 1), digit = 0;
        memset(count, 0, ((size_t)mask + 1) * sizeof *count);
        for (int64_t i = 0; i < n; i++) count[key[i] >> low & mask]++;
        for (; k >= count[digit]; digit++) {
            k -= count[digit];
            *before += count[digit];
        }
        int64_t kept = 0;
        for (int64_t i = 0; count[digit] < n && i < n; i++) {
            T v = key[i];
            key[kept] = v;
            kept += (v >> low & mask) == digit;
        }
        n = count[digit];
        bits = low;
    }
    if (bits == 0) return key[0]; /* all that are left are equal */
    for (int64_t i = 1; i < n; i++) {
        T v = key[i];
        int64_t p = i;
        for (; p > 0 && key[p - 1] > v; p--) key[p] = key[p - 1];
        key[p] = v;
    }
    for (int64_t i = 0; i < k && key[i] < key[k]; i++) ++*before;
    return key[k];
}
