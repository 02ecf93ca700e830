/* Folds of neighbours in T: included by segment.c behind as_f32.h and as_f64.h. */

/* One segment of `inner` lines side by side; as in torch a maximum begins with initial or -inf, a NaN wins. */
static void OF(fold_segments)(void *ctx, int64_t begin, int64_t end) {
    const segments *x = ctx;
    const int64_t inner = x->inner;
    static const double start[] = {0, 0, -INFINITY, INFINITY, 1};
    const T first = (T)(x->has_initial ? x->initial : start[x->how]);
    for (int64_t s = begin; s < end; s++) {
        const int64_t line = s / x->count, *at = x->offsets + line * (x->count + 1) + s % x->count, n = at[1] - at[0];
        const T *from = (const T *)x->data + (line * x->length + at[0]) * inner;
        T *to = (T *)x->out + s * inner;
        for (int64_t i = 0; i < inner; i++) to[i] = first;
        for (int64_t k = 0; k < n; k++, from += inner) {
            switch (x->how) {
            case F_SUM:
            case F_MEAN:
                for (int64_t i = 0; i < inner; i++) to[i] += from[i];
                break;
            case F_PROD:
                for (int64_t i = 0; i < inner; i++) to[i] *= from[i];
                break;
            case F_MAX:
                for (int64_t i = 0; i < inner; i++) to[i] = from[i] > to[i] || IS_NAN(from[i]) ? from[i] : to[i];
                break;
            default:
                for (int64_t i = 0; i < inner; i++) to[i] = from[i] < to[i] || IS_NAN(from[i]) ? from[i] : to[i];
            }
        }
        if (x->how != F_MEAN) continue;
        if (n == 0 && !x->has_initial)
            for (int64_t i = 0; i < inner; i++) to[i] = (T)NAN;
        for (int64_t i = 0; i < inner && n > 0; i++)
            if (!IS_NAN(to[i])) to[i] /= (T)n;
    }
}
