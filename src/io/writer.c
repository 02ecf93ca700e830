/* The writer: everything goes to a temporary file in the target's directory (without a name until it is complete, where the file
 * system has that), which is synced and renamed over the target. Whoever kills the process, whenever, leaves the old file or the
 * new one, never a part. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* realpath under -std=c11 */
#endif
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"

enum { BUFFER = 1 << 16, ONE_WRITE = 1 << 30, TRIES = 100, TEMP_NAME = 48 };

static bool failed(wn__writer *w, const char *what) {
    const char *why = strerror(errno);
    wn__fail(WN_E_RUNTIME, w->op, "%s: %s: %s", wn__path_tail(w->path), what, why);
    return false;
}

/* The last component of the path begins here. */
static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Files without a name leave nothing behind when the process is killed; not every file system has them. */
static bool open_unnamed(wn__writer *w) {
#ifdef O_TMPFILE
    size_t dir = directory_length(w->target);
    char saved = w->target[dir];
    if (access("/proc/self/fd", X_OK) != 0) return false; /* the way to give it a name */
    w->target[dir] = 0;
    w->fd = wn__open(dir ? w->target : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, w->mode & 0777);
    w->target[dir] = saved;
    w->unnamed = w->fd >= 0;
#endif
    return w->unnamed;
}

/* Tries names beside the target until one is free; make returns what fails with EEXIST as long as it is not. */
static int try_names(wn__writer *w, int (*make)(wn__writer *w)) {
    static _Atomic unsigned counter;
    size_t dir = directory_length(w->target), size = dir + TEMP_NAME;
    int made = -1;
    for (int i = 0; i < TRIES && made < 0; i++) {
        unsigned serial = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
        snprintf(w->temp + dir, size - dir, ".winnow-%ld-%u.tmp", (long)getpid(), serial);
        made = make(w);
        if (made < 0 && errno != EEXIST) break;
    }
    return made;
}
static int create(wn__writer *w) { return wn__open(w->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, w->mode & 0777); }
static int give_name(wn__writer *w) {
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", w->fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, w->temp, AT_SYMLINK_FOLLOW);
}

/* The name does not grow from the target's, which may already be as long as names can be. */
static bool open_temp(wn__writer *w) {
    size_t dir = directory_length(w->target);
    w->temp = wn__new(char, dir + TEMP_NAME);
    if (!w->temp) return wn__fail_memory(w->op), false;
    memcpy(w->temp, w->target, dir);
    if (open_unnamed(w)) return true;
    w->fd = try_names(w, create);
    if (w->fd >= 0) return true;
    failed(w, "a temporary file beside it cannot be made");
    wn__free(w->temp);
    w->temp = NULL; /* not ours: nothing to remove */
    return false;
}

static bool resolve(wn__writer *w) {
    char real[PATH_MAX];
    /* A link to a file is followed, as writing through it would; a file that does not exist yet keeps its path. */
    const char *target = realpath(w->path, real) ? real : w->path;
    size_t n = strlen(target) + 1;
    w->target = wn__new(char, n);
    if (!w->target) return wn__fail_memory(w->op), false;
    memcpy(w->target, target, n);
    return true;
}

/* The permissions of the file that is replaced, before anything is in the new one: what was private never becomes readable. */
static bool keep_mode(wn__writer *w) {
    struct stat st;
    if (fstat(w->fd, &st) == 0 && (st.st_mode & 07777) == w->mode) return true; /* also where modes cannot be set */
    int r;
    do r = fchmod(w->fd, w->mode);
    while (r != 0 && errno == EINTR);
    return r == 0 || failed(w, "its permissions cannot be kept");
}

static bool open_any(wn__writer *w) {
    struct stat st;
    bool exists = stat(w->target, &st) == 0;
    if (exists && S_ISDIR(st.st_mode)) return errno = EISDIR, failed(w, "cannot be written");
    if (exists && !S_ISREG(st.st_mode)) { /* a device or a pipe cannot be replaced: write into it */
        w->fd = wn__open(w->target, O_WRONLY | O_CLOEXEC, 0);
        return w->fd >= 0 || failed(w, "cannot be written");
    }
    w->mode = exists ? st.st_mode & 07777 : 0666;
    return open_temp(w) && (!exists || keep_mode(w));
}

bool wn__writer_open(wn__writer *w, const char *op, const char *path) {
    memset(w, 0, sizeof *w);
    w->op = op;
    w->path = path;
    w->fd = -1;
    if (!path || !*path) return wn__fail(WN_E_VALUE, op, "no path given"), false;
    w->buf = wn__new(char, BUFFER);
    if (!w->buf) wn__fail_memory(op);
    if (w->buf && resolve(w) && open_any(w)) return true;
    wn__writer_abort(w);
    return false;
}

static bool write_all(wn__writer *w, const char *p, size_t n) {
    while (n > 0) {
        ssize_t done = write(w->fd, p, n < ONE_WRITE ? n : ONE_WRITE);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) { /* 0: one that takes nothing would be asked for ever */
            const char *why = done < 0 ? strerror(errno) : "nothing is taken any more";
            wn__fail(WN_E_RUNTIME, w->op, "%s: cannot be written near byte %lld: %s", wn__path_tail(w->path),
                     (long long)w->pos, why);
            return false;
        }
        p += done;
        n -= (size_t)done;
    }
    return true;
}

static bool flush(wn__writer *w) {
    size_t n = w->used;
    w->used = 0;
    return write_all(w, w->buf, n);
}

bool wn__writer_put(wn__writer *w, const void *data, size_t n) {
    if (n == 0) return true;
    if (w->used + n > BUFFER && !flush(w)) return false;
    if (n >= BUFFER) {
        if (!write_all(w, data, n)) return false;
    } else {
        memcpy(w->buf + w->used, data, n);
        w->used += n;
    }
    w->pos += (int64_t)n;
    return true;
}

static bool sync_all(int fd) {
    int r;
    do r = fsync(fd);
    while (r != 0 && errno == EINTR);
    return r == 0;
}

/* The folder is opened before the rename: whoever lacks descriptors keeps the old file. -1 with *ok: one that may be written but
 * not read cannot be synced. */
static int open_directory(wn__writer *w, bool *ok) {
    size_t n = directory_length(w->target);
    char saved = w->target[n];
    w->target[n] = 0;
    int fd = wn__open(n ? w->target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    w->target[n] = saved;
    *ok = fd >= 0 || errno == EACCES || errno == EPERM || failed(w, "its directory cannot be opened");
    return fd;
}

/* The rename itself is durable once the directory is; file systems that cannot sync one are no failure. */
static bool rename_synced(wn__writer *w, int directory) {
    if (rename(w->temp, w->target) != 0) return failed(w, "cannot be replaced");
    wn__free(w->temp);
    w->temp = NULL;
    if (directory < 0 || sync_all(directory) || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return true;
    return failed(w, "is written, but its directory cannot be synced");
}

static bool replace(wn__writer *w) {
    bool ok;
    int directory = open_directory(w, &ok);
    ok = ok && rename_synced(w, directory);
    if (directory >= 0) close(directory);
    return ok;
}

static bool finish(wn__writer *w) {
    if (!flush(w)) return false;
    if (w->temp && !sync_all(w->fd)) return failed(w, "cannot be synced");
    if (w->unnamed && try_names(w, give_name) < 0) return failed(w, "a temporary file beside it cannot be made");
    w->unnamed = false;
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) != 0 && errno != EINTR) return failed(w, "cannot be closed");
    return !w->temp || replace(w);
}

wn_status wn__writer_commit(wn__writer *w) {
    bool ok = finish(w);
    wn__writer_abort(w);
    return ok ? WN_OK : WN_E_RUNTIME;
}

void wn__writer_abort(wn__writer *w) {
    if (w->fd >= 0) close(w->fd);
    w->fd = -1;
    if (w->temp && !w->unnamed) unlink(w->temp);
    wn__free(w->temp);
    wn__free(w->target);
    wn__free(w->buf);
    w->temp = w->target = w->buf = NULL;
}
