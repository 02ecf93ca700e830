/* Is a tensor what it says? Reckoned in 128 bits, and with nothing of the library's own arithmetic. */
#include "table.h"
#include <stdarg.h>

typedef __int128 wide;

static __attribute__((format(printf, 3, 4))) bool wrong(char *why, size_t cap, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, cap, fmt, ap);
    va_end(ap);
    return false;
}

/* Sizes are counts, numel is their product, and the memory from the first element to behind the last lies in the storage. */
bool sound(const wn_tensor *t, char *why, size_t cap) {
    if (!t || t->magic != WN__MAGIC) return wrong(why, cap, "no live handle");
    wide numel = 1, low = t->offset, high = t->offset;
    bool empty = false;
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] < 0) return wrong(why, cap, "size %lld of dimension %d", (long long)t->shape[d], d);
        empty |= t->shape[d] == 0;
    }
    for (int d = 0; d < t->ndim && !empty; d++) {
        numel *= t->shape[d];
        if (numel > INT64_MAX) return wrong(why, cap, "more than 2^63 elements");
        const wide span = (wide)(t->shape[d] - 1) * t->strides[d];
        *(span < 0 ? &low : &high) += span;
    }
    if (t->numel != (empty ? 0 : (int64_t)numel)) return wrong(why, cap, "numel %lld of %lld elements", (long long)t->numel, (long long)numel);
    if (empty) return t->offset >= 0 || wrong(why, cap, "offset %lld", (long long)t->offset);
    const wide size = (wide)wn_dtype_size(wn_dtype_of(t)), bytes = (wide)t->storage->bytes;
    if (low < 0 || (high + 1) * size > bytes)
        return wrong(why, cap, "elements %lld to %lld of %d bytes in a storage of %zu", (long long)low, (long long)high, (int)size, t->storage->bytes);
    return true;
}
