/* Elements T at listed places: included by index_bands.c behind each as_TYPE.h. */
#include "ops/index/index_one_of.h"

INLINE void OF(listed)(const wn__ix_mode mode, const listed *l, T factor) {
    char *const table = l->table;
    const char *const slices = l->slices;
    const int64_t *const v = l->v, *const at = l->at, step = l->step, stride = l->stride, m = l->m;
    for (int64_t k = 0; k < m; k++) {
        T s = *(const T *)(const void *)(slices + at[k] * stride);
        OF(one)(mode, &s, (T *)(void *)(table + v[k] * step), factor);
    }
}

INLINE void OF(put)(const listed *l) { OF(listed)(WN__IX_SCATTER, l, 0); }
static void OF(add)(const listed *l) { OF(listed)(WN__IX_ADD, l, OF(factor)(l->alpha)); } /* integers wrap */
