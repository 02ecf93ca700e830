/* Finds LAPACK: the library that WINNOW_LAPACK names, or the usual ones. */
#include "cpu/lapack.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char wn__lapack_missing[] = "LAPACK was not found: install liblapack3 or libopenblas0 (Debian), or set WINNOW_LAPACK to a library";

typedef struct routine {
    const char *name;
    size_t offset;
} routine;
#define R(name) {#name, offsetof(wn__lapack, name)}
static const routine routines[] = {R(trsm), R(potrf), R(getrf), R(geqrf), R(orgqr), R(ormqr),
                                   R(syevd), R(gesdd), R(gels), R(gelsy), R(gelsd), R(gelss), R(sytrf), R(sytrs)};

static wn__lapack tables[2]; /* float, double */
static bool found;

static bool fill(void *library) {
    for (int type = 0; type < 2; type++)
        for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
            char symbol[32];
            snprintf(symbol, sizeof symbol, "%c%s_", "sd"[type], routines[i].name);
            void *at = dlsym(library, symbol);
            if (!at) return false;
            memcpy((char *)&tables[type] + routines[i].offset, &at, sizeof at);
        }
    tables[0].threads = tables[1].threads = dlsym(library, "openblas_get_num_threads") || dlsym(library, "MKL_Get_Max_Threads");
    return true;
}

static void look(void) {
    static const char *const usual[] = {"libopenblas.so.0", "liblapack.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libopenblas.so", "liblapack.so", "libmkl_rt.so"};
    const char *named = getenv("WINNOW_LAPACK");
    bool own = named && *named;
    for (size_t i = 0; i < (own ? 1 : sizeof usual / sizeof *usual) && !found; i++) {
        void *library = dlopen(own ? named : usual[i], RTLD_NOW | RTLD_LOCAL);
        if (library && !(found = fill(library))) dlclose(library);
    }
}

const wn__lapack *wn__lapack_get(wn_dtype dtype) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return found ? &tables[dtype == WN_F64] : NULL;
}
