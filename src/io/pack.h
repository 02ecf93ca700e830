/* Elements of a tensor in row-major order, in pieces: what files and samples are made of. */
#ifndef WN_IO_PACK_H
#define WN_IO_PACK_H
#include "tensor/tensor.h"
#include "io/file.h"

/* Copies elements first .. first+n-1 of the row-major order to dst. base is wn__ptr(t). */
void wn__pack(const wn_tensor *t, const char *base, int64_t first, int64_t n, void *dst);
/* Puts all elements in row-major order; no copy of a contiguous tensor. */
bool wn__put_elements(wn__writer *w, wn_tensor *t);
/* Reads the elements of a fresh tensor whose memory is dense, in memory order, and makes bools 0 or 1. */
bool wn__read_elements(wn__source *s, wn_tensor *t, bool swap);
#endif
