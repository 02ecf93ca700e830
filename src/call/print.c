/* repr: a tensor's text, the same bytes that PyTorch prints.
 *
 * Nothing here allocates. Text goes to a sink that keeps what fits (or passes it on to a file) and counts all of it, so
 * wn_repr gives snprintf's answer with any buffer and cannot run out of memory. Elements are read where they lie,
 * through the strides; of a large tensor only the ones that are shown are touched: first to find the common notation and
 * width, then to print.
 *
 * The rules, for floats over the shown finite nonzero values: scientific if max/min > 1000, max > 1e8 or min < 1e-4; else
 * whole numbers print as "1." if all are whole; else four decimals. The width is that of the longest of them, which is why
 * zeros, infinities and NaN may stick out. wn_set_print_options changes the numbers in this. */
#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)
#define _POSIX_C_SOURCE 200809L /* flockfile */
#endif
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/dtype.h"
#include "base/error.h"
#include "base/fork.h"
#include "tensor/tensor.h"
#include "grad/tape.h"

#define PRECISION_MOST 100
#define NUMBER_MAX (320 + PRECISION_MOST) /* "%.4f" of the largest double has 315 characters */

/* ---- options */

static const wn_print_options defaults = {.precision = 4, .threshold = 1000, .edgeitems = 3, .linewidth = 80, .sci_mode = -1};
static wn_print_options options = {.precision = 4, .threshold = 1000, .edgeitems = 3, .linewidth = 80, .sci_mode = -1};

wn_print_options wn_get_print_options(void) {
    pthread_mutex_lock(&wn__print_mutex);
    wn_print_options o = options;
    pthread_mutex_unlock(&wn__print_mutex);
    return o;
}

wn_status wn_set_print_options(const wn_print_options *o) {
    static const char op[] = "set_print_options";
    if (!o) o = &defaults;
    if (o->precision < 0 || o->precision > PRECISION_MOST) return wn__fail(WN_E_VALUE, op, "precision must be 0 to %d, got %d", PRECISION_MOST, o->precision);
    if (o->edgeitems < 0) return wn__fail(WN_E_VALUE, op, "edgeitems must not be negative, got %d", o->edgeitems);
    if (o->sci_mode < -1 || o->sci_mode > 1) return wn__fail(WN_E_VALUE, op, "sci_mode must be -1, 0 or 1, got %d", o->sci_mode);
    pthread_mutex_lock(&wn__print_mutex);
    options = *o;
    pthread_mutex_unlock(&wn__print_mutex);
    return WN_OK;
}

/* ---- the sink */

typedef struct sink {
    char *buf;   /* NULL with cap 0: only counts */
    size_t cap;  /* bytes that buf holds (a final 0 not included) */
    size_t used; /* bytes in buf */
    size_t len;  /* bytes of text so far, kept or not */
    size_t line; /* characters since the last newline */
    FILE *file;  /* where a full buffer goes; NULL: what does not fit is dropped */
    wn_print_options o;
    const char *prefix;
    int indent;  /* of following lines, if not given: the length of the prefix's last line */
} sink;

static void flush(sink *s) {
    /* As with printf, a failure marks the stream; looking at it is the caller's business. */
    if (s->file && s->used) (void)!fwrite(s->buf, 1, s->used, s->file);
    s->used = 0;
}

static void put_bytes(sink *s, const char *text, size_t n) {
    s->len += n;
    s->line += n;
    while (n) {
        if (s->used == s->cap) {
            if (!s->file) return;
            flush(s);
        }
        size_t room = s->cap - s->used, k = n < room ? n : room;
        memcpy(s->buf + s->used, text, k);
        s->used += k;
        text += k;
        n -= k;
    }
}

static void put_text(sink *s, const char *text) { put_bytes(s, text, strlen(text)); }

static void put_spaces(sink *s, int64_t n) {
    static const char blank[] = "                                ";
    for (; n > 0; n -= 32) put_bytes(s, blank, n < 32 ? (size_t)n : 32);
}

static void put_newlines(sink *s, int n, int indent) {
    while (n-- > 0) put_bytes(s, "\n", 1);
    s->line = 0;
    put_spaces(s, indent);
}

/* Puts what comes first: "tensor(", or a class's name instead, perhaps with lines before it. */
static void put_prefix(sink *s) {
    const char *line = strrchr(s->prefix, '\n');
    line = line ? line + 1 : s->prefix;
    put_text(s, s->prefix);
    s->indent = 0;
    for (; *line; line++) s->indent += (*line & 0xc0) != 0x80; /* characters, not bytes */
    s->line = (size_t)s->indent;
}

/* ---- single values */

typedef enum notation {
    AS_BOOL,
    AS_INT,
    AS_WHOLE, /* a float without a fraction: "1." */
    AS_FIXED, /* "1.2500" */
    AS_SCI    /* "1.2500e+00" */
} notation;

/* Replaces the decimal separator of the host's locale (any number of bytes, none a digit) by '.'. Returns the new
 * length. */
static int plain_point(char *text, int len) {
    int i = text[0] == '-';
    while (i < len && text[i] >= '0' && text[i] <= '9') i++;
    int j = i;
    while (j < len && (text[j] < '0' || text[j] > '9')) j++;
    if (j == i || j == len || text[i] == 'e') return len;
    text[i++] = '.';
    memmove(text + i, text + j, (size_t)(len - j) + 1);
    return len - (j - i);
}

static int format_float(notation how, int precision, double v, char *out) {
    /* snprintf would print the sign of a NaN, and "inf" must not get the point of a whole number. */
    if (isnan(v)) return snprintf(out, NUMBER_MAX, "nan");
    if (isinf(v)) return snprintf(out, NUMBER_MAX, v < 0 ? "-inf" : "inf");
    if (how == AS_WHOLE) return snprintf(out, NUMBER_MAX, "%.0f.", v);
    return plain_point(out, snprintf(out, NUMBER_MAX, how == AS_SCI ? "%.*e" : "%.*f", precision, v));
}

static int format_element(notation how, int precision, wn_dtype dtype, const char *p, char *out) {
    if (how == AS_BOOL) return snprintf(out, NUMBER_MAX, wn__load_i64(dtype, p) ? "True" : "False");
    if (how == AS_INT) return snprintf(out, NUMBER_MAX, "%" PRId64, wn__load_i64(dtype, p));
    return format_float(how, precision, wn__load_f64(dtype, p), out);
}

/* ---- what is shown, and how */

typedef struct page {
    sink *out;
    const wn_tensor *t;
    wn_dtype dtype;
    int64_t size; /* bytes an element */
    bool summarize;
    notation how;
    int width;
    double least, most; /* of the absolute values that decide the notation; most = 0: none does */
    bool whole;
} page;

/* Is item i of n the first one that the dots replace? */
static bool elided(const page *g, int64_t n, int64_t i) {
    int64_t edge = g->out->o.edgeitems;
    return g->summarize && n > 2 * edge && i == edge;
}
/* The first item after the dots. */
static int64_t resumed(const page *g, int64_t n) { return n - g->out->o.edgeitems; }

/* Calls visit for every element shown, in order. p: the first element of dimensions dim... */
static void each_shown(page *g, int dim, const char *p, void (*visit)(page *, const char *)) {
    if (dim == g->t->ndim) {
        visit(g, p);
        return;
    }
    int64_t n = g->t->shape[dim], step = g->t->strides[dim] * g->size;
    for (int64_t i = 0; i < n; i++) {
        if (elided(g, n, i)) i = resumed(g, n);
        if (i == n) return;
        each_shown(g, dim + 1, p + i * step, visit);
    }
}

static bool counts(double v) { return isfinite(v) && v != 0; }

static void measure_range(page *g, const char *p) {
    double v = wn__load_f64(g->dtype, p), a = fabs(v);
    if (!counts(v)) return;
    if (g->most == 0 || a < g->least) g->least = a;
    if (a > g->most) g->most = a;
    if (v != ceil(v)) g->whole = false;
}

static void measure_width(page *g, const char *p) {
    if (wn__is_float(g->dtype) && !counts(wn__load_f64(g->dtype, p))) return;
    char text[NUMBER_MAX];
    int n = format_element(g->how, g->out->o.precision, g->dtype, p, text);
    if (n > g->width) g->width = n;
}

static void choose_notation(page *g, const char *p) {
    if (g->dtype == WN_BOOL) {
        g->how = AS_BOOL;
    } else if (!wn__is_float(g->dtype)) {
        g->how = AS_INT;
    } else {
        g->whole = true;
        each_shown(g, 0, p, measure_range);
        bool sci = g->most / g->least > 1000.0 || g->most > 1e8 || g->least < 1e-4;
        if (g->out->o.sci_mode >= 0) sci = g->out->o.sci_mode;
        sci = sci && g->most != 0;
        g->how = sci ? AS_SCI : g->whole ? AS_WHOLE : AS_FIXED;
    }
    g->width = 1;
    each_shown(g, 0, p, measure_width);
}

/* ---- the bracketed block */

static void put_element(page *g, const char *p) {
    char text[NUMBER_MAX];
    int n = format_element(g->how, g->out->o.precision, g->dtype, p, text);
    put_spaces(g->out, g->width - n);
    put_bytes(g->out, text, (size_t)n);
}

/* The last dimension: items side by side, as many as fit a line. */
static void put_row(page *g, int dim, const char *p, int indent) {
    int64_t n = g->t->shape[dim], step = g->t->strides[dim] * g->size;
    int fit = (g->out->o.linewidth - indent) / (g->width + 2), column = 0;
    if (fit < 1) fit = 1;
    put_text(g->out, "[");
    for (int64_t i = 0; i < n; i++) {
        bool gap = elided(g, n, i);
        for (int item = gap ? 0 : 1; item < 2; item++) { /* the dots come first, in an item's place */
            if (column == fit) {
                put_text(g->out, ",");
                put_newlines(g->out, 1, indent + 1);
                column = 0;
            } else if (i > 0) {
                put_text(g->out, ", ");
            }
            column++;
            if (item == 0) {
                put_text(g->out, g->out->o.edgeitems ? " ..." : "...");
                i = resumed(g, n);
                if (i == n) break;
            } else {
                put_element(g, p + i * step);
            }
        }
    }
    put_text(g->out, "]");
}

static void put_block(page *g, int dim, const char *p, int indent) {
    int left = g->t->ndim - dim;
    if (left == 0) {
        put_element(g, p);
        return;
    }
    if (left == 1) {
        put_row(g, dim, p, indent);
        return;
    }
    int64_t n = g->t->shape[dim], step = g->t->strides[dim] * g->size;
    put_text(g->out, "[");
    for (int64_t i = 0; i < n; i++) {
        if (i > 0) {
            put_text(g->out, ",");
            put_newlines(g->out, left - 1, indent + 1);
        }
        if (elided(g, n, i)) {
            put_text(g->out, "...");
            i = resumed(g, n);
            if (i == n) break;
            put_text(g->out, ",");
            put_newlines(g->out, left - 1, indent + 1);
        }
        put_block(g, dim + 1, p + i * step, indent + 1);
    }
    put_text(g->out, "]");
}

/* ---- what follows the numbers: size, dtype, autograd */

static void put_size(sink *s, const wn_tensor *t) {
    char text[32];
    put_text(s, "size=(");
    for (int d = 0; d < t->ndim; d++) {
        snprintf(text, sizeof text, "%s%" PRId64, d ? ", " : "", t->shape[d]);
        put_text(s, text);
    }
    put_text(s, t->ndim == 1 ? ",)" : ")");
}

static void put_dtype(sink *s, const wn_tensor *t) {
    put_text(s, "dtype=torch.");
    put_text(s, wn_dtype_name((wn_dtype)t->dtype));
}

static void put_device(sink *s, const wn_tensor *t) {
    (void)t;
    put_text(s, "device='meta'");
}

static void put_grad_fn(sink *s, const wn_tensor *t) {
    char name[160];
    wn__grad_fn_name(t, name, sizeof name);
    put_text(s, "grad_fn=<");
    put_text(s, name);
    put_text(s, ">");
}

static void put_requires_grad(sink *s, const wn_tensor *t) {
    (void)t;
    put_text(s, "requires_grad=True");
}

/* Puts ", suffix", on a new line if it does not fit. *column: where torch takes the line to end. */
static void put_suffix(sink *s, const wn_tensor *t, void (*suffix)(sink *, const wn_tensor *), size_t *column) {
    sink measure = {0};
    suffix(&measure, t);
    if ((int64_t)(*column + measure.len + 2) > s->o.linewidth) {
        put_text(s, ",");
        put_newlines(s, 1, s->indent);
        *column = (size_t)s->indent + measure.len;
    } else {
        put_text(s, ", ");
        *column += measure.len + 2;
    }
    suffix(s, t);
}

static void put_suffixes(sink *s, const wn_tensor *t) {
    wn_dtype dtype = (wn_dtype)t->dtype, fallback = wn_default_dtype();
    size_t column = s->line + 2; /* torch counts two columns more, so lines end before column 79 */
    const bool meta = wn__is_meta(t), empty = t->numel == 0 && !meta;
    if (meta) put_suffix(s, t, put_device, &column);
    if (meta ? true : empty ? t->ndim != 1 : s->o.edgeitems == 0) put_suffix(s, t, put_size, &column);
    /* dtype is shown unless the text alone tells it, as it does of int64 and bool that are not empty. */
    if (dtype != fallback && (empty || meta || (dtype != WN_I64 && dtype != WN_BOOL))) put_suffix(s, t, put_dtype, &column);
    if (!wn_is_leaf(t)) {
        put_suffix(s, t, put_grad_fn, &column);
    } else if (wn_needs_grad(t)) {
        put_suffix(s, t, put_requires_grad, &column);
    }
}

/* ---- the whole */

static void put_bad(sink *s) {
    const char *message = wn_error_message();
    put_prefix(s);
    put_text(s, "<bad");
    if (message[0]) {
        put_text(s, ": ");
        put_text(s, message);
    }
    put_text(s, ">)");
}

static void put_tensor(sink *s, const wn_tensor *t) {
    if (!t) { /* absent */
        put_text(s, "None");
        return;
    }
    if (!wn_ok(t)) {
        put_bad(s);
        return;
    }
    if (t->numel == 0 || wn__is_meta(t)) {
        put_prefix(s);
        put_text(s, wn__is_meta(t) ? "..." : "[]");
    } else {
        const char *p = wn__ptr(t); /* runs what is pending before any text is written */
        if (!p) {
            put_bad(s);
            return;
        }
        page g = {.out = s, .t = t, .dtype = (wn_dtype)t->dtype, .size = (int64_t)wn__dtype_size(t->dtype)};
        g.summarize = t->numel > s->o.threshold;
        choose_notation(&g, p);
        put_prefix(s);
        put_block(&g, 0, p, s->indent);
    }
    put_suffixes(s, t);
    put_text(s, ")");
}

size_t wn_repr_as(wn_tensor *t, const char *prefix, char *buf, size_t cap) {
    if (!buf) cap = 0;
    sink s = {.buf = buf, .cap = cap ? cap - 1 : 0, .o = wn_get_print_options(), .prefix = prefix ? prefix : "tensor("};
    put_tensor(&s, t);
    if (cap) buf[s.used] = 0;
    return s.len;
}
size_t wn_repr(wn_tensor *t, char *buf, size_t cap) { return wn_repr_as(t, NULL, buf, cap); }

void wn_print(wn_tensor *t) {
    char chunk[1024];
    sink s = {.buf = chunk, .cap = sizeof chunk, .file = stdout, .o = wn_get_print_options(), .prefix = "tensor("};
    flockfile(stdout); /* the text of one tensor stays together */
    put_tensor(&s, t);
    put_text(&s, "\n");
    flush(&s);
    funlockfile(stdout);
}
