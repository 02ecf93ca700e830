/* The npy format on any source: a file, or a member of an npz archive. */
#ifndef WN_IO_NPY_H
#define WN_IO_NPY_H
#include "tensor/tensor.h"
#include "io/file.h"

/* Reads one array to the end of the source; an owned tensor, or NULL with an error record. */
wn_tensor *wn__npy_read(wn__source *s);
#endif
