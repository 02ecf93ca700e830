/* Positions in images, results and windows, for plain loops over convolutions. */
#ifndef WN_ENGINE_CONV_POSITION_H
#define WN_ENGINE_CONV_POSITION_H
#include "engine/contraction.h"

/* A position in up to three dimensions; unused ones have size 1. */
typedef struct pos {
    int64_t v[3];
} pos;

static inline pos unflatten(const int64_t *size, int nd, int64_t i) {
    pos p = {{0, 0, 0}};
    for (int d = nd - 1; d >= 0; d--) {
        p.v[d] = i % size[d];
        i /= size[d];
    }
    return p;
}

static inline int64_t count(const int64_t *size, int nd) {
    int64_t n = 1;
    for (int d = 0; d < nd; d++) n *= size[d];
    return n;
}

/* The offset in x of the element that output position o sees through tap k; false: in the padding. */
static inline bool seen(const wn__conv *d, pos o, pos k, int64_t *offset) {
    for (int i = 0; i < d->nd; i++) {
        const int64_t at = o.v[i] * d->stride[i] - d->padding[i] + k.v[i] * d->dilation[i];
        if (at < 0 || at >= d->in[i]) return false;
        *offset += at * d->xs[2 + i];
    }
    return true;
}

static inline int64_t dot(const int64_t *stride, pos p, int nd) {
    int64_t o = 0;
    for (int i = 0; i < nd; i++) o += p.v[i] * stride[i];
    return o;
}
#endif
