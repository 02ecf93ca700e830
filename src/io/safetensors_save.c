/* Writing safetensors, byte for byte as the reference implementation does: the widest elements first (so that all are
 * aligned), then by name; the header padded with blanks to 8 bytes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "io/json.h"
#include "io/pack.h"
#include "io/safetensors.h"

static const char op[] = "save_safetensors";

/* The reference's order of dtypes. */
static const uint8_t rank_of[WN__DTYPES] = {[WN_I64] = 0, [WN_F64] = 1, [WN_F32] = 2, [WN_I32] = 3, [WN_BF16] = 4,
                                            [WN_F16] = 5, [WN_I16] = 6, [WN_I8] = 7,  [WN_U8] = 8,  [WN_BOOL] = 9};

typedef struct entry {
    const char *name;
    wn_tensor *tensor;
} entry;

/* ------------------------------------------------------------------ the header's text */

typedef struct text {
    char *p;
    size_t n, capacity;
    bool failed;
} text;

static void put(text *t, const char *p, size_t n) {
    if (t->failed) return;
    if (n > t->capacity - t->n) {
        size_t capacity = (t->capacity + n) * 2 + 256;
        char *grown = wn__realloc(t->p, capacity, 1);
        if (!grown) {
            t->failed = true;
            return;
        }
        t->p = grown;
        t->capacity = capacity;
    }
    memcpy(t->p + t->n, p, n);
    t->n += n;
}

static void put_text(text *t, const char *s) { put(t, s, strlen(s)); }

static void put_int(text *t, int64_t v) {
    char digits[24];
    put(t, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)v));
}

static void put_string(text *t, const char *s) {
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    put(t, "\"", 1);
    for (; *s; s++) {
        const char *special = strchr(from, *s);
        char escaped[8];
        if (special)
            put(t, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%c", to[special - from]));
        else if ((unsigned char)*s < 0x20)
            put(t, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*s));
        else
            put(t, s, 1);
    }
    put(t, "\"", 1);
}

static void put_metadata(text *t, const char *const *metadata) {
    if (!metadata || !metadata[0]) return;
    put_text(t, "\"__metadata__\":{");
    for (int i = 0; metadata[i]; i += 2) {
        if (i) put_text(t, ",");
        put_string(t, metadata[i]);
        put_text(t, ":");
        put_string(t, metadata[i + 1]);
    }
    put_text(t, "}");
}

static void put_entry(text *t, const entry *e, int64_t *offset) {
    if (t->n > 1) put_text(t, ",");
    put_string(t, e->name);
    put_text(t, ":{\"dtype\":\"");
    put_text(t, wn__safetensors_dtypes[e->tensor->dtype]);
    put_text(t, "\",\"shape\":[");
    for (int d = 0; d < e->tensor->ndim; d++) {
        if (d) put_text(t, ",");
        put_int(t, e->tensor->shape[d]);
    }
    put_text(t, "],\"data_offsets\":[");
    put_int(t, *offset);
    *offset += e->tensor->numel * (int64_t)wn__dtype_size(e->tensor->dtype);
    put_text(t, ",");
    put_int(t, *offset);
    put_text(t, "]}");
}

/* ------------------------------------------------------------------ checks */

static int by_rank(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = rank_of[x->tensor->dtype] - rank_of[y->tensor->dtype];
    return order ? order : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b) { return strcmp(((const entry *)a)->name, ((const entry *)b)->name); }

static bool refuse(const wn_save_safetensors_args *args, wn_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(const wn_save_safetensors_args *args, wn_status code, const char *fmt, ...) {
    char why[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    wn__fail(code, op, "%s: %s", args->path ? wn__path_tail(args->path) : "(no path)", why);
    return false;
}

static bool check_metadata(const wn_save_safetensors_args *args) {
    const char *const *m = args->metadata;
    char quoted[100];
    for (int i = 0; m && m[i]; i += 2) {
        if (!m[i + 1]) return refuse(args, WN_E_VALUE, "metadata %s has no value", wn__quote(m[i], quoted));
        if (!wn__utf8_valid(m[i]) || !wn__utf8_valid(m[i + 1]))
            return refuse(args, WN_E_VALUE, "metadata %s is not UTF-8", wn__quote(m[i], quoted));
    }
    return true;
}

static bool check_entry(const wn_save_safetensors_args *args, int64_t i, entry *e) {
    char quoted[100];
    if (!e->name) return refuse(args, WN_E_VALUE, "tensor %lld has no name", (long long)i);
    wn__quote(e->name, quoted);
    if (!wn__utf8_valid(e->name)) return refuse(args, WN_E_VALUE, "the name %s is not UTF-8", quoted);
    if (strcmp(e->name, "__metadata__") == 0) return refuse(args, WN_E_VALUE, "no tensor can be called %s", quoted);
    if (!e->tensor) return refuse(args, WN_E_TYPE, "the tensor %s is absent (NULL)", quoted);
    /* A bad tensor has its own record already, which wn__fail keeps. */
    if (wn__is_bad(e->tensor)) return refuse(args, WN_E_RUNTIME, "the tensor %s is the result of a failed operation", quoted);
    return true;
}

static bool check_entries(const wn_save_safetensors_args *args, entry *entries) {
    int64_t n = args->tensors.n;
    char quoted[100];
    for (int64_t i = 0; i < n; i++) {
        entries[i] = (entry){args->names[i], args->tensors.v[i]};
        if (!check_entry(args, i, &entries[i])) return false;
    }
    qsort(entries, (size_t)n, sizeof *entries, by_name);
    for (int64_t i = 1; i < n; i++)
        if (strcmp(entries[i - 1].name, entries[i].name) == 0)
            return refuse(args, WN_E_VALUE, "two tensors are called %s", wn__quote(entries[i].name, quoted));
    qsort(entries, (size_t)n, sizeof *entries, by_rank);
    return true;
}

/* ------------------------------------------------------------------ saving */

static bool make_header(const wn_save_safetensors_args *args, const entry *entries, text *t) {
    int64_t offset = 0;
    put(t, "{", 1);
    put_metadata(t, args->metadata);
    for (int64_t i = 0; i < args->tensors.n; i++) put_entry(t, &entries[i], &offset);
    put(t, "}", 1);
    while (!t->failed && t->n % 8) put(t, " ", 1);
    if (t->failed) wn__fail_memory(op);
    return !t->failed;
}

static bool write_file(const wn_save_safetensors_args *args, const entry *entries, const text *header) {
    wn__writer w;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)((uint64_t)header->n >> (8 * i));
    if (!wn__writer_open(&w, op, args->path)) return false;
    bool ok = wn__writer_put(&w, length, sizeof length) && wn__writer_put(&w, header->p, header->n);
    for (int64_t i = 0; ok && i < args->tensors.n; i++) ok = wn__put_elements(&w, entries[i].tensor);
    if (!ok) {
        wn__writer_abort(&w);
        return false;
    }
    return wn__writer_commit(&w) == WN_OK;
}

wn_status wn_save_safetensors_x(const wn_save_safetensors_args *args) {
    int64_t n = args->tensors.n;
    if (n < 0 || (n > 0 && (!args->tensors.v || !args->names))) return wn__fail(WN_E_VALUE, op, "names or tensors are missing");
    if (!check_metadata(args)) return wn_error();
    entry *entries = wn__new(entry, (size_t)(n ? n : 1));
    text header = {0};
    if (!entries) return wn__fail_memory(op);
    bool ok = check_entries(args, entries) && make_header(args, entries, &header) && write_file(args, entries, &header);
    wn__free(entries);
    wn__free(header.p);
    return ok ? WN_OK : wn_error();
}
