/* Elements as wide as T written in their order: included by sort.c behind as_i8.h to as_i64.h. */

INLINE void OF(write_elements)(const writing *w, int64_t begin, int64_t end) {
    const T *x = (const T *)(const void *)w->l->p;
    T *y = (T *)(void *)w->values;
    for (int64_t i = begin; i < end; i++) y[i * w->stride] = x[wn__order_index(w->o, i) * w->l->stride];
}

/* Of several lines, whose places are written. */
INLINE void OF(write_element)(const sort_job *j, const wn__rows *r, int64_t *const *at, int64_t stride, int64_t apart, int64_t i, int l) {
    ((T *)(void *)j->vp)[at[l] - j->ip + i * stride] = ((const T *)(const void *)r->line[l])[at[l][i * stride] * apart];
}
INLINE void OF(write_rows)(const sort_job *j, const wn__rows *r, int64_t *const *at, int64_t stride) {
    const int64_t k = j->k, apart = r->stride;
    if (stride == 1)
        for (int l = 0; l < r->lines; l++)
            for (int64_t i = 0; i < k; i++) OF(write_element)(j, r, at, stride, apart, i, l);
    else
        for (int64_t i = 0; i < k; i++)
            for (int l = 0; l < r->lines; l++) OF(write_element)(j, r, at, stride, apart, i, l);
}
