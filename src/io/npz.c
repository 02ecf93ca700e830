/* Reading npz: a zip archive of npy files. The directory at the end of the file says where the members are; sizes and places
 * are checked against the file before anything is read, checksums after. */
#include "base/alloc.h"
#include "io/archive.h"
#include "io/file.h"
#include "io/json.h"
#include "io/npy.h"

#include <errno.h>

static const char op[] = "load_npz";

enum {
    END = 22,       /* bytes of the end record */
    END64 = 56,     /* of the zip64 end record */
    LOCATOR = 20,   /* of the zip64 locator */
    ENTRY = 46,     /* of a directory entry without its texts */
    LOCAL = 30,     /* of a local header without its texts */
    COMMENT = 65535 /* the longest comment after the end record */
};

typedef struct zip {
    wn__source src;
    wn_archive *a;
    int64_t directory, directory_bytes, entries;
    int64_t budget; /* compressed bytes that members may still have: members that share bytes would multiply them */
} zip;

typedef struct member {
    uint64_t packed, size, local;
    uint32_t crc;
    int method, flags;
} member;

static uint64_t little(const char *p, int bytes) {
    uint64_t v = 0;
    for (int i = bytes - 1; i >= 0; i--) v = v << 8 | (unsigned char)p[i];
    return v;
}

static bool damaged(const zip *z, int64_t at, const char *message) {
    wn__source_fail(&z->src, WN_E_VALUE, at, "%s", message);
    return false;
}

static bool read_at(zip *z, void *dst, int64_t n, int64_t at) {
    int64_t got = at <= z->src.end ? wn__pread_all(z->src.fd, dst, n, at) : 0;
    if (got < 0) return wn__source_fail(&z->src, WN_E_RUNTIME, at, "cannot be read: %s", strerror(errno)), false;
    return got == n || damaged(z, at, "the zip archive ends early");
}

/* ------------------------------------------------------------------ the directory */

static bool read_end64(zip *z, int64_t end_at) {
    char locator[LOCATOR], end[END64];
    if (end_at < LOCATOR) return damaged(z, end_at, "the zip64 record is missing");
    if (!read_at(z, locator, LOCATOR, end_at - LOCATOR)) return false;
    if (little(locator, 4) != 0x07064b50) return damaged(z, end_at - LOCATOR, "the zip64 record is missing");
    uint64_t at = little(locator + 8, 8);
    if (at > (uint64_t)end_at) return damaged(z, end_at - LOCATOR, "the zip64 record is missing");
    if (!read_at(z, end, END64, (int64_t)at)) return false;
    if (little(end, 4) != 0x06064b50) return damaged(z, (int64_t)at, "the zip64 record is missing");
    z->entries = (int64_t)(little(end + 32, 8) & INT64_MAX);
    z->directory_bytes = (int64_t)(little(end + 40, 8) & INT64_MAX);
    z->directory = (int64_t)(little(end + 48, 8) & INT64_MAX);
    return true;
}

static bool find_end(zip *z) {
    int64_t n = z->src.end < END + COMMENT ? z->src.end : END + COMMENT, base = z->src.end - n;
    char *tail = wn__new(char, (size_t)n + 1);
    if (!tail) return wn__fail_memory(op), false;
    if (!read_at(z, tail, n, base)) return wn__free(tail), false;
    int64_t i = n - END;
    /* The record whose comment ends where the file ends; a comment may look like a record. */
    while (i >= 0 && !(little(tail + i, 4) == 0x06054b50 && i + END + (int64_t)little(tail + i + 20, 2) == n)) i--;
    if (i >= 0) {
        z->entries = (int64_t)little(tail + i + 10, 2);
        z->directory_bytes = (int64_t)little(tail + i + 12, 4);
        z->directory = (int64_t)little(tail + i + 16, 4);
    }
    wn__free(tail);
    if (i < 0) return damaged(z, base, "not a zip archive (no directory at its end)");
    int64_t end_at = base + i;
    bool wide = z->entries == 0xffff || z->directory_bytes == 0xffffffff || z->directory == 0xffffffff;
    if (wide && !read_end64(z, end_at)) return false;
    if (z->directory > end_at || z->directory_bytes > end_at - z->directory || z->entries > z->directory_bytes / ENTRY)
        return damaged(z, end_at, "the directory does not fit into the file");
    return true;
}

/* The zip64 extra field holds, in this order, those values that are all ones in the entry. */
static bool widen(const zip *z, member *m, const char *extra, int64_t n, int64_t at) {
    uint64_t *wide[] = {&m->size, &m->packed, &m->local};
    for (; n >= 4; n -= 4 + (int64_t)little(extra + 2, 2), extra += 4 + little(extra + 2, 2)) {
        int64_t id = (int64_t)little(extra, 2), bytes = (int64_t)little(extra + 2, 2);
        if (bytes > n - 4) return damaged(z, at, "an extra field is damaged");
        if (id != 1) continue;
        const char *p = extra + 4;
        for (int i = 0; i < 3; i++) {
            if (*wide[i] != 0xffffffff) continue;
            if (bytes < 8) return damaged(z, at, "a zip64 extra field is too short");
            *wide[i] = little(p, 8);
            p += 8;
            bytes -= 8;
        }
        return true;
    }
    return true;
}

/* ------------------------------------------------------------------ members */

static bool check_member(zip *z, const member *m, int64_t at) {
    if (m->flags & 1) return wn__source_fail(&z->src, WN_E_NOT_IMPLEMENTED, at, "an encrypted member"), false;
    if (m->method != 0 && m->method != 8) {
        wn__source_fail(&z->src, WN_E_NOT_IMPLEMENTED, at, "compression method %d is not supported", m->method);
        return false;
    }
    if (m->packed > (uint64_t)z->budget || m->local > (uint64_t)z->directory || m->size > INT64_MAX)
        return damaged(z, at, "a member does not fit into the file");
    z->budget -= (int64_t)m->packed;
    return m->method != 0 || m->packed == m->size || damaged(z, at, "the sizes of a stored member differ");
}

static wn_tensor *read_member(zip *z, const member *m, const char *name) {
    char local[LOCAL];
    if (!read_at(z, local, LOCAL, (int64_t)m->local)) return NULL;
    int64_t data = (int64_t)m->local + LOCAL + (int64_t)little(local + 26, 2) + (int64_t)little(local + 28, 2);
    if (little(local, 4) != 0x04034b50 || data > z->directory || m->packed > (uint64_t)(z->directory - data))
        return damaged(z, (int64_t)m->local, "a member's header is damaged"), NULL;
    wn__source s = z->src;
    s.member = name;
    s.at = data;
    s.end = data + (int64_t)m->packed;
    s.pos = 0;
    s.want_crc = true;
    s.crc = 0;
    if (m->method == 8 && !wn__source_deflate(&s)) return NULL;
    wn_tensor *t = wn__npy_read(&s);
    wn__inflate_free(s.z); /* the file itself stays open */
    if (t && (s.crc != m->crc || s.pos != (int64_t)m->size)) {
        wn__source_fail(&s, WN_E_VALUE, s.pos, "the checksum or the size does not fit: the data is damaged");
        wn__release(t);
        return NULL;
    }
    return t;
}

/* Cuts ".npy" off, as NumPy does. */
static bool name_item(zip *z, wn__named *item, char *name, int64_t length, int64_t at) {
    if (length < 4 || memcmp(name + length - 4, ".npy", 4) != 0)
        return wn__source_fail(&z->src, WN_E_NOT_IMPLEMENTED, at, "a member that is no .npy file"), false;
    name[length - 4] = 0;
    if (strlen(name) != (size_t)length - 4 || !wn__utf8_valid(name)) return damaged(z, at, "a member's name is not UTF-8");
    item->name = name;
    return true;
}

/* Reads the entry at offset `at` of the directory's text; the offset of the next one, or -1. */
static int64_t read_entry(zip *z, int64_t at) {
    char *e = z->a->text + at;
    int64_t where = z->directory + at, left = z->directory_bytes - at;
    if (left < ENTRY || little(e, 4) != 0x02014b50) return damaged(z, where, "a directory entry is damaged"), -1;
    int64_t name = (int64_t)little(e + 28, 2), extra = (int64_t)little(e + 30, 2), comment = (int64_t)little(e + 32, 2);
    if (name + extra + comment > left - ENTRY) return damaged(z, where, "a directory entry is damaged"), -1;
    member m = {.packed = little(e + 20, 4), .size = little(e + 24, 4), .local = little(e + 42, 4),
                .crc = (uint32_t)little(e + 16, 4), .method = (int)little(e + 10, 2), .flags = (int)little(e + 8, 2)};
    if (!widen(z, &m, e + ENTRY + name, extra, where) || !check_member(z, &m, where)) return -1;
    wn__named *item = wn__archive_add(z->a);
    if (!item) return wn__fail_memory(op), -1;
    item->declared_at = (size_t)where;
    if (!name_item(z, item, e + ENTRY, name, where)) return -1;
    item->tensor = read_member(z, &m, item->name);
    return item->tensor ? at + ENTRY + name + extra + comment : -1;
}

static bool read_entries(zip *z) {
    z->budget = z->src.end;
    z->a->text = wn__new(char, (size_t)z->directory_bytes + 1);
    if (!z->a->text) return wn__fail_memory(op), false;
    if (!read_at(z, z->a->text, z->directory_bytes, z->directory)) return false;
    int64_t at = 0;
    for (int64_t i = 0; i < z->entries; i++)
        if ((at = read_entry(z, at)) < 0) return false;
    if (at != z->directory_bytes) return damaged(z, z->directory + at, "bytes after the last directory entry");
    const wn__named *twice;
    if (!wn__archive_index(z->a, &twice)) return wn__fail_memory(op), false;
    char quoted[100];
    if (twice)
        wn__source_fail(&z->src, WN_E_VALUE, (int64_t)twice->declared_at, "the name %s occurs twice",
                        wn__quote(twice->name, quoted));
    return !twice;
}

wn_archive *wn_load_npz(const char *path) {
    zip z = {0};
    if (!wn__source_open(&z.src, op, path)) return NULL;
    z.a = wn__new(wn_archive, 1);
    bool ok = z.a != NULL;
    if (!ok) wn__fail_memory(op);
    ok = ok && find_end(&z) && read_entries(&z);
    wn__source_close(&z.src);
    if (ok) return z.a;
    wn_archive_free(z.a);
    return NULL;
}
