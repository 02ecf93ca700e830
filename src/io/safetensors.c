/* Reading safetensors: 8 bytes with the length of the header, a JSON header, then the elements of all tensors without gaps.
 * Nothing in the file is believed before it is checked against the file's size. */
#include "io/archive.h"
#include "io/json.h"
#include "io/map.h"
#include "io/pack.h"
#include "io/safetensors.h"

#include <errno.h>
#include <stdlib.h>
#include "base/alloc.h"

enum { PREFIX = 8, HEADER_MAX = 100000000 }; /* the reference implementation's limit */
static const char op[] = "load_safetensors";

const char *const wn__safetensors_dtypes[WN__DTYPES] = {
    [WN_F32] = "F32", [WN_F64] = "F64", [WN_F16] = "F16", [WN_BF16] = "BF16", [WN_I8] = "I8",
    [WN_I16] = "I16", [WN_I32] = "I32", [WN_I64] = "I64", [WN_U8] = "U8",     [WN_BOOL] = "BOOL"};

typedef struct reader {
    wn__source src;
    wn_archive *a;
    wn__json json;
    int64_t data_at, data_bytes; /* where the elements begin in the file, and how many bytes they are */
} reader;

static bool fail_at(reader *r, wn_status code, size_t at, const char *message) {
    wn__source_fail(&r->src, code, (int64_t)(PREFIX + at), "%s", message);
    return false;
}

/* ------------------------------------------------------------------ the header */

static bool read_metadata(reader *r) {
    wn__json *j = &r->json;
    bool first = true;
    if (!wn__json_expect(j, '{', "expected an object as metadata")) return false;
    while (wn__json_more(j, '}', &first)) {
        char *key = wn__json_string(j);
        if (!key || !wn__json_expect(j, ':', "expected a colon")) return false;
        char *value = wn__json_string(j);
        if (!value) return false;
        if (!wn__archive_add_meta(r->a, key, value)) return wn__fail_memory(op), false;
    }
    return !j->error;
}

static bool read_dtype(reader *r, wn__named *item) {
    size_t at = r->json.pos;
    char quoted[100], *name = wn__json_string(&r->json);
    if (!name) return false;
    for (int d = 1; d < WN__DTYPES; d++)
        if (strcmp(name, wn__safetensors_dtypes[d]) == 0) item->dtype = d;
    if (item->dtype) return true;
    wn__source_fail(&r->src, WN_E_NOT_IMPLEMENTED, (int64_t)(PREFIX + at), "the dtype %s is not supported",
                    wn__quote(name, quoted));
    return false;
}

static bool read_shape(reader *r, wn__named *item) {
    wn__json *j = &r->json;
    bool first = true;
    if (!wn__json_expect(j, '[', "expected an array as shape")) return false;
    while (wn__json_more(j, ']', &first)) {
        int64_t size;
        if (!wn__json_int(j, &size)) return false;
        if (item->ndim == WN_MAX_DIMS) return wn__json_fail(j, "more than 16 dimensions");
        item->shape[item->ndim++] = size;
    }
    return !j->error;
}

static bool read_offsets(reader *r, wn__named *item) {
    wn__json *j = &r->json;
    return wn__json_expect(j, '[', "expected an array of two offsets") && wn__json_int(j, &item->begin) &&
           wn__json_expect(j, ',', "expected two offsets") && wn__json_int(j, &item->end) &&
           wn__json_expect(j, ']', "expected two offsets");
}

/* {"dtype": ..., "shape": ..., "data_offsets": ...}: each once, nothing else. */
static bool read_entry(reader *r, wn__named *item) {
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    bool (*const readers[])(reader *, wn__named *) = {read_dtype, read_shape, read_offsets};
    wn__json *j = &r->json;
    bool first = true, seen[3] = {false, false, false};
    if (!wn__json_expect(j, '{', "expected an object that describes a tensor")) return false;
    while (wn__json_more(j, '}', &first)) {
        char *key = wn__json_string(j);
        int k = 0;
        if (!key) return false;
        while (k < 3 && strcmp(key, keys[k]) != 0) k++;
        if (k == 3) return wn__json_fail(j, "an unknown key in the description of a tensor");
        if (seen[k]) return wn__json_fail(j, "a key occurs twice in the description of a tensor");
        seen[k] = true;
        if (!wn__json_expect(j, ':', "expected a colon") || !readers[k](r, item)) return false;
    }
    if (!j->error && !(seen[0] && seen[1] && seen[2]))
        wn__json_fail(j, "dtype, shape or data_offsets of a tensor is missing");
    return !j->error;
}

static bool read_entries(reader *r) {
    wn__json *j = &r->json;
    bool first = true, metadata = false;
    if (!wn__json_expect(j, '{', "expected an object")) return false;
    while (wn__json_more(j, '}', &first)) {
        size_t at = j->pos;
        char *name = wn__json_string(j);
        if (!name || !wn__json_expect(j, ':', "expected a colon")) return false;
        if (strcmp(name, "__metadata__") == 0) {
            if (metadata) return wn__json_fail(j, "__metadata__ occurs twice");
            metadata = true;
            if (!read_metadata(r)) return false;
            continue;
        }
        wn__named *item = wn__archive_add(r->a);
        if (!item) return wn__fail_memory(op), false;
        item->name = name;
        item->declared_at = at;
        if (!read_entry(r, item)) return false;
    }
    return !j->error && wn__json_end(j);
}

static bool read_header(reader *r) {
    unsigned char raw[PREFIX];
    if (!wn__source_read(&r->src, raw, PREFIX, "the header's length")) return false;
    uint64_t length = 0;
    for (int i = PREFIX - 1; i >= 0; i--) length = length << 8 | raw[i];
    int64_t rest = r->src.end - PREFIX;
    if (length > (uint64_t)rest) {
        wn__source_fail(&r->src, WN_E_VALUE, 0, "the header's length %llu is more than the %lld bytes that follow",
                        (unsigned long long)length, (long long)rest);
        return false;
    }
    if (length > HEADER_MAX) return wn__source_fail(&r->src, WN_E_VALUE, 0, "the header is longer than 100 MB"), false;
    r->a->text = wn__new(char, (size_t)length + 1);
    if (!r->a->text) return wn__fail_memory(op), false;
    if (!wn__source_read(&r->src, r->a->text, (int64_t)length, "the header")) return false;
    r->json.text = r->a->text;
    r->json.length = (size_t)length;
    r->data_at = PREFIX + (int64_t)length;
    r->data_bytes = r->src.end - r->data_at;
    bool ok = read_entries(r);
    if (r->json.error) fail_at(r, WN_E_VALUE, r->json.error_at, r->json.error);
    return ok;
}

/* ------------------------------------------------------------------ checks */

static bool check_item(reader *r, const wn__named *item) {
    char quoted[100];
    bool overflow = false;
    int64_t numel = wn__numel_of(item->ndim, item->shape, &overflow), bytes = 0;
    if (overflow || __builtin_mul_overflow(numel, (int64_t)wn__dtype_size(item->dtype), &bytes)) {
        wn__source_fail(&r->src, WN_E_VALUE, (int64_t)(PREFIX + item->declared_at), "the shape of %s is too large",
                        wn__quote(item->name, quoted));
        return false;
    }
    if (item->begin > item->end || item->end > r->data_bytes || item->end - item->begin != bytes) {
        wn__source_fail(&r->src, WN_E_VALUE, (int64_t)(PREFIX + item->declared_at),
                        "%s has %lld bytes by its shape, but the offsets [%lld, %lld] of %lld bytes of data",
                        wn__quote(item->name, quoted), (long long)bytes, (long long)item->begin, (long long)item->end,
                        (long long)r->data_bytes);
        return false;
    }
    return true;
}

static int by_offset(const void *a, const void *b) {
    const wn__named *x = *(const wn__named *const *)a, *y = *(const wn__named *const *)b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

/* In the order of offsets the tensors must cover the data without holes or overlaps. */
static bool check_cover(reader *r, wn__named *const *sorted) {
    int64_t at = 0;
    char quoted[100];
    for (int64_t i = 0; i < r->a->n; i++) {
        if (sorted[i]->begin != at) {
            wn__source_fail(&r->src, WN_E_VALUE, r->data_at + sorted[i]->begin,
                            "the data of %s %s (the data before it ends at byte %lld)", wn__quote(sorted[i]->name, quoted),
                            sorted[i]->begin < at ? "overlaps another tensor's" : "leaves a hole before it",
                            (long long)(r->data_at + at));
            return false;
        }
        at = sorted[i]->end;
    }
    if (at == r->data_bytes) return true;
    wn__source_fail(&r->src, WN_E_VALUE, r->data_at + at, "%lld bytes at the end belong to no tensor",
                    (long long)(r->data_bytes - at));
    return false;
}

static bool check_items(reader *r) {
    wn_archive *a = r->a;
    const wn__named *twice;
    char quoted[100];
    for (int64_t i = 0; i < a->n; i++)
        if (!check_item(r, &a->items[i])) return false;
    if (!wn__archive_index(a, &twice)) return wn__fail_memory(op), false;
    if (twice) {
        wn__source_fail(&r->src, WN_E_VALUE, (int64_t)(PREFIX + twice->declared_at), "the name %s occurs twice",
                        wn__quote(twice->name, quoted));
        return false;
    }
    wn__named **sorted = wn__new(wn__named *, (size_t)(a->n ? a->n : 1));
    if (!sorted) return wn__fail_memory(op), false;
    for (int64_t i = 0; i < a->n; i++) sorted[i] = &a->items[i];
    qsort(sorted, (size_t)a->n, sizeof *sorted, by_offset);
    bool ok = check_cover(r, sorted);
    wn__free(sorted);
    return ok;
}

/* ------------------------------------------------------------------ the elements */

static bool read_tensors(reader *r, wn__map *map) {
    for (int64_t i = 0; i < r->a->n; i++) {
        wn__named *item = &r->a->items[i];
        int64_t at = r->data_at + item->begin;
        if (map && item->end > item->begin && wn__map_fits(item->dtype, at)) {
            item->tensor = wn__map_tensor(map, item->dtype, item->ndim, item->shape, NULL, at);
            if (!item->tensor) return wn__fail_memory(op), false;
            continue;
        }
        item->tensor = wn__tensor_new((wn_dtype)item->dtype, item->ndim, item->shape, NULL);
        if (!item->tensor) return wn__fail_memory(op), false;
        r->src.at = r->src.pos = at;
        if (!wn__read_elements(&r->src, item->tensor, false)) return false;
    }
    return true;
}

static bool make_tensors(reader *r, bool mapped) {
    wn__map *map = mapped ? wn__map_new(&r->src) : NULL;
    bool ok = (map || !mapped) && read_tensors(r, map);
    wn__map_release(map);
    return ok;
}

static wn_archive *load(const char *path, bool mapped) {
    reader r = {0};
    if (!wn__source_open(&r.src, op, path)) return NULL;
    r.a = wn__new(wn_archive, 1);
    bool ok = r.a != NULL;
    if (!ok) wn__fail_memory(op);
    ok = ok && read_header(&r) && check_items(&r) && make_tensors(&r, mapped);
    wn__source_close(&r.src);
    if (ok) return r.a;
    wn_archive_free(r.a);
    return NULL;
}

wn_archive *wn_load_safetensors(const char *path) { return load(path, false); }
wn_archive *wn_map_safetensors(const char *path) { return load(path, true); }
