/* Linear maps along dimensions of type T: included by taps.c behind an as_ file. Of u64, sums wrap. */

static void OF(add)(int64_t n, void *restrict acc, const void *restrict x, const void *weight, bool fresh) {
    T *restrict a = acc;
    const T *restrict b = x;
    if (!weight) {
        if (fresh)
            for (int64_t i = 0; i < n; i++) a[i] = b[i];
        else
            for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + b[i]);
        return;
    }
    const T w = *(const T *)weight;
    if (fresh)
        for (int64_t i = 0; i < n; i++) a[i] = (T)(w * b[i]);
    else
        for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + w * b[i]);
}

static void OF(combine)(int64_t n, const int64_t *first, const int64_t *start, const void *weight, int64_t origin,
                        const void *restrict x, void *restrict y) {
    const T *restrict b = (const T *)x, *w = weight;
    T *restrict to = y;
    if (!w && start[n] - start[0] == n) { /* one element each, unless some have none */
        for (int64_t i = 0; i < n; i++) to[i] = start[i + 1] > start[i] ? b[first[i] - origin] : 0;
        if (start[n] - start[0] == n) {
            bool single = true;
            for (int64_t i = 0; i < n; i++) single &= start[i + 1] - start[i] == 1;
            if (single) return;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t taps = start[i + 1] - start[i];
        const T *at = b + (first[i] - origin);
        T sum = 0;
        if (w) {
            const T *by = w + start[i];
            if (taps == 2) sum = (T)(by[0] * at[0] + by[1] * at[1]);
            else
                for (int64_t k = 0; k < taps; k++) sum = (T)(sum + by[k] * at[k]);
        } else {
            for (int64_t k = 0; k < taps; k++) sum = (T)(sum + at[k]);
        }
        to[i] = sum;
    }
}

#if FLOATING
/* In the order of the vectors: a result does not depend on where its row is cut. */
static void OF(combine_few)(int64_t n, int taps, const int64_t *at, const void *weight, const void *keep,
                            const void *restrict from, void *restrict to) {
    const T *x = from, *w = weight;
    const I *in = keep;
    T *y = to;
    int64_t i = w ? OF(whole)(n, taps, at, w, in, x, y) : 0;
    if (w) {
        for (; i < n && taps == 1; i++) y[i] = OF(keep)(x[at[i]], in[i]) * w[i];
        for (; i < n && taps == 2; i++) {
            const T *v = x + at[i];
            y[i] = OF(keep)(v[0], in[2 * i]) * w[2 * i] + OF(keep)(v[1], in[2 * i + 1]) * w[2 * i + 1];
        }
        for (; i < n; i++) {
            const T *v = x + at[i], *u = w + 4 * i;
            const I *k = in + 4 * i;
            y[i] = (OF(keep)(v[0], k[0]) * u[0] + OF(keep)(v[1], k[1]) * u[1]) +
                   (OF(keep)(v[2], k[2]) * u[2] + OF(keep)(v[3], k[3]) * u[3]);
        }
    } else {
        for (; i < n && taps == 1; i++) y[i] = x[at[i]];
        for (; i < n && taps == 2; i++) y[i] = x[at[i]] + x[at[i] + 1];
        for (; i < n; i++) y[i] = (x[at[i]] + x[at[i] + 1]) + (x[at[i] + 2] + x[at[i] + 3]);
    }
}
#endif
