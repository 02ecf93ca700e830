/* Sources: reading a regular file from front to back, knowing the offset of everything for the messages. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pread, O_CLOEXEC */
#endif
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 300, ONE_READ = 1 << 30 };

const char *wn__path_tail(const char *path) {
    size_t n = strlen(path);
    return n > LONGEST_PATH ? path + (n - LONGEST_PATH) : path;
}

const char *wn__quote(const char *text, char buf[100]) {
    size_t used = 0;
    buf[used++] = '"';
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (used > 90) {
            memcpy(buf + used, "...", 3);
            used += 3;
            break;
        }
        if (*p < 0x20 || *p >= 0x7f || *p == '"' || *p == '\\')
            used += (size_t)snprintf(buf + used, 5, "\\x%02x", *p);
        else
            buf[used++] = (char)*p;
    }
    buf[used++] = '"';
    buf[used] = 0;
    return buf;
}

wn_status wn__source_fail(const wn__source *s, wn_status code, int64_t at, const char *fmt, ...) {
    char why[500];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    const char *path = wn__path_tail(s->path);
    if (s->member) return wn__fail(code, s->op, "%s: %.80s: byte %lld: %s", path, s->member, (long long)at, why);
    return wn__fail(code, s->op, "%s: byte %lld: %s", path, (long long)at, why);
}

int wn__open(const char *path, int flags, unsigned mode) {
    int fd;
    do fd = open(path, flags, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

bool wn__source_open(wn__source *s, const char *op, const char *path) {
    memset(s, 0, sizeof *s);
    s->op = op;
    s->path = path ? path : "(no path)";
    s->fd = -1;
    if (!path) return wn__fail(WN_E_VALUE, op, "no path given"), false;
    /* O_NONBLOCK: opening a pipe that nobody writes must not hang before we can refuse it. */
    s->fd = wn__open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    struct stat st;
    if (s->fd < 0 || fstat(s->fd, &st) != 0) {
        wn__fail(WN_E_RUNTIME, op, "%s: cannot be opened: %s", wn__path_tail(path), strerror(errno));
        wn__source_close(s);
        return false;
    }
    if (!S_ISREG(st.st_mode)) {
        const char *kind = S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file";
        wn__fail(WN_E_RUNTIME, op, "%s: %s", wn__path_tail(path), kind);
        wn__source_close(s);
        return false;
    }
    s->end = (int64_t)st.st_size;
    return true;
}

void wn__source_close(wn__source *s) {
    if (s->fd >= 0) close(s->fd);
    s->fd = -1;
    wn__inflate_free(s->z);
    s->z = NULL;
}

int64_t wn__pread_all(int fd, void *dst, int64_t n, int64_t at) {
    int64_t done = 0;
    while (done < n) {
        size_t want = (size_t)(n - done < ONE_READ ? n - done : ONE_READ);
        ssize_t got = pread(fd, (char *)dst + done, want, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += got;
    }
    return done;
}

static int64_t plain_some(wn__source *s, void *dst, int64_t n) {
    if (n > s->end - s->at) n = s->end - s->at;
    if (n == 0) return 0;
    int64_t got = wn__pread_all(s->fd, dst, n, s->at);
    if (got < 0) return wn__source_fail(s, WN_E_RUNTIME, s->pos, "cannot be read: %s", strerror(errno)), -1;
    if (got < n) return wn__source_fail(s, WN_E_RUNTIME, s->pos + got, "the file shrank while it was read"), -1;
    s->at += got;
    return got;
}

int64_t wn__source_some(wn__source *s, void *dst, int64_t n) {
    int64_t got = s->z ? wn__inflate_some(s, dst, n) : plain_some(s, dst, n);
    if (got <= 0) return got;
    if (s->want_crc) s->crc = wn__crc32(s->crc, dst, got);
    s->pos += got;
    return got;
}

bool wn__source_read(wn__source *s, void *dst, int64_t n, const char *what) {
    int64_t done = 0;
    while (done < n) {
        int64_t got = wn__source_some(s, (char *)dst + done, n - done);
        if (got < 0) return false;
        if (got == 0) {
            wn__source_fail(s, WN_E_VALUE, s->pos, "the file ends early: %lld of the %lld bytes of %s are missing",
                            (long long)(n - done), (long long)n, what);
            return false;
        }
        done += got;
    }
    return true;
}

bool wn__source_finish(wn__source *s) {
    char one;
    int64_t got = wn__source_some(s, &one, 1);
    if (got > 0) wn__source_fail(s, WN_E_VALUE, s->pos - 1, "there is more data than the header announces");
    return got == 0;
}

int64_t wn__source_at_most(const wn__source *s) {
    int64_t raw = s->end - s->at;
    if (!s->z) return raw;
    /* A deflate stream expands at most 1032-fold; counting from the beginning of the data is generous enough. */
    return s->end > INT64_MAX / 1040 ? INT64_MAX : s->end * 1040;
}
