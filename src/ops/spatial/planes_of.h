/* Elements of planes by index, T being their type or as wide: included by planes.c behind as_TYPE.h. */

/* Elements meet where windows overlap: they are added in their order, in the compute type. Index -1: of a window without elements. */
INLINE bool OF(put)(const planes_job *j, const int64_t *at, const T *x, T *y) {
    memset(y, 0, (size_t)j->area * sizeof *y);
    for (int64_t i = 0; i < j->inner; i++) {
        if (at[i] == -1 && j->add) continue;
        if (at[i] < 0 || at[i] >= j->area) return false;
        y[at[i]] = j->add ? y[at[i]] + x[i] : x[i];
    }
    return true;
}
/* The same where x, indices and result lie channels last: n channels of one place. */
INLINE bool OF(put_pixel)(const planes_job *j, int64_t n, const int64_t *at, const T *x, T *y) {
    const int64_t channels = j->x->shape[1];
    for (int64_t c = 0; c < n; c++) {
        if (at[c] == -1 && j->add) continue;
        if (at[c] < 0 || at[c] >= j->area) return false;
        y[at[c] * channels + c] = j->add ? y[at[c] * channels + c] + x[c] : x[c];
    }
    return true;
}

INLINE bool OF(take)(const planes_job *j, const int64_t *at, const void *from, void *to) {
    const T *x = from;
    T *y = to;
    for (int64_t i = 0; i < j->inner; i++) {
        if (at[i] < -1 || at[i] >= j->area) return false;
        y[i] = at[i] < 0 ? 0 : x[at[i]];
    }
    return true;
}
