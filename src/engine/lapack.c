/* Finds LAPACK: the library named by WINNOW_LAPACK or wn_set_lapack, or a usual one, OpenBLAS before the reference. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "engine/lapack.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

const char wn__lapack_missing[] = "LAPACK was not found: install libopenblas0-pthread (Debian) or scipy-openblas32 (Python), or set WINNOW_LAPACK to a library";

typedef struct routine {
    const char *name;
    size_t offset;
} routine;
#define R(name) {#name, offsetof(wn__lapack, name)}
static const routine routines[] = {R(geqrf), R(orgqr), R(ormqr), R(syevd), R(gesdd), R(sytrd), R(stedc), R(gebrd), R(bdsdc),
                                   R(gels),  R(gelsy), R(geqp3), R(laic1), R(tzrzf), R(ormrz), R(gelsd), R(gelss), R(sytrf), R(sytrs)};

static wn__lapack tables[2]; /* float, double */
static bool found, looked;
static char *given; /* by wn_set_lapack */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The OpenBLAS of Python's packages puts "scipy_" before its names, so that it can be loaded beside another one. */
static const char *const prefixes[] = {"", "scipy_"};

static bool fill(void *library, const char *prefix) {
    for (int type = 0; type < 2; type++)
        for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
            char symbol[32];
            snprintf(symbol, sizeof symbol, "%s%c%s_", prefix, "sd"[type], routines[i].name);
            void *at = dlsym(library, symbol);
            if (!at) return false;
            memcpy((char *)&tables[type] + routines[i].offset, &at, sizeof at);
        }
    char symbol[40];
    snprintf(symbol, sizeof symbol, "%sopenblas_set_num_threads", prefix);
    void (*set_threads)(int) = NULL;
    void *at = dlsym(library, symbol);
    if (!at) at = dlsym(library, "MKL_Set_Num_Threads");
    memcpy(&set_threads, &at, sizeof at);
    /* Its sums would depend on its threads; we run threads ourselves, over matrices and over blocks of one. */
    if (set_threads) set_threads(1);
    return true;
}

static bool open_library(const char *name, void **library) {
    *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; *library && !found && i < sizeof prefixes / sizeof *prefixes; i++) found = fill(*library, prefixes[i]);
    if (*library && !found) dlclose(*library);
    return found;
}

/* OpenBLAS knows processors by number, and takes one newer than itself for the oldest: its kernels then have a quarter
 * of the speed. So variables that it reads while it is opened tell it which processor to assume, unless the environment
 * does, and to start no threads. (Closing it would wait for threads that want memory.) */
static void try(const char *name) {
    static const char kind[] = "OPENBLAS_CORETYPE", number[] = "OPENBLAS_NUM_THREADS";
    const char *level = wn_level(), *before = getenv(number);
    char kept[32] = "";
    const bool tell = !getenv(kind) && strcmp(level, "portable");
    void *library;
    if (found) return;
    if (before) snprintf(kept, sizeof kept, "%s", before);
    if (tell) setenv(kind, strcmp(level, "avx512") ? "Haswell" : "SkylakeX", 1);
    setenv(number, "1", 1);
    open_library(name, &library);
    if (tell) unsetenv(kind);
    if (before) setenv(number, kept, 1);
    else unsetenv(number);
}

static void look(void) {
    static const char *const usual[] = {"libopenblas.so.0", "libmkl_rt.so.2", "libmkl_rt.so.1", "libopenblas.so", "libmkl_rt.so", "liblapack.so.3", "liblapack.so"};
    const char *named = getenv("WINNOW_LAPACK");
    pthread_mutex_lock(&lock);
    looked = true;
    if (named && *named) try(named);
    else if (given) try(given);
    for (size_t i = 0; !(named && *named) && i < sizeof usual / sizeof *usual; i++) try(usual[i]);
    wn__free(given);
    given = NULL;
    pthread_mutex_unlock(&lock);
}

wn_status wn_set_lapack(const char *path) {
    char *copy = path ? wn__new(char, strlen(path) + 1) : NULL;
    if (path && !copy) return wn__fail_memory("set_lapack");
    if (copy) memcpy(copy, path, strlen(path));
    pthread_mutex_lock(&lock);
    const bool late = looked;
    char *old = late ? copy : given;
    if (!late) given = copy;
    pthread_mutex_unlock(&lock);
    wn__free(old);
    return late ? wn__fail(WN_E_RUNTIME, "set_lapack", "LAPACK was looked for already: say where it is before linear algebra is used") : WN_OK;
}

const wn__lapack *wn__lapack_get(wn_dtype dtype) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return found ? &tables[dtype == WN_F64] : NULL;
}
