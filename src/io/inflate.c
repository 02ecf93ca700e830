/* Compressed sources through zlib's inflate. Not gzopen: it ignores garbage after the data and allocates on its own. */
#include "io/file.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>
#include "base/alloc.h"

enum { INPUT = 1 << 16 };

struct wn__inflate {
    z_stream stream;
    bool gzip;
    bool ended;   /* the current member is complete and its checksum fits */
    bool again;   /* in a second gzip member */
    unsigned char input[INPUT];
};

static voidpf z_alloc(voidpf ctx, uInt n, uInt size) {
    (void)ctx;
    return wn__calloc(n, size);
}

static void z_free(voidpf ctx, voidpf p) {
    (void)ctx;
    wn__free(p);
}

static bool start(wn__source *s, int window_bits, bool gzip) {
    struct wn__inflate *z = wn__new(struct wn__inflate, 1);
    if (!z) return wn__fail_memory(s->op), false;
    z->stream.zalloc = z_alloc;
    z->stream.zfree = z_free;
    z->gzip = gzip;
    if (inflateInit2(&z->stream, window_bits) != Z_OK) {
        wn__free(z);
        return wn__fail_memory(s->op), false;
    }
    s->z = z;
    return true;
}

bool wn__source_gzip(wn__source *s) { return start(s, 16 + MAX_WBITS, true); }
bool wn__source_deflate(wn__source *s) { return start(s, -MAX_WBITS, false); }

void wn__inflate_free(struct wn__inflate *z) {
    if (!z) return;
    inflateEnd(&z->stream);
    wn__free(z);
}

uint32_t wn__crc32(uint32_t crc, const void *p, int64_t n) {
    while (n > 0) {
        uInt part = (uInt)(n < (1 << 30) ? n : (1 << 30));
        crc = (uint32_t)crc32(crc, p, part);
        p = (const char *)p + part;
        n -= part;
    }
    return crc;
}

/* Fills the input buffer; false on a read error. At the end of the file it stays empty. */
static bool refill(wn__source *s, struct wn__inflate *z) {
    int64_t n = s->end - s->at < INPUT ? s->end - s->at : INPUT;
    int64_t got = n ? wn__pread_all(s->fd, z->input, n, s->at) : 0;
    if (got < 0) return wn__source_fail(s, WN_E_RUNTIME, s->at, "cannot be read: %s", strerror(errno)), false;
    s->at += got;
    z->stream.next_in = z->input;
    z->stream.avail_in = (uInt)got;
    return true;
}

static int64_t failed(wn__source *s, struct wn__inflate *z, int code) {
    int64_t raw = s->at - (int64_t)z->stream.avail_in;
    if (code == Z_MEM_ERROR)
        wn__fail_memory(s->op);
    else if (code == Z_BUF_ERROR)
        wn__source_fail(s, WN_E_VALUE, raw, "the compressed data ends early");
    else if (z->again && z->stream.total_out == 0)
        wn__source_fail(s, WN_E_VALUE, raw, "garbage follows the compressed data");
    else
        wn__source_fail(s, WN_E_VALUE, raw, "the compressed data is damaged: %s",
                        z->stream.msg ? z->stream.msg : "not a zlib stream");
    return -1;
}

/* After the end of a member: is there another one? 1 yes, 0 no, -1 error. */
static int next_member(wn__source *s, struct wn__inflate *z) {
    if (z->stream.avail_in == 0 && !refill(s, z)) return -1;
    if (z->stream.avail_in == 0) return 0;
    if (!z->gzip) {
        wn__source_fail(s, WN_E_VALUE, s->at - (int64_t)z->stream.avail_in, "garbage follows the compressed data");
        return -1;
    }
    inflateReset(&z->stream);
    z->ended = false;
    z->again = true;
    return 1;
}

int64_t wn__inflate_some(wn__source *s, void *dst, int64_t n) {
    struct wn__inflate *z = s->z;
    uInt room = (uInt)(n < (1 << 30) ? n : (1 << 30));
    z->stream.next_out = dst;
    z->stream.avail_out = room;
    while (z->stream.avail_out == room && room > 0) {
        if (z->ended) {
            int more = next_member(s, z);
            if (more <= 0) return more;
        }
        if (z->stream.avail_in == 0 && !refill(s, z)) return -1;
        int code = inflate(&z->stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            z->ended = true;
        else if (code != Z_OK)
            return failed(s, z, code == Z_BUF_ERROR && z->stream.avail_in ? Z_DATA_ERROR : code);
    }
    return (int64_t)(room - z->stream.avail_out);
}
