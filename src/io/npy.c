/* NumPy's npy: magic, version, the length of the header, a Python dictionary as header, the elements in C or Fortran order. */
#include "io/npy.h"

#include <errno.h>
#include <stdio.h>
#include "base/alloc.h"
#include "tensor/scope.h"
#include "io/map.h"
#include "io/pack.h"

enum { MAGIC = 6, HEADER_MAX = 1 << 20 };
static const char magic[] = "\x93NUMPY";

typedef struct header {
    char *text;
    size_t length, pos;
    int64_t text_at; /* where the text begins in the file */
    int dtype, ndim;
    bool swap, fortran;
    int64_t shape[WN_MAX_DIMS];
} header;

static bool fail(const wn__source *s, const header *h, const char *message) {
    wn__source_fail(s, WN_E_VALUE, h->text_at + (int64_t)h->pos, "%s", message);
    return false;
}

/* ------------------------------------------------------------------ the dictionary */

static bool take(header *h, char c) {
    while (h->pos < h->length && (h->text[h->pos] == ' ' || h->text[h->pos] == '\n' || h->text[h->pos] == '\t')) h->pos++;
    if (h->pos >= h->length || h->text[h->pos] != c) return false;
    h->pos++;
    return true;
}

/* A quoted word of printable ASCII without escapes; ended by a 0 in place of the quote. */
static char *word(const wn__source *s, header *h) {
    char quote = take(h, '\'') ? '\'' : take(h, '"') ? '"' : 0;
    size_t start = h->pos;
    if (!quote) return fail(s, h, "expected a quoted string in the header"), NULL;
    while (h->pos < h->length && h->text[h->pos] >= ' ' && h->text[h->pos] < 127 && h->text[h->pos] != '\\') {
        if (h->text[h->pos] == quote) {
            h->text[h->pos++] = 0;
            return h->text + start;
        }
        h->pos++;
    }
    return fail(s, h, "a string in the header does not end"), NULL;
}

static bool read_descr(const wn__source *s, header *h) {
    static const struct {
        char name[3];
        uint8_t dtype;
    } types[] = {{"f2", WN_F16}, {"f4", WN_F32}, {"f8", WN_F64}, {"i1", WN_I8}, {"i2", WN_I16},
                 {"i4", WN_I32}, {"i8", WN_I64}, {"u1", WN_U8},  {"b1", WN_BOOL}};
    char quoted[100];
    size_t at = h->pos;
    if (take(h, '[')) {
        wn__source_fail(s, WN_E_NOT_IMPLEMENTED, h->text_at + (int64_t)at, "arrays of records are not supported");
        return false;
    }
    char *d = word(s, h);
    if (!d) return false;
    char order = *d;
    if (strchr("<>|=", order) && order) {
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (strcmp(d + 1, types[i].name) == 0) h->dtype = types[i].dtype;
    }
    size_t size = h->dtype ? wn__dtype_size(h->dtype) : 0;
    h->swap = order == '>' && size > 1;
    if (h->dtype && (order != '|' || size == 1)) return true;
    wn__source_fail(s, WN_E_NOT_IMPLEMENTED, h->text_at + (int64_t)at,
                    "elements of type %s are not supported (f2 f4 f8 i1 i2 i4 i8 u1 b1 are)", wn__quote(d, quoted));
    return false;
}

static bool read_order(const wn__source *s, header *h) {
    static const char *const names[] = {"False", "True"};
    take(h, ' ');
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(names[i]);
        if (h->length - h->pos < n || memcmp(h->text + h->pos, names[i], n) != 0) continue;
        h->pos += n;
        h->fortran = i == 1;
        return true;
    }
    return fail(s, h, "expected True or False as fortran_order");
}

static bool read_size(const wn__source *s, header *h, int64_t *size) {
    size_t start = h->pos;
    int64_t v = 0;
    for (; h->pos < h->length && h->text[h->pos] >= '0' && h->text[h->pos] <= '9'; h->pos++) {
        int digit = h->text[h->pos] - '0';
        if (v > (INT64_MAX - digit) / 10) return fail(s, h, "a size in the shape is too large");
        v = v * 10 + digit;
    }
    if (h->pos == start) return fail(s, h, "expected a size in the shape");
    if (h->pos < h->length && h->text[h->pos] == 'L') h->pos++; /* as Python 2 wrote it */
    *size = v;
    return true;
}

static bool read_shape(const wn__source *s, header *h) {
    if (!take(h, '(')) return fail(s, h, "expected a tuple as shape");
    while (!take(h, ')')) {
        if (h->ndim == WN_MAX_DIMS) return fail(s, h, "more than 16 dimensions");
        if (!read_size(s, h, &h->shape[h->ndim])) return false;
        h->ndim++;
        if (take(h, ',')) continue;
        if (h->ndim == 1) return fail(s, h, "expected a tuple as shape"); /* (3) is a number */
        if (!take(h, ')')) return fail(s, h, "expected a comma or the end of the shape");
        break;
    }
    return true;
}

static bool read_dictionary(const wn__source *s, header *h) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool (*const readers[])(const wn__source *, header *) = {read_descr, read_order, read_shape};
    bool seen[3] = {false, false, false};
    if (!take(h, '{')) return fail(s, h, "expected a dictionary as header");
    while (!take(h, '}')) {
        char *key = word(s, h);
        int k = 0;
        if (!key) return false;
        while (k < 3 && strcmp(key, keys[k]) != 0) k++;
        if (k == 3) return fail(s, h, "an unknown key in the header");
        if (seen[k]) return fail(s, h, "a key occurs twice in the header");
        seen[k] = true;
        if (!take(h, ':')) return fail(s, h, "expected a colon in the header");
        take(h, '\n'); /* skips white space; there is no line break here */
        if (!readers[k](s, h)) return false;
        if (take(h, ',')) continue;
        if (!take(h, '}')) return fail(s, h, "expected a comma or the end of the header");
        break;
    }
    take(h, '\n');
    if (h->pos < h->length && take(h, h->text[h->pos])) return fail(s, h, "text after the end of the header");
    return (seen[0] && seen[1] && seen[2]) || fail(s, h, "descr, fortran_order or shape is missing");
}

/* ------------------------------------------------------------------ reading */

static bool read_header(wn__source *s, header *h) {
    unsigned char raw[MAGIC + 2 + 4];
    if (!wn__source_read(s, raw, MAGIC + 2, "the header")) return false;
    if (memcmp(raw, magic, MAGIC) != 0) return wn__source_fail(s, WN_E_VALUE, 0, "not an npy file (wrong magic)"), false;
    int version = raw[MAGIC], bytes = version == 1 ? 2 : 4;
    if (version < 1 || version > 3 || raw[MAGIC + 1] != 0) {
        wn__source_fail(s, WN_E_NOT_IMPLEMENTED, MAGIC, "npy version %d.%d is not supported", version, raw[MAGIC + 1]);
        return false;
    }
    unsigned char *count = raw + MAGIC + 2;
    if (!wn__source_read(s, count, bytes, "the header")) return false;
    uint32_t length = 0;
    for (int i = bytes - 1; i >= 0; i--) length = length << 8 | count[i];
    if (length > HEADER_MAX || length > wn__source_at_most(s)) {
        wn__source_fail(s, WN_E_VALUE, MAGIC + 2, "a header of %u bytes is too long", length);
        return false;
    }
    h->text = wn__new(char, (size_t)length + 1);
    if (!h->text) return wn__fail_memory(s->op), false;
    h->length = length;
    h->text_at = s->pos;
    return wn__source_read(s, h->text, length, "the header") && read_dictionary(s, h);
}

/* map: a tensor that lies in the file, where that is possible; NULL: one of its own memory, still to be read. */
static wn_tensor *make_tensor(const wn__source *s, const header *h, wn__map *map) {
    bool overflow = false;
    int64_t numel = wn__numel_of(h->ndim, h->shape, &overflow), bytes, strides[WN_MAX_DIMS], step = 1;
    if (overflow || __builtin_mul_overflow(numel, (int64_t)wn__dtype_size(h->dtype), &bytes)) {
        wn__source_fail(s, WN_E_VALUE, h->text_at, "the shape is too large");
        return NULL;
    }
    if (bytes > wn__source_at_most(s)) {
        wn__source_fail(s, WN_E_VALUE, s->pos, "the file ends early: the shape asks for %lld bytes, %lld are left",
                        (long long)bytes, (long long)wn__source_at_most(s));
        return NULL;
    }
    for (int d = 0; d < h->ndim; d++) {
        strides[d] = step;
        if (h->shape[d] > 0 && numel > 0) step *= h->shape[d];
    }
    bool fortran = h->fortran && numel > 0 && h->ndim > 1;
    const int64_t *order = fortran ? strides : NULL;
    wn_tensor *t = map ? wn__map_tensor(map, h->dtype, h->ndim, h->shape, order, s->pos)
                       : wn__tensor_new((wn_dtype)h->dtype, h->ndim, h->shape, order);
    if (!t) wn__fail_memory(s->op);
    return t;
}

wn_tensor *wn__npy_read(wn__source *s) {
    header h = {0};
    wn_tensor *t = read_header(s, &h) ? make_tensor(s, &h, NULL) : NULL;
    wn__free(h.text);
    if (t && wn__read_elements(s, t, h.swap) && wn__source_finish(s)) return t;
    wn__release(t);
    return NULL;
}

wn_tensor *wn_load_npy(const char *path) {
    wn__source s;
    if (!wn__source_open(&s, "load_npy", path)) return &wn__bad_tensor;
    wn_tensor *t = wn__npy_read(&s);
    wn__source_close(&s);
    return t ? wn__lend(wn__self(), t) : &wn__bad_tensor;
}

/* As wn__npy_read, on a whole file; what cannot lie in it as it is (the other byte order, no elements) is read. */
static wn_tensor *map_npy(wn__source *s) {
    header h = {0};
    wn_tensor *t = NULL;
    if (!read_header(s, &h)) return wn__free(h.text), NULL;
    bool overflow = false, some = wn__numel_of(h.ndim, h.shape, &overflow) > 0 && !overflow;
    if (!some || h.swap || !wn__map_fits(h.dtype, s->pos)) {
        t = make_tensor(s, &h, NULL);
        if (t && !(wn__read_elements(s, t, h.swap) && wn__source_finish(s))) wn__release(t), t = NULL;
    } else {
        wn__map *map = wn__map_new(s);
        t = map ? make_tensor(s, &h, map) : NULL;
        wn__map_release(map);
        if (t && s->pos + t->numel * (int64_t)wn__dtype_size(h.dtype) != s->end) {
            wn__source_fail(s, WN_E_VALUE, s->pos, "there is more data than the header announces");
            wn__release(t);
            t = NULL;
        }
    }
    wn__free(h.text);
    return t;
}

wn_tensor *wn_map_npy(const char *path) {
    wn__source s;
    if (!wn__source_open(&s, "map_npy", path)) return &wn__bad_tensor;
    wn_tensor *t = map_npy(&s);
    wn__source_close(&s);
    return t ? wn__lend(wn__self(), t) : &wn__bad_tensor;
}

/* ------------------------------------------------------------------ writing */

/* The header as NumPy writes it: room for a longer first size, then blanks up to a multiple of 64. */
static size_t format_header(char buf[1024], const wn_tensor *t, bool fortran) {
    static const char *const types[] = {[WN_F32] = "<f4", [WN_F64] = "<f8", [WN_F16] = "<f2", [WN_BF16] = NULL,
                                        [WN_I8] = "|i1",  [WN_I16] = "<i2", [WN_I32] = "<i4", [WN_I64] = "<i8",
                                        [WN_U8] = "|u1",  [WN_BOOL] = "|b1"};
    enum { TEXT_AT = MAGIC + 4, GROWTH = 21 };
    char *text = buf + TEXT_AT;
    size_t cap = 1024 - TEXT_AT, n, pad = 0;
    n = (size_t)snprintf(text, cap, "{'descr': '%s', 'fortran_order': %s, 'shape': (", types[t->dtype],
                         fortran ? "True" : "False");
    for (int d = 0; d < t->ndim; d++) {
        size_t digits = (size_t)snprintf(text + n, cap - n, "%lld", (long long)t->shape[d]);
        if (d == (fortran ? t->ndim - 1 : 0)) pad = GROWTH - digits;
        n += digits;
        if (d + 1 < t->ndim || t->ndim == 1) text[n++] = ',';
        if (d + 1 < t->ndim) text[n++] = ' ';
    }
    n += (size_t)snprintf(text + n, cap - n, "), }");
    pad += 64 - (TEXT_AT + n + pad + 1) % 64;
    memset(text + n, ' ', pad);
    n += pad;
    text[n++] = '\n';
    memcpy(buf, magic, MAGIC);
    buf[MAGIC] = 1;
    buf[MAGIC + 1] = 0;
    buf[MAGIC + 2] = (char)(n & 0xff);
    buf[MAGIC + 3] = (char)(n >> 8);
    return TEXT_AT + n;
}

/* Is the tensor row-major when its dimensions are taken in the opposite order? */
static bool is_fortran(const wn_tensor *t) {
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = 0; d < t->ndim; d++) {
        shape[t->ndim - 1 - d] = t->shape[d];
        strides[t->ndim - 1 - d] = t->strides[d];
    }
    return !t->contiguous && wn__contiguous(t->ndim, shape, strides);
}

static bool write_npy(wn__writer *w, wn_tensor *t) {
    char buf[1024];
    bool fortran = is_fortran(t);
    size_t n = format_header(buf, t, fortran);
    if (!wn__writer_put(w, buf, n)) return false;
    if (!fortran) return wn__put_elements(w, t);
    const char *data = wn__ptr(t);
    if (!data) return wn__fail(WN_E_RUNTIME, w->op, "%s has no data", wn__desc(t)), false;
    return wn__writer_put(w, data, (size_t)t->numel * wn__dtype_size(t->dtype));
}

wn_status wn_save_npy(wn_tensor *t, const char *path) {
    static const char op[] = "save_npy";
    wn__writer w;
    if (!wn_ok(t))
        return wn__fail(WN_E_TYPE, op, "%s: %s", path ? wn__path_tail(path) : "(no path)",
                        t ? "the tensor is the result of a failed operation" : "the tensor is absent (NULL)");
    if (t->dtype == WN_BF16)
        return wn__fail(WN_E_NOT_IMPLEMENTED, op, "%s: npy has no bfloat16; save as safetensors, or convert first",
                        path ? wn__path_tail(path) : "(no path)");
    if (!wn__writer_open(&w, op, path)) return wn_error();
    if (write_npy(&w, t)) return wn__writer_commit(&w);
    wn__writer_abort(&w);
    return wn_error();
}
