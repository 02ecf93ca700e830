/* A failing disk (fault/shim.c): whatever call fails, and whichever, the file at the path is the old or the new one, whole; the error
 * names it; nothing else is left in the folder. Calls that are interrupted or do less than they were asked for are no failure. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"
#include "data/io_files.h"

long fault_struck(void);

enum { ROWS = 300, MOST_CALLS = 60 };
static char folder[64], path[96];
static wn_tensor *state; /* of the training run */
static int64_t step;

static void arm(const char *call, int at, const char *kind) {
    char plan[64];
    snprintf(plan, sizeof plan, "%s:%d%s", call, at, kind);
    setenv("WINNOW_FAULT", plan, 1);
}
static long disarm(void) {
    long struck = fault_struck();
    setenv("WINNOW_FAULT", "", 1);
    return struck;
}

/* ------------------------------------------------------------------ writers and readers: tensors full of one number */

static wn_tensor *full(double value) { return wn_full(WN_DIMS(ROWS, ROWS), value); }

static wn_training training(void) {
    static const char *const names[] = {"state"};
    return (wn_training){.step = &step, .names = names, .tensors = {.n = 1, .v = &state}};
}
static wn_status save_training(double value) {
    wn_fill_(state, value);
    step = (int64_t)value;
    wn_training all = training();
    return wn_save_training(&all, path);
}
static wn_status save_safetensors(double value) {
    WN_SCOPE(s);
    return wn_save_safetensors(path, WN_NAMES("x", "y"), WN_LIST(full(value), wn_transpose(full(value), 0, 1)));
}
static wn_status save_npy(double value) {
    WN_SCOPE(s);
    return wn_save_npy(full(value), path);
}

/* The number that all elements of t are; -1: they differ or t is bad. */
static double value_of(wn_tensor *t) {
    if (!wn_ok(t)) return -1;
    double low = wn_item_f64(wn_min(t)), high = wn_item_f64(wn_max(t));
    return low == high && wn_numel(t) == ROWS * ROWS ? low : -1;
}
static double from_archive(wn_archive *a) {
    if (!a) return -1;
    WN_SCOPE(s);
    double x = value_of(wn_archive_find(a, "x")), y = value_of(wn_archive_find(a, "y"));
    wn_archive_free(a);
    return x == y ? x : -1;
}
static double load_training(void) {
    WN_SCOPE(s);
    double before = value_of(state);
    int64_t step_before = step;
    wn_training all = training();
    if (!wn_load_training(&all, path)) return step == (int64_t)value_of(state) ? (double)step : -1;
    check_(value_of(state) == before && step == step_before, "a failing load changes nothing", __LINE__);
    return -1;
}
static double load_safetensors(void) { return from_archive(wn_load_safetensors(path)); }
static double map_safetensors(void) { return from_archive(wn_map_safetensors(path)); }
static double load_npy(void) {
    WN_SCOPE(s);
    return value_of(wn_load_npy(path));
}
static double map_npy(void) {
    WN_SCOPE(s);
    return value_of(wn_map_npy(path));
}

typedef struct format {
    const char *name;
    wn_status (*save)(double value);
    double (*load)(void);
    double (*map)(void);
} format;
static const format formats[] = {{"training", save_training, load_training, NULL},
                                 {"safetensors", save_safetensors, load_safetensors, map_safetensors},
                                 {"npy", save_npy, load_npy, map_npy}};

/* ------------------------------------------------------------------ saving */

typedef struct fault {
    const char *call, *kind;
    enum { FAILS_ALWAYS, SUCCEEDS, EITHER } expected; /* EITHER: there may be another way */
} fault;
static const fault saving[] = {
    {"write", ":EIO", FAILS_ALWAYS},     {"write", ":ENOSPC", FAILS_ALWAYS},  {"write", "+:EDQUOT", FAILS_ALWAYS}, {"write", "+:zero", FAILS_ALWAYS},
    {"write", ":EINTR", SUCCEEDS},       {"write", ":short", SUCCEEDS},       {"fsync", ":EIO", FAILS_ALWAYS},     {"fsync", ":EINTR", SUCCEEDS},
    {"syncdir", ":EIO", FAILS_ALWAYS},   {"syncdir", ":ENOSPC", FAILS_ALWAYS}, {"syncdir", ":EINTR", SUCCEEDS},    {"syncdir", "+:EINVAL", SUCCEEDS},
    {"fchmod", ":EPERM", FAILS_ALWAYS},  {"fchmod", ":EINTR", SUCCEEDS},      {"link", ":EIO", FAILS_ALWAYS},      {"rename", ":EIO", FAILS_ALWAYS},
    {"rename", ":EACCES", FAILS_ALWAYS}, {"close", ":EIO", FAILS_ALWAYS},     {"close", ":EINTR", SUCCEEDS},       {"open", ":EMFILE", EITHER},
    {"open", "+:EMFILE", FAILS_ALWAYS},  {"open", ":EACCES", EITHER},         {"open", ":EINTR", SUCCEEDS},
};

static int entries(const char *dir) {
    int n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    if (d) closedir(d);
    return n;
}

static void plant(const format *f, mode_t mode) {
    unlink(path);
    if (mode) check_(f->save(1) == WN_OK && chmod(path, mode) == 0, "the old file", __LINE__);
}

/* One save of 2 over a file of 1 (mode 0: over none), the at-th call failing. False: there is no such call. */
static bool save_once(const format *f, const fault *x, int at, mode_t mode) {
    plant(f, mode);
    int open_before = entries("/proc/self/fd");
    arm(x->call, at, x->kind);
    wn_status st = f->save(2);
    long struck = disarm();
    char message[1024];
    snprintf(message, sizeof message, "%s", wn_error_message());
    wn_clear();
    double now = access(path, F_OK) == 0 ? f->load() : 0;
    struct stat is;
    bool whole = st ? now == (mode ? 1 : 0) || (now == 2 && strcmp(x->call, "syncdir") == 0) : now == 2;
    bool kept = !mode || (stat(path, &is) == 0 && (is.st_mode & 07777) == mode);
    bool said = !st || strstr(message, path);
    bool right = !struck || x->expected == EITHER || (st != WN_OK) == (x->expected == FAILS_ALWAYS);
    bool clean = entries(folder) == (now != 0) && entries("/proc/self/fd") == open_before;
    bool ok = whole && kept && said && right && clean;
    if (!ok) printf("    %s %s:%d%s over %o: status %d (%s), value %g, %d entries\n", f->name, x->call, at, x->kind, mode, st, message, now, entries(folder));
    check_(ok, "a save with a fault", __LINE__);
    return struck > 0;
}

static void test_saving(mode_t mode) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (size_t i = 0; i < sizeof saving / sizeof *saving; i++) {
            int at = 1;
            while (at < MOST_CALLS && save_once(&formats[k], &saving[i], at, mode)) at++;
            bool may_be_none = !strcmp(saving[i].call, "fchmod") || !strcmp(saving[i].call, "link");
            check_(at < MOST_CALLS && (at > 1 || may_be_none), "every call once, and at least one", __LINE__);
        }
}

/* A private file stays private and one that others may read does not stay behind unreadable: 0666 takes an fchmod here. */
static void test_permissions(void) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        check_(save_once(&formats[k], &(fault){"fchmod", ":EPERM", FAILS_ALWAYS}, 1, 0666), "0666 is set", __LINE__);
        check_(!save_once(&formats[k], &(fault){"fchmod", ":EPERM", FAILS_ALWAYS}, 1, 0600), "0600 is from the start", __LINE__);
    }
}

/* ------------------------------------------------------------------ reading */

static const fault reading[] = {{"read", ":EIO", FAILS_ALWAYS}, {"read", "+:zero", FAILS_ALWAYS}, {"read", ":EINTR", SUCCEEDS},
                                {"read", "+:short", SUCCEEDS},  {"open", ":EMFILE", FAILS_ALWAYS}, {"open", ":EINTR", SUCCEEDS}};

static bool load_once(const char *name, double (*load)(void), double value, const fault *x, int at) {
    int open_before = entries("/proc/self/fd");
    arm(x->call, at, x->kind);
    double got = load();
    long struck = disarm();
    bool bad = struck && x->expected == FAILS_ALWAYS;
    bool ok = bad ? got == -1 && wn_error() != WN_OK && strstr(wn_error_message(), path) : got == value && wn_error() == WN_OK;
    ok = ok && entries("/proc/self/fd") == open_before;
    if (!ok) printf("    %s %s:%d%s: %g (%s)\n", name, x->call, at, x->kind, got, wn_error_message());
    check_(ok, "a load with a fault", __LINE__);
    wn_clear();
    return struck > 0;
}

static void test_reader(const char *name, double (*load)(void), double value) {
    for (size_t i = 0; load && i < sizeof reading / sizeof *reading; i++) {
        int at = 1;
        while (at < MOST_CALLS && load_once(name, load, value, &reading[i], at)) at++;
        check_(at < MOST_CALLS && at > 1, "every call once, and at least one", __LINE__);
    }
}

static void write_file(const void *data, size_t n) {
    FILE *f = fopen(path, "wb");
    check_(f && fwrite(data, 1, n, f) == n && fclose(f) == 0, "a file to read", __LINE__);
}
static double load_npz(void) {
    wn_archive *a = wn_load_npz(path);
    double n = a ? (double)wn_archive_count(a) : -1;
    wn_archive_free(a);
    return n;
}
static double load_idx(void) {
    WN_SCOPE(s);
    wn_tensor *t = wn_load_idx(path);
    return wn_ok(t) ? (double)wn_numel(t) : -1;
}

static void test_reading(void) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        plant(&formats[k], 0644);
        if (formats[k].load == load_training) wn_fill_(state, 3), step = 3;
        test_reader(formats[k].name, formats[k].load, 1);
        test_reader(formats[k].name, formats[k].map, 1);
    }
    struct {
        const char *name;
        const void *data;
        size_t n;
        double (*load)(void);
    } others[] = {{"npz", npz_stored, sizeof npz_stored, load_npz}, {"npz, deflated", npz_deflated, sizeof npz_deflated, load_npz},
                  {"idx", idx_u8, sizeof idx_u8, load_idx},         {"idx.gz", idx_u8_gz, sizeof idx_u8_gz, load_idx}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        write_file(others[k].data, others[k].n);
        double whole = others[k].load();
        check_(whole > 0, others[k].name, __LINE__);
        test_reader(others[k].name, others[k].load, whole);
    }
}

int main(void) {
    wn_set_error_hook(NULL);
    snprintf(folder, sizeof folder, "/dev/shm/winnow-faults-XXXXXX"); /* no disk: thousands of files are synced */
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/winnow-faults-XXXXXX"))) return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    setenv("WINNOW_FAULT_FOLDER", folder, 1);
    umask(022);
    state = wn_keep(wn_zeros(WN_DIMS(ROWS, ROWS)));
    test_saving(0666);
    test_saving(0600);
    test_saving(0);
    test_permissions();
    test_reading();
    setenv("WINNOW_FAULT_NAMED", "1", 1); /* file systems without files that have no name */
    test_saving(0600);
    wn_drop(state);
    unlink(path);
    CHECK(rmdir(folder) == 0);
    return report();
}
