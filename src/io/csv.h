/* The fields of a text file with delimiters, one after the other (RFC 4180, and more lenient). */
#ifndef WN_IO_CSV_H
#define WN_IO_CSV_H
#include "io/file.h"

enum { WN__CSV_BUFFER = 1 << 16, WN__CSV_LONGEST = 1 << 20, WN__CSV_MOST_COLUMNS = 1 << 20 };

typedef enum wn__csv_end { WN__CSV_FIELD, WN__CSV_LINE, WN__CSV_FILE, WN__CSV_FAILED } wn__csv_end;

typedef struct wn__csv {
    wn__source s;
    char delimiter;
    unsigned char *buffer;
    int64_t at, n;        /* of the buffer: read, and there */
    int64_t line, column; /* of the field that was read last, both from 1 */
    int64_t lines;        /* ends of lines seen */
    char *field;          /* its text, without quotes and blanks around it, a 0 behind it */
    size_t length, capacity;
    bool quoted;
} wn__csv;

/* Opens a plain or gzip file. An error record and false on failure; close is harmless then. */
bool wn__csv_open(wn__csv *c, const char *op, const char *path, char delimiter);
/* The next field of the line, and whether one follows on it (FIELD), the line ends behind it (LINE) or the file (FILE). Lines of
 * blanks are no lines: at the end of the file, when there is no field left, column is 0. */
wn__csv_end wn__csv_next(wn__csv *c, bool first);
void wn__csv_close(wn__csv *c);
/* "path: line 3, column 2: ..." */
wn_status wn__csv_fail(const wn__csv *c, wn_status code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#endif
