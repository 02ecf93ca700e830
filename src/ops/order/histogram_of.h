/* Bins of T: included by histogram.c behind as_f32.h and as_f64.h. */

/* The first edge above v. */
static int64_t OF(above)(const T *edge, int64_t n, T v) {
    int64_t low = 0;
    while (low < n) {
        int64_t mid = low + (n - low) / 2;
        if (v < edge[mid]) n = mid;
        else low = mid + 1;
    }
    return low;
}

/* -1: in none. */
static int64_t OF(find)(const axis *x, find_how how, T v) {
    T low = (T)x->low, high = (T)x->high;
    const T *edge = x->edge;
    if (!(v >= low && v <= high)) return -1;
    int64_t at;
    if (how == BY_SEARCH) {
        at = OF(above)(edge, x->bins + 1, v) - 1;
    } else {
        at = (int64_t)((v - low) * (T)x->bins / (high - low));
        if (how == BY_STEP_CHECKED) {
            int64_t from = at > 0 ? at - 1 : 0, to = at + 2 < x->bins + 1 ? at + 2 : x->bins + 1;
            at = from + OF(above)(edge + from, to - from, v) - 1;
        }
    }
    return at >= x->bins ? x->bins - 1 : at;
}

/* Equal bins of one dimension, counted: first a block's bins, without a branch, then the counts. */
static void OF(count_steps)(const axis *e, const T *x, int64_t n, int64_t *counts) {
    const T low = (T)e->low, high = (T)e->high, bins = (T)e->bins;
    const int32_t last = (int32_t)e->bins - 1;
    int32_t bin[BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int m = n - i < BLOCK ? (int)(n - i) : BLOCK;
        for (int k = 0; k < m; k++) {
            const T v = x[i + k], at = (v - low) * bins / (high - low);
            const int32_t b = (int32_t)((v >= low && v <= high) ? at : -1);
            bin[k] = b > last ? last : b;
        }
        for (int k = 0; k < m; k++)
            if (bin[k] >= 0) counts[bin[k]]++;
    }
}

/* What n elements span, added to *e. */
static void OF(widen)(extremes *e, const wn__reduce_kernels *k, int64_t n) {
    const wn__elem elem = sizeof(T) == 4 ? WN__E_F32 : WN__E_F64;
    for (int64_t i = 0; i < n; i += WN__RUN) {
        const int64_t m = n - i < WN__RUN ? n - i : WN__RUN;
        T low, high;
        k->run[WN__FOLD_MIN][elem]((const T *)e->p + i, m, NULL, &low);
        k->run[WN__FOLD_MAX][elem]((const T *)e->p + i, m, NULL, &high);
        e->low = (double)low < e->low || low != low ? (double)low : e->low;
        e->high = (double)high > e->high || high != high ? (double)high : e->high;
    }
}
