/* A main for the harnesses where there is no libFuzzer:
 *   fuzz_x PATH...                            runs on these files, and on the files in these folders
 *   fuzz_x --random N [--seed S] [PATH...]    runs N inputs: bytes by lot, and files of the folders with some bytes changed
 * An input that crashes or takes more than 20 s of processor time is left in the file fuzz_x-crash. SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0:detect_stack_use_after_return=0"; }
const char *__ubsan_default_options(void) { return "print_stacktrace=1:abort_on_error=1"; }

typedef struct file {
    uint8_t *data;
    size_t size;
} file;
enum { MOST = 4096, LONGEST = 1 << 20, SECONDS = 20, DEAD = 300 };
static file files[MOST];
static int nfiles;
static const uint8_t *input; /* what runs now */
static size_t input_size;
static const char *program;

/* ------------------------------------------------------------------ when it goes wrong */

static void leave_input(void) {
    char path[300];
    snprintf(path, sizeof path, "%s-crash", program);
    const int fd = input ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0) return;
    if (write(fd, input, input_size) != (ssize_t)input_size || write(2, "the input is in ", 16) != 16 || write(2, path, strlen(path)) < 0 || write(2, "\n", 1) < 0) _exit(1);
    close(fd);
    input = NULL;
}
static void on_signal(int number) {
    const bool late = number == SIGALRM || number == SIGVTALRM;
    if (late && write(2, "longer than 20 s\n", 17) != 17) _exit(1);
    leave_input();
    signal(number, SIG_DFL);
    raise(late ? SIGABRT : number);
}
static void prepare(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGVTALRM};
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(leave_input);
    for (size_t i = __sanitizer_set_death_callback ? 4 : 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);
#if !defined(__SANITIZE_ADDRESS__)
    setrlimit(RLIMIT_AS, &(struct rlimit){3u << 27, 3u << 27});
#endif
}

static void run(const uint8_t *data, size_t size) {
    uint8_t *own = malloc(size + !size); /* of just this size: a sanitizer sees what reads on */
    if (!own) abort();
    memcpy(own, data, size);
    input = own;
    input_size = size;
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {SECONDS, 0}}, NULL);
    alarm(DEAD);
    LLVMFuzzerTestOneInput(own, size);
    alarm(0);
    input = NULL;
    free(own);
}

/* ------------------------------------------------------------------ inputs */

static void add_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f || nfiles == MOST) {
        if (f) fclose(f);
        return;
    }
    uint8_t *data = malloc(LONGEST);
    const size_t size = data ? fread(data, 1, LONGEST, f) : 0;
    fclose(f);
    files[nfiles++] = (file){data, size};
}
static void add(const char *path) {
    DIR *d = opendir(path);
    if (!d) {
        add_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        char name[1024];
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.') add_file(name);
    }
    closedir(d);
}

static uint64_t state;
static uint64_t number(uint64_t n) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % n;
}

/* One change to the bytes; the new size. */
static size_t change(uint8_t *b, size_t size) {
    static const uint64_t ends[] = {0, 1, 0x7f, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x4000000000000000, INT64_MAX, 0x8000000000000000, UINT64_MAX};
    const size_t at = number(size + 1), n = 1 + number(8), left = size - at;
    switch (number(5)) {
    case 0: if (left) b[at] = (uint8_t)number(256); break;
    case 1: if (left) b[at] ^= (uint8_t)(1u << number(8)); break;
    case 2: memcpy(b + at, &ends[number(12)], n < left ? n : left); break;
    case 3:
        if (n > left) break;
        memmove(b + at, b + at + n, left - n);
        return size - n;
    default:
        if (size + n > LONGEST) break;
        memmove(b + at + n, b + at, left);
        for (size_t i = 0; i < n; i++) b[at + i] = (uint8_t)number(256);
        return size + n;
    }
    return size;
}
static size_t make(uint8_t *b) {
    if (nfiles && number(2)) {
        const file *f = &files[number((uint64_t)nfiles)];
        size_t size = f->size;
        memcpy(b, f->data, size);
        for (uint64_t i = 0, n = 1 + number(8); i < n; i++) size = change(b, size);
        return size;
    }
    const size_t size = number(number(4) ? 64 : 512);
    for (size_t i = 0; i < size; i++) b[i] = (uint8_t)number(256);
    return size;
}

int main(int argc, char **argv) {
    int64_t random = -1;
    program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--random") && i + 1 < argc) random = atoll(argv[++i]);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc) state = strtoull(argv[++i], NULL, 10) << 32;
        else add(argv[i]);
    }
    prepare();
    for (int i = 0; i < nfiles && random < 0; i++) run(files[i].data, files[i].size);
    uint8_t *b = malloc(LONGEST + 16);
    for (int64_t i = 0; i < random && b; i++) run(b, make(b));
    printf("%lld passed, 0 failed\n", (long long)(random < 0 ? nfiles : random));
    free(b);
    for (int i = 0; i < nfiles; i++) free(files[i].data);
    return 0;
}
