/* Text tables: the lines of a CSV file become the rows of one tensor, or its columns tensors of their own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* newlocale */
#endif
#include <stdio.h>
#include <string.h>
#include "base/alloc.h"
#include "base/dtype.h"
#include "tensor/scope.h"
#include "io/archive.h"
#include "io/csv.h"
#include "io/json.h"
#include "io/text_number.h"

static const char op[] = "load_csv";

typedef struct column {
    int dtype; /* 0: the column is left out */
    int place; /* among those that are wanted */
    char *name;
    char *data; /* its elements so far */
} column;

typedef struct table {
    wn__csv file;
    const wn_load_csv_args *args;
    locale_t c_locale;
    column *columns;
    int64_t ncolumns, nwanted, columns_capacity;
    int64_t rows, capacity;
    char quoted[100];
} table;

static const char *shown(table *t) { return wn__quote(t->file.field, t->quoted); }

/* ------------------------------------------------------------------ elements */

/* A number that is given for what is missing, as the column's dtype; NaN where none is given. */
static bool put_missing(table *t, const column *k, void *element) {
    const wn_val fill = t->args->fill;
    const wn_dtype dtype = (wn_dtype)k->dtype;
    const bool is_float = wn__is_float(k->dtype), given = fill.kind != WN_VAL_NONE;
    if (is_float || fill.kind == WN_VAL_INT) wn__store_val(dtype, element, given ? fill : wn_val_of_float((double)__builtin_nan("")));
    if (is_float || (fill.kind == WN_VAL_INT && wn__load_i64(dtype, element) == fill.u.i)) return true;
    wn__csv_fail(&t->file, WN_E_VALUE, "a value is missing, and the column is %s: %s", wn_dtype_name(dtype),
                 given ? ".fill does not fit into it" : "give an integer as .fill, or another dtype");
    return false;
}

static bool put_element(table *t, const column *k, void *element) {
    const wn__csv *f = &t->file;
    const char *missing = t->args->missing;
    if (!f->length || (missing && !strcmp(f->field, missing))) return put_missing(t, k, element);
    const char *type = wn_dtype_name((wn_dtype)k->dtype);
    switch (wn__text_number(f->field, f->length, (wn_dtype)k->dtype, t->c_locale, element)) {
    case WN__TEXT_GOOD: return true;
    case WN__TEXT_NO_INTEGER: wn__csv_fail(f, WN_E_VALUE, "%s is no whole number, and the column is %s", shown(t), type); break;
    case WN__TEXT_TOO_LARGE: wn__csv_fail(f, WN_E_VALUE, "%s does not fit into %s", shown(t), type); break;
    case WN__TEXT_NO_NUMBER: wn__csv_fail(f, WN_E_VALUE, "%s is no %s", shown(t), k->dtype == WN_BOOL ? "bool" : "number"); break;
    }
    return false;
}

/* Room for one more row in every column. */
static bool grow(table *t) {
    if (t->rows < t->capacity) return true;
    const int64_t capacity = t->capacity ? 2 * t->capacity : 1;
    for (int64_t i = 0; i < t->ncolumns; i++) {
        column *k = &t->columns[i];
        if (!k->dtype) continue;
        char *data = wn__realloc(k->data, (size_t)capacity, wn__dtype_size(k->dtype));
        if (!data) return wn__fail_memory(op), false;
        k->data = data;
    }
    t->capacity = capacity;
    return true;
}

static bool put_field(table *t, int64_t i) {
    const column *k = &t->columns[i];
    return !k->dtype || put_element(t, k, k->data + (size_t)t->rows * wn__dtype_size(k->dtype));
}

/* ------------------------------------------------------------------ columns */

static bool add_column(table *t) {
    if (t->ncolumns == t->columns_capacity) {
        const int64_t capacity = t->columns_capacity ? 2 * t->columns_capacity : 16;
        if (t->ncolumns >= WN__CSV_MOST_COLUMNS) return wn__csv_fail(&t->file, WN_E_VALUE, "more than %d columns", WN__CSV_MOST_COLUMNS), false;
        column *columns = wn__realloc(t->columns, (size_t)capacity, sizeof *columns);
        if (!columns) return wn__fail_memory(op), false;
        t->columns = columns;
        t->columns_capacity = capacity;
    }
    column *k = &t->columns[t->ncolumns++];
    memset(k, 0, sizeof *k);
    k->name = wn__new(char, t->file.length + 1);
    if (!k->name) return wn__fail_memory(op), false;
    memcpy(k->name, t->file.field, t->file.length);
    return true;
}

/* Reads the first line into the columns' names. *numbers: how many of its fields are numbers or missing. */
static bool read_first(table *t, wn__csv_end *end, int64_t *numbers) {
    *numbers = 0;
    do {
        double any;
        *end = wn__csv_next(&t->file, t->ncolumns == 0);
        if (*end == WN__CSV_FAILED) return false;
        if (!t->file.column) return wn__fail(WN_E_VALUE, op, "%s: the file has no lines", wn__path_tail(t->file.s.path)), false;
        const wn__csv *f = &t->file;
        const bool missing = !f->length || (t->args->missing && !strcmp(f->field, t->args->missing));
        *numbers += missing || wn__text_number(f->field, f->length, WN_F64, t->c_locale, &any) == WN__TEXT_GOOD ||
                    wn__text_number(f->field, f->length, WN_BOOL, t->c_locale, &any) == WN__TEXT_GOOD;
        if (!add_column(t)) return false;
    } while (*end == WN__CSV_FIELD);
    return true;
}

static bool refuse(const table *t, const char *fmt, int64_t a, int64_t b) {
    return wn__fail(WN_E_VALUE, op, fmt, wn__path_tail(t->file.s.path), (long long)a, (long long)b), false;
}

/* .columns: which are wanted, and in which order. */
static bool choose(table *t) {
    const wn_dims wanted = t->args->columns;
    const int n = wanted.n > 0 ? wanted.n : 0;
    if (n > WN_MAX_DIMS) return refuse(t, "%s: .columns has %lld entries, at most %lld are supported", n, WN_MAX_DIMS);
    t->nwanted = n ? n : t->ncolumns;
    for (int64_t i = 0; i < t->nwanted; i++) {
        const int64_t at = !n ? i : wanted.v[i] < 0 ? wanted.v[i] + t->ncolumns : wanted.v[i];
        if (at < 0 || at >= t->ncolumns) return refuse(t, "%s: .columns has %lld, and the file has %lld columns", wanted.v[i], t->ncolumns);
        if (t->columns[at].dtype) return refuse(t, "%s: .columns has column %lld twice", at, 0);
        t->columns[at].dtype = t->args->dtype ? t->args->dtype : wn_default_dtype();
        t->columns[at].place = (int)i;
    }
    return true;
}

/* .dtypes: one for each wanted column. */
static bool choose_dtypes(table *t) {
    const wn_dtype *dtypes = t->args->dtypes;
    int64_t n = 0;
    while (dtypes && dtypes[n]) n++;
    if (dtypes && n != t->nwanted) return refuse(t, "%s: .dtypes has %lld entries, wanted are %lld columns", n, t->nwanted);
    for (int64_t i = 0; i < t->ncolumns; i++) {
        column *k = &t->columns[i];
        if (k->dtype && dtypes) k->dtype = (int)dtypes[k->place];
        if (k->dtype < 0 || k->dtype > WN_BOOL) return refuse(t, "%s: %lld is no dtype", k->dtype, 0);
        if (k->dtype == WN_F16 || k->dtype == WN_BF16)
            return wn__fail(WN_E_NOT_IMPLEMENTED, op, "%s is not read from text: read f32 and convert", wn_dtype_name((wn_dtype)k->dtype)), false;
    }
    return true;
}

/* ------------------------------------------------------------------ rows */

/* The first line is a row after all: its fields are in the columns' names. */
static bool first_as_row(table *t) {
    if (!grow(t)) return false;
    for (int64_t i = 0; i < t->ncolumns; i++) {
        char *text = t->file.field, *name = t->columns[i].name;
        const size_t length = t->file.length;
        t->file.field = name;
        t->file.length = strlen(name);
        t->file.column = i + 1;
        const bool ok = put_field(t, i);
        t->file.field = text;
        t->file.length = length;
        if (!ok) return false;
    }
    t->rows = 1;
    return true;
}

static bool read_row(table *t, wn__csv_end *end) {
    int64_t i = 0;
    do {
        *end = wn__csv_next(&t->file, i == 0);
        if (*end == WN__CSV_FAILED) return false;
        if (!t->file.column) return true; /* the end */
        if (i == t->ncolumns) return wn__csv_fail(&t->file, WN_E_VALUE, "more fields than the %lld of the first line", (long long)t->ncolumns), false;
        if ((i == 0 && !grow(t)) || !put_field(t, i++)) return false;
    } while (*end == WN__CSV_FIELD);
    if (i < t->ncolumns) return wn__csv_fail(&t->file, WN_E_VALUE, "the line ends after %lld fields, the first one has %lld", (long long)i, (long long)t->ncolumns), false;
    t->rows++;
    return true;
}

/* Is the first line one of names? Where .header does not say so, the file must: all numbers, or none. */
static bool is_header(table *t, int64_t numbers, bool *header) {
    *header = wn_is_on(t->args->header, numbers == 0);
    if (t->args->header.state || numbers == 0 || numbers == t->ncolumns) return true;
    t->file.column = 1;
    wn__csv_fail(&t->file, WN_E_VALUE, "the first line has numbers and other text: say whether it has the columns' names, .header = WN_ON or WN_OFF");
    return false;
}

static bool skip_lines(table *t) {
    for (int64_t i = 0; i < t->args->skip; i++) {
        wn__csv_end end;
        do end = wn__csv_next(&t->file, false);
        while (end == WN__CSV_FIELD);
        if (end == WN__CSV_FAILED) return false;
    }
    return true;
}

static bool read_table(table *t) {
    wn__csv_end end;
    int64_t numbers;
    bool header;
    if (!skip_lines(t) || !read_first(t, &end, &numbers) || !choose(t) || !choose_dtypes(t) || !is_header(t, numbers, &header)) return false;
    if (!header && !first_as_row(t)) return false;
    for (int64_t i = 0; i < t->ncolumns && !header; i++) t->columns[i].name[0] = 0;
    while (end != WN__CSV_FILE)
        if (!read_row(t, &end)) return false;
    return true;
}

static bool open_table(table *t, const wn_load_csv_args *args) {
    const char *delimiter = args->delimiter ? args->delimiter : ",";
    t->args = args;
    t->file.s.fd = -1;
    if (strlen(delimiter) != 1 || strchr("\"\r\n", *delimiter)) return wn__fail(WN_E_VALUE, op, "the delimiter is one character, and no quote and no end of a line"), false;
    if (args->fill.kind == WN_VAL_TENSOR) return wn__fail(WN_E_TYPE, op, ".fill is a number, not a tensor"), false;
    t->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!t->c_locale) return wn__fail_memory(op), false;
    return wn__csv_open(&t->file, op, args->path, *delimiter);
}

static void close_table(table *t) {
    wn__csv_close(&t->file);
    if (t->c_locale) freelocale(t->c_locale);
    for (int64_t i = 0; i < t->ncolumns; i++) {
        wn__free(t->columns[i].name);
        wn__free(t->columns[i].data);
    }
    wn__free(t->columns);
}

/* ------------------------------------------------------------------ results */

static wn_tensor *as_matrix(const table *t) {
    const column *first = NULL;
    for (int64_t i = 0; i < t->ncolumns; i++) {
        const column *k = &t->columns[i];
        if (!k->dtype) continue;
        if (first && first->dtype != k->dtype)
            return wn__bad(WN_E_TYPE, op, "%s: the columns are %s and %s, a tensor has one dtype: say .dtype, or use wn_load_csv_columns",
                           wn__path_tail(t->file.s.path), wn_dtype_name((wn_dtype)first->dtype), wn_dtype_name((wn_dtype)k->dtype));
        first = k;
    }
    const size_t size = wn__dtype_size(first->dtype);
    wn_tensor *m = wn__tensor_new((wn_dtype)first->dtype, 2, (const int64_t[]){t->rows, t->nwanted}, NULL);
    if (!m) return wn__bad_memory(op);
    for (int64_t i = 0; i < t->ncolumns; i++)
        for (int64_t r = 0; t->columns[i].dtype && r < t->rows; r++)
            memcpy(wn__ptr(m) + (size_t)(r * t->nwanted + t->columns[i].place) * size, t->columns[i].data + (size_t)r * size, size);
    return wn__lend(wn__self(), m);
}

/* The names that the columns have in the archive: the header's, or their numbers in the file. */
static bool name_columns(wn_archive *a, const table *t) {
    size_t bytes = 1;
    for (int64_t i = 0; i < t->ncolumns; i++)
        if (t->columns[i].dtype) bytes += strlen(t->columns[i].name) + 24;
    char *at = a->text = wn__new(char, bytes), *end = at ? at + bytes : NULL;
    if (!at) return wn__fail_memory(op), false;
    for (int64_t i = 0; i < t->ncolumns; i++) {
        const column *k = &t->columns[i];
        if (!k->dtype) continue;
        a->items[k->place].name = at;
        if (!wn__utf8_valid(k->name)) return refuse(t, "%s: line %lld, column %lld: the name is not UTF-8", t->args->skip + 1, i + 1);
        at += 1 + (*k->name ? snprintf(at, (size_t)(end - at), "%s", k->name) : snprintf(at, (size_t)(end - at), "%lld", (long long)i));
    }
    return true;
}

static bool fill_archive(wn_archive *a, const table *t) {
    for (int64_t i = 0; i < t->nwanted; i++)
        if (!wn__archive_add(a)) return wn__fail_memory(op), false;
    for (int64_t i = 0; i < t->ncolumns; i++) {
        const column *k = &t->columns[i];
        if (!k->dtype) continue;
        wn_tensor *x = a->items[k->place].tensor = wn__tensor_new((wn_dtype)k->dtype, 1, &t->rows, NULL);
        if (!x) return wn__fail_memory(op), false;
        if (t->rows) memcpy(wn__ptr(x), k->data, (size_t)t->rows * wn__dtype_size(k->dtype));
    }
    const wn__named *twice;
    if (!name_columns(a, t)) return false;
    if (!wn__archive_index(a, &twice)) return wn__fail_memory(op), false;
    char quoted[100];
    if (twice) wn__fail(WN_E_VALUE, op, "%s: line %lld: two columns have the name %s", wn__path_tail(t->file.s.path), (long long)t->args->skip + 1, wn__quote(twice->name, quoted));
    return !twice;
}

wn_tensor *wn_load_csv_x(const wn_load_csv_args *args) {
    table t = {0};
    wn_tensor *m = open_table(&t, args) && read_table(&t) ? as_matrix(&t) : &wn__bad_tensor;
    close_table(&t);
    return m;
}

wn_archive *wn_load_csv_columns_x(const wn_load_csv_args *args) {
    table t = {0};
    wn_archive *a = NULL;
    if (open_table(&t, args) && read_table(&t)) {
        a = wn__new(wn_archive, 1);
        if (!a) wn__fail_memory(op);
        if (a && !fill_archive(a, &t)) {
            wn_archive_free(a);
            a = NULL;
        }
    }
    close_table(&t);
    return a;
}
