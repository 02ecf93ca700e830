#include "io/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/alloc.h"

enum { END = -1, FAILED = -2 };

wn_status wn__csv_fail(const wn__csv *c, wn_status code, const char *fmt, ...) {
    char why[500];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return wn__fail(code, c->s.op, "%s: line %lld, column %lld: %s", wn__path_tail(c->s.path), (long long)c->line, (long long)c->column, why);
}

/* The next byte, which stays the next one; END or FAILED. */
static int peek(wn__csv *c) {
    if (c->at == c->n) {
        c->at = 0;
        c->n = wn__source_some(&c->s, c->buffer, WN__CSV_BUFFER);
        if (c->n <= 0) {
            const bool failed = c->n < 0 || (c->s.z && !wn__source_finish(&c->s));
            c->n = 0;
            return failed ? FAILED : END;
        }
    }
    return c->buffer[c->at];
}

static bool starts_with(wn__csv *c, const char *mark, int64_t n) {
    return peek(c) >= 0 && c->n - c->at >= n && !memcmp(c->buffer + c->at, mark, (size_t)n);
}

bool wn__csv_open(wn__csv *c, const char *op, const char *path, char delimiter) {
    memset(c, 0, sizeof *c);
    c->delimiter = delimiter;
    if (!wn__source_open(&c->s, op, path)) return false;
    c->capacity = 64;
    c->buffer = wn__new(unsigned char, WN__CSV_BUFFER);
    c->field = c->buffer ? wn__new(char, c->capacity) : NULL;
    if (!c->field) return wn__fail_memory(op), false;
    if (starts_with(c, "\x1f\x8b", 2)) {
        c->s.at = c->s.pos = c->at = c->n = 0;
        if (!wn__source_gzip(&c->s)) return false;
    }
    if (starts_with(c, "\xef\xbb\xbf", 3)) c->at += 3; /* the byte order mark that some programs write */
    return peek(c) != FAILED;
}

void wn__csv_close(wn__csv *c) {
    wn__source_close(&c->s);
    wn__free(c->buffer);
    wn__free(c->field);
}

/* One more byte of the field. */
static bool put(wn__csv *c, char byte) {
    if (c->length + 1 >= c->capacity) {
        if (c->capacity >= WN__CSV_LONGEST) return wn__csv_fail(c, WN_E_VALUE, "the field is longer than %d bytes", WN__CSV_LONGEST), false;
        const size_t capacity = 2 * c->capacity;
        char *field = wn__realloc(c->field, capacity, 1);
        if (!field) return wn__fail_memory(c->s.op), false;
        c->field = field;
        c->capacity = capacity;
    }
    if (!byte) return wn__csv_fail(c, WN_E_VALUE, "a byte 0: this is no text"), false;
    c->field[c->length++] = byte;
    c->field[c->length] = 0;
    return true;
}

static bool blank(const wn__csv *c, int byte) { return (byte == ' ' || byte == '\t' || byte == '\r') && byte != c->delimiter; }

static void skip_blanks(wn__csv *c) {
    while (blank(c, peek(c))) c->at++;
}

/* Behind the opening quote: up to the closing one; two quotes are one. */
static bool read_quoted(wn__csv *c) {
    c->quoted = true;
    for (;;) {
        const int byte = peek(c);
        if (byte == END) return wn__csv_fail(c, WN_E_VALUE, "a quote is not closed"), false;
        if (byte == FAILED) return false;
        c->at++;
        if (byte == '"') {
            if (peek(c) != '"') break;
            c->at++;
        }
        c->lines += byte == '\n';
        if (!put(c, (char)byte)) return false;
    }
    skip_blanks(c);
    const int next = peek(c);
    if (next < 0 || next == c->delimiter || next == '\n') return next != FAILED;
    return wn__csv_fail(c, WN_E_VALUE, "text behind a closing quote"), false;
}

static bool read_plain(wn__csv *c) {
    int byte;
    while ((byte = peek(c)) >= 0 && byte != c->delimiter && byte != '\n') {
        c->at++;
        if (!put(c, (char)byte)) return false;
    }
    while (c->length && blank(c, (unsigned char)c->field[c->length - 1])) c->field[--c->length] = 0;
    return byte != FAILED;
}

/* Goes to where a field begins; on a new line past those without one. */
static void begin_field(wn__csv *c, bool first) {
    skip_blanks(c);
    for (; first && peek(c) == '\n'; skip_blanks(c)) {
        c->at++;
        c->lines++;
    }
    c->line = c->lines + 1;
    c->column = first ? 1 : c->column + 1;
    c->length = 0;
    c->quoted = false;
    *c->field = 0;
}

wn__csv_end wn__csv_next(wn__csv *c, bool first) {
    begin_field(c, first);
    if (first && peek(c) == END) return c->column = 0, WN__CSV_FILE;
    const bool quoted = peek(c) == '"';
    c->at += quoted;
    if (!(quoted ? read_quoted(c) : read_plain(c))) return WN__CSV_FAILED;
    const int byte = peek(c);
    if (byte == FAILED) return WN__CSV_FAILED;
    if (byte == END) return WN__CSV_FILE;
    c->at++;
    c->lines += byte == '\n';
    return byte == '\n' ? WN__CSV_LINE : WN__CSV_FIELD;
}
