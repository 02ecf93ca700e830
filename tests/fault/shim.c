/* A disk with faults, for tests: these functions stand before libc's, by LD_PRELOAD or because a program is linked with them.
 *
 *     WINNOW_FAULT=write:3:ENOSPC    the third write fails so
 *     WINNOW_FAULT=write:3+:short    the third and later ones take half of what they are given
 *     WINNOW_FAULT_FOLDER=/tmp/x     only files in this folder, and the folder itself, have faults
 *     WINNOW_FAULT_NAMED=1           there are no files without a name (O_TMPFILE) in it
 *
 * Calls: open, read, write, fsync, syncdir (fsync of a folder), fchmod, link, rename, close. Faults: names of errors, short, zero
 * (nothing is read or written, without an error). Calls are counted from when the variable was set last (whoever wants to count
 * from the beginning again sets it to "" first); fault_struck says how many of them failed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPEN __attribute__((visibility("default")))
enum { SHORT = -1, ZERO = -2 };

static long seen, struck; /* tests arm faults in one thread */
static char armed[64];

OPEN long fault_struck(void);
long fault_struck(void) { return struck; }

static int kind_of(const char *word) {
    static const struct {
        const char *word;
        int kind;
    } known[] = {{"short", SHORT}, {"zero", ZERO}, {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EACCES", EACCES},
                 {"EMFILE", EMFILE}, {"EPERM", EPERM}, {"EINVAL", EINVAL}, {"EDQUOT", EDQUOT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i].word)) return known[i].kind;
    return 0;
}

static bool inside(const char *path) {
    const char *folder = getenv("WINNOW_FAULT_FOLDER");
    size_t n = folder ? strlen(folder) : 0;
    return n && !strncmp(path, folder, n) && (!path[n] || path[n] == '/');
}

static bool ours(int fd) {
    char self[32], path[4096];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(self, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return inside(path);
}

/* "write:3+:short": what follows the call's name. */
static bool parse(const char *plan, const char *call, long *at, bool *onward, int *kind) {
    size_t n = strlen(call);
    if (strncmp(plan, call, n) != 0 || plan[n] != ':') return false;
    char *end;
    *at = strtol(plan + n + 1, &end, 10);
    *onward = *end == '+';
    end += *onward;
    *kind = *end == ':' ? kind_of(end + 1) : 0;
    return *kind != 0;
}

/* The fault of this call: 0, SHORT, ZERO or an errno. */
static int fault_of(const char *call) {
    const char *plan = getenv("WINNOW_FAULT");
    if (!plan) plan = "";
    if (strcmp(plan, armed) != 0) {
        snprintf(armed, sizeof armed, "%s", plan);
        seen = struck = 0;
    }
    long at;
    bool onward;
    int kind;
    if (!parse(plan, call, &at, &onward, &kind)) return 0;
    seen++;
    if (seen < at || (seen > at && !onward)) return 0;
    struck++;
    return kind;
}

/* True: the call fails, errno says how. */
static bool fails(const char *call, bool concerned) {
    int kind = concerned ? fault_of(call) : 0;
    if (kind > 0) errno = kind;
    return kind > 0;
}

static ssize_t transfer(const char *call, long number, int fd, void *p, size_t n, off_t at) {
    int kind = ours(fd) ? fault_of(call) : 0;
    if (kind > 0) return errno = kind, -1;
    if (kind == ZERO) return 0;
    return syscall(number, fd, p, kind == SHORT && n > 1 ? n / 2 : n, at);
}

OPEN ssize_t write(int fd, const void *p, size_t n) { return transfer("write", SYS_write, fd, (void *)p, n, 0); }
OPEN ssize_t read(int fd, void *p, size_t n) { return transfer("read", SYS_read, fd, p, n, 0); }
OPEN ssize_t pread(int fd, void *p, size_t n, off_t at) { return transfer("read", SYS_pread64, fd, p, n, at); }
OPEN ssize_t pread64(int fd, void *p, size_t n, off64_t at) { return transfer("read", SYS_pread64, fd, p, n, at); }

OPEN int open(const char *path, int flags, ...) {
    va_list ap;
    va_start(ap, flags);
    int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, int) : 0;
    va_end(ap);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("WINNOW_FAULT_NAMED") && inside(path)) return errno = EOPNOTSUPP, -1;
    return fails("open", inside(path)) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
OPEN int open64(const char *path, int flags, ...) __attribute__((alias("open")));

OPEN int fsync(int fd) {
    struct stat st;
    bool folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    return fails(folder ? "syncdir" : "fsync", ours(fd)) ? -1 : (int)syscall(SYS_fsync, fd);
}
OPEN int fchmod(int fd, mode_t mode) { return fails("fchmod", ours(fd)) ? -1 : (int)syscall(SYS_fchmod, fd, mode); }
OPEN int linkat(int from, const char *old, int to, const char *new, int flags) {
    return fails("link", inside(new)) ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}
OPEN int rename(const char *old, const char *new) {
    return fails("rename", inside(new)) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}
/* The descriptor is gone all the same, as on Linux. Of folders it does not matter. */
OPEN int close(int fd) {
    struct stat st;
    bool file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode), concerned = file && ours(fd);
    int r = (int)syscall(SYS_close, fd);
    return fails("close", concerned) ? -1 : r;
}
