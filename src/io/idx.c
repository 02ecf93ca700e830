/* IDX, the format of MNIST and its relatives: 2 zero bytes, the element type, the number of dimensions, big-endian sizes, then
 * big-endian elements. Plain or gzip; which one is seen from the first bytes, not from the name. */
#include "base/alloc.h"
#include "tensor/scope.h"
#include "io/idx.h"
#include "io/pack.h"

static bool open_idx(wn__source *s, const char *op, const char *path) {
    unsigned char head[2] = {0, 0};
    bool ok = wn__source_open(s, op, path) && wn__source_read(s, head, s->end < 2 ? s->end : 2, "the header");
    s->at = s->pos = 0;
    ok = ok && (head[0] != 0x1f || head[1] != 0x8b || wn__source_gzip(s));
    if (!ok) wn__source_close(s);
    return ok;
}

static bool read_shape(wn__source *s, int ndim, int64_t *shape) {
    unsigned char raw[4];
    for (int d = 0; d < ndim; d++) {
        if (!wn__source_read(s, raw, 4, "the sizes")) return false;
        shape[d] = (int64_t)((uint32_t)raw[0] << 24 | (uint32_t)raw[1] << 16 | (uint32_t)raw[2] << 8 | raw[3]);
    }
    return true;
}

static wn_tensor *make_tensor(const wn__source *s, int dtype, int ndim, const int64_t *shape) {
    bool overflow = false;
    int64_t numel = wn__numel_of(ndim, shape, &overflow), bytes;
    if (overflow || __builtin_mul_overflow(numel, (int64_t)wn__dtype_size(dtype), &bytes)) {
        wn__source_fail(s, WN_E_VALUE, 4, "the product of the sizes is too large");
        return NULL;
    }
    if (bytes > wn__source_at_most(s)) {
        wn__source_fail(s, WN_E_VALUE, s->pos, "the file ends early: the sizes %s ask for %lld bytes, %s%lld are left",
                        wn__dims_text(shape, ndim), (long long)bytes, s->z ? "at most " : "",
                        (long long)wn__source_at_most(s));
        return NULL;
    }
    wn_tensor *t = wn__tensor_new((wn_dtype)dtype, ndim, shape, NULL);
    if (!t) wn__fail_memory(s->op);
    return t;
}

static wn_tensor *read_idx(wn__source *s) {
    static const uint8_t types[16] = {[8] = WN_U8,   [9] = WN_I8,   [11] = WN_I16,
                                      [12] = WN_I32, [13] = WN_F32, [14] = WN_F64};
    unsigned char head[4];
    int64_t shape[WN_MAX_DIMS];
    if (!wn__source_read(s, head, 4, "the header")) return NULL;
    int dtype = head[2] < 16 ? types[head[2]] : 0, ndim = head[3];
    if (head[0] || head[1] || !dtype) {
        wn__source_fail(s, WN_E_VALUE, 0, "not an IDX file (it begins with %02x %02x %02x %02x)", head[0], head[1], head[2],
                        head[3]);
        return NULL;
    }
    if (ndim > WN_MAX_DIMS) return wn__source_fail(s, WN_E_VALUE, 3, "%d dimensions are too many", ndim), NULL;
    if (!read_shape(s, ndim, shape)) return NULL;
    wn_tensor *t = make_tensor(s, dtype, ndim, shape);
    if (t && wn__read_elements(s, t, true) && wn__source_finish(s)) return t;
    wn__release(t);
    return NULL;
}

wn_tensor *wn__idx_read(const char *op, const char *path) {
    wn__source s;
    if (!open_idx(&s, op, path)) return NULL;
    wn_tensor *t = read_idx(&s);
    wn__source_close(&s);
    return t;
}

wn_tensor *wn_load_idx(const char *path) {
    wn_tensor *t = wn__idx_read("load_idx", path);
    return t ? wn__lend(wn__self(), t) : &wn__bad_tensor;
}
