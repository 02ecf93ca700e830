/* Reading and writing files: sources that know where they are, and a writer that replaces a file whole or not at all. */
#ifndef WN_IO_FILE_H
#define WN_IO_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the file formats assume a little-endian machine"
#endif

struct wn__inflate;

/* A stretch of a regular file, plain or compressed, read from front to back. */
typedef struct wn__source {
    const char *op;   /* for messages */
    const char *path; /* borrowed */
    const char *member; /* borrowed; the part of an archive that is read, NULL: the whole file */
    int fd;
    int64_t at, end; /* raw bytes of the file still to be read: [at, end) */
    int64_t pos;     /* bytes delivered so far; what messages call "byte" */
    struct wn__inflate *z; /* NULL: plain */
    bool want_crc;
    uint32_t crc; /* of the bytes delivered, if wanted */
} wn__source;

/* Opens a regular file; an error record and false otherwise (close is harmless then). */
bool wn__source_open(wn__source *s, const char *op, const char *path);
/* From here on the raw bytes are gzip (with checksum) or bare deflate data. */
bool wn__source_gzip(wn__source *s);
bool wn__source_deflate(wn__source *s);
/* The most bytes that reading may still deliver: exact for plain sources, what deflate can expand to otherwise. */
int64_t wn__source_at_most(const wn__source *s);
/* Up to n bytes: how many, 0 at the end, -1 with an error record. */
int64_t wn__source_some(wn__source *s, void *dst, int64_t n);
/* Exactly n bytes, or an error record and false; what: "the header", for the message about a short file. */
bool wn__source_read(wn__source *s, void *dst, int64_t n, const char *what);
/* Checks that everything was read (and the checksums of compressed data). */
bool wn__source_finish(wn__source *s);
void wn__source_close(wn__source *s);
/* "path: byte 12: ..." */
wn_status wn__source_fail(const wn__source *s, wn_status code, int64_t at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* open(), again where a signal interrupted it. */
int wn__open(const char *path, int flags, unsigned mode);
/* pread until n bytes are there: the number read (short at the end of the file), -1 with errno. */
int64_t wn__pread_all(int fd, void *dst, int64_t n, int64_t at);

/* inflate.c */
void wn__inflate_free(struct wn__inflate *z);
int64_t wn__inflate_some(wn__source *s, void *dst, int64_t n);
uint32_t wn__crc32(uint32_t crc, const void *p, int64_t n);

/* Writes to a temporary file beside the target; commit makes it durable and renames it. */
typedef struct wn__writer {
    const char *op, *path; /* borrowed */
    char *target;          /* path with symbolic links resolved */
    char *temp;            /* its name; NULL: the target is written itself */
    bool unnamed;          /* the temporary file has no name yet */
    unsigned mode;         /* of the file that is replaced; of new ones before the umask */
    int fd;
    int64_t pos; /* bytes put so far */
    char *buf;   /* small writes gather here */
    size_t used;
} wn__writer;

bool wn__writer_open(wn__writer *w, const char *op, const char *path);
bool wn__writer_put(wn__writer *w, const void *data, size_t n);
wn_status wn__writer_commit(wn__writer *w); /* frees everything, also on failure */
void wn__writer_abort(wn__writer *w);       /* removes the temporary file; harmless after commit */

/* Messages: the end of a long path, and text from a file with everything unprintable escaped (rotating buffers of the
 * thread are too much for this: the caller brings one). */
const char *wn__path_tail(const char *path);
const char *wn__quote(const char *text, char buf[100]);
#endif
