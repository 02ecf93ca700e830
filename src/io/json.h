/* A strict reader for the little JSON that file headers hold: objects, arrays, strings and whole numbers, read by calls in
 * the order in which they are expected, so that nothing nests deeper than the format does. */
#ifndef WN_IO_JSON_H
#define WN_IO_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wn__json {
    char *text; /* changed by reading: strings are decoded in place. text[length] is readable and 0 */
    size_t length, pos;
    const char *error; /* the first error, NULL if there is none */
    size_t error_at;
} wn__json;

/* The next character if it is c (white space before it skipped). */
bool wn__json_take(wn__json *j, char c);
/* The same, but anything else is an error. */
bool wn__json_expect(wn__json *j, char c, const char *message);
/* A string, decoded and checked (UTF-8, no zero byte), or NULL. It lives in text. */
char *wn__json_string(wn__json *j);
/* A whole number in [0, INT64_MAX]. */
bool wn__json_int(wn__json *j, int64_t *value);
/* Between two items: true if there is another one; false at the closing bracket, or after an error. `first` starts true. */
bool wn__json_more(wn__json *j, char close, bool *first);
bool wn__json_end(wn__json *j); /* nothing but white space is left */
bool wn__json_fail(wn__json *j, const char *message);

/* Is text (ending with 0) well-formed UTF-8? */
bool wn__utf8_valid(const char *text);
#endif
