/* Mapped files. Pages are read when they are touched and copied when they are written (MAP_PRIVATE): the file never changes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "io/map.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"

struct wn__map {
    char *data;
    size_t bytes;
    _Atomic int64_t refs;
};

wn__map *wn__map_new(const wn__source *s) {
    wn__map *m = wn__new(wn__map, 1);
    if (!m) return wn__fail_memory(s->op), NULL;
    m->bytes = (size_t)s->end;
    atomic_init(&m->refs, 1);
    m->data = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, s->fd, 0);
    if (m->data != MAP_FAILED) return m;
    wn__source_fail(s, errno == ENOMEM ? WN_E_MEMORY : WN_E_RUNTIME, 0, "cannot be mapped: %s", strerror(errno));
    wn__free(m);
    return NULL;
}

void wn__map_release(void *map) {
    wn__map *m = map;
    if (!m || atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) != 1) return;
    munmap(m->data, m->bytes);
    wn__free(m);
}

bool wn__map_fits(int dtype, int64_t at) { return at % (int64_t)wn__dtype_size(dtype) == 0; }

wn_tensor *wn__map_tensor(wn__map *m, int dtype, int ndim, const int64_t *shape, const int64_t *strides, int64_t at) {
    atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
    wn_tensor *t = wn__tensor_wrap(m->data + at, (wn_dtype)dtype, ndim, shape, strides, wn__map_release, m);
    if (!t) return wn__map_release(m), NULL;
    /* Any other byte would be an impossible value to the kernels; pages without one are not copied. */
    if (dtype == WN_BOOL)
        for (int64_t i = 0; i < t->numel; i++)
            if ((unsigned char)m->data[at + i] > 1) m->data[at + i] = 1;
    return t;
}
