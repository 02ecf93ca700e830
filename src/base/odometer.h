/* Visits the positions of a strided box, one after the other, without divisions. */
#ifndef WN_BASE_ODOMETER_H
#define WN_BASE_ODOMETER_H
#include <stdint.h>
#include "base/assert.h"

/* Moves `index` on by one in dimension d (-1: nowhere); a dimension at its end starts over, and the next outer one
 * moves. Only dimensions 0..d change. Returns how much the offset changes, in the units of `stride`. */
static inline int64_t wn__odometer_step(int d, const int64_t *size, const int64_t *stride, int64_t *index) {
    int64_t move = 0;
    for (; d >= 0; d--) {
        WN_ASSERT(index[d] >= 0 && index[d] < size[d]);
        move += stride[d];
        if (++index[d] < size[d]) break;
        move -= size[d] * stride[d];
        index[d] = 0;
    }
    return move;
}
#endif
