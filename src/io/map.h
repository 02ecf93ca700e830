/* Tensors that lie in a file: a private mapping of all of it, which the tensors share. */
#ifndef WN_IO_MAP_H
#define WN_IO_MAP_H
#include "tensor/tensor.h"
#include "io/file.h"

typedef struct wn__map wn__map;

/* Maps the whole file of a source that is open; NULL and an error record on failure. Release it when no more tensors are made. */
wn__map *wn__map_new(const wn__source *s);
void wn__map_release(void *map);
/* Can elements of dtype lie at this byte of a file as they are? */
bool wn__map_fits(int dtype, int64_t at);
/* An owned tensor whose elements begin at byte `at`; the caller has checked that they lie inside the file. It holds the mapping.
 * NULL when memory is short (no error recorded). */
wn_tensor *wn__map_tensor(wn__map *m, int dtype, int ndim, const int64_t *shape, const int64_t *strides, int64_t at);
#endif
