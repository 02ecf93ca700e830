/* Training states: resumed runs have the same bits wherever they were stopped, also by kill -9; files that do not fit change nothing. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

enum { STEPS = 60, ROWS = 40, SAVE_EVERY = 3 };

/* Everything that a run depends on: batch norm's buffers, dropout's random numbers, momentum, a schedule, a shuffled loader. */
typedef struct run {
    wn_module module;
    wn_nn_linear in, out;
    wn_nn_batch_norm2d norm;
    wn_nn_dropout drop;
    wn_dataset *data;
    wn_loader *loader;
    wn_optim *optim;
    wn_scheduler *scheduler;
    wn_generator *noise;
    wn_tensor *average; /* of the losses */
    int64_t step;
    const char *names[1];
    wn_training all;
} run;

static wn_status set_up(run *r, uint64_t seed) {
    memset(r, 0, sizeof *r);
    WN_SCOPE(s);
    wn_manual_seed(seed);
    wn_nn_linear_init(&r->in, 6, 8);
    wn_nn_batch_norm2d_init(&r->norm, 8);
    wn_nn_dropout_init(&r->drop, 0.3);
    wn_nn_linear_init(&r->out, 8, 3);
    wn_add_child(&r->module, "in", &r->in.module);
    wn_add_child(&r->module, "norm", &r->norm.module);
    wn_add_child(&r->module, "drop", &r->drop.module);
    wn_add_child(&r->module, "out", &r->out.module);
    wn_tensor *x = wn_randn(WN_DIMS(ROWS, 6)), *y = wn_randint(0, 3, WN_DIMS(ROWS));
    r->data = wn_tensor_dataset(WN_LIST(x, y));
    r->loader = wn_loader_new(r->data, 7, .shuffle = true, .workers = 1);
    r->optim = wn_adamw_new(wn_parameters(&r->module), .lr = 0.01, .amsgrad = true);
    r->scheduler = wn_cosine_annealing_lr(r->optim, STEPS);
    r->noise = wn_generator_new(3);
    r->average = wn_keep(wn_zeros(WN_0D, .dtype = WN_F64));
    r->names[0] = "average";
    r->all = (wn_training){.module = &r->module, .optim = {r->optim}, .scheduler = {r->scheduler}, .loader = {r->loader}, .generator = {r->noise},
                           .step = &r->step, .names = r->names, .tensors = {.n = 1, .v = &r->average}};
    return wn_error();
}
static void tear_down(run *r) {
    wn_scheduler_free(r->scheduler);
    wn_optim_free(r->optim);
    wn_loader_free(r->loader);
    wn_dataset_free(r->data);
    wn_generator_free(r->noise);
    wn_drop(r->average);
    wn_module_free(&r->module);
}

static wn_tensor *forward(run *r, wn_tensor *x) {
    x = wn_nn_linear_forward(&r->in, wn_add(x, wn_mul(wn_randn(WN_DIMS(wn_size(x, 0), 6), .generator = r->noise), 0.01)));
    x = wn_nn_batch_norm2d_forward(&r->norm, wn_reshape(x, WN_DIMS(wn_size(x, 0), 8, 1, 1)));
    return wn_nn_linear_forward(&r->out, wn_relu(wn_nn_dropout_forward(&r->drop, wn_flatten(x, .start_dim = 1))));
}
static wn_status one_step(run *r) {
    WN_SCOPE(s);
    wn_batch b;
    if (!wn_next(r->loader, &b) && (wn_error() || !wn_next(r->loader, &b))) return wn_error(); /* false once: an epoch is over */
    wn_optim_zero_grad(r->optim);
    wn_tensor *loss = wn_cross_entropy(forward(r, b.x), b.y);
    if (wn_backward(loss) || wn_step(r->optim) || wn_scheduler_step(r->scheduler)) return wn_error();
    wn_copy_(r->average, wn_add(wn_mul(r->average, 0.9), wn_item_f64(loss) * 0.1));
    r->step++;
    return wn_error();
}

static bool same_file(const char *a, const char *b) {
    static char x[1 << 18], y[1 << 18];
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    size_t n = f ? fread(x, 1, sizeof x, f) : 0, m = g ? fread(y, 1, sizeof y, g) : 1;
    if (f) fclose(f);
    if (g) fclose(g);
    return n == m && n > 0 && n < sizeof x && !memcmp(x, y, n);
}

static char folder[] = "/tmp/winnow-training-XXXXXX";
static const char *in_folder(const char *name) {
    static char path[16][200];
    static int turn;
    char *p = path[turn++ % 16];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

/* The run in one piece; its last state is what every other run must reach. */
static void test_whole(void) {
    run r;
    CHECK(set_up(&r, 1) == WN_OK);
    while (r.step < STEPS && one_step(&r) == WN_OK) {}
    CHECK(r.step == STEPS && wn_save_training(&r.all, in_folder("whole")) == WN_OK);
    tear_down(&r);
}

static void test_resume(void) {
    for (int64_t at = 0; at < STEPS; at += at < 8 ? 1 : 11) {
        run r;
        CHECK(set_up(&r, 1) == WN_OK);
        while (r.step < at && one_step(&r) == WN_OK) {}
        CHECK(wn_save_training(&r.all, in_folder("part")) == WN_OK);
        tear_down(&r);
        CHECK(set_up(&r, 1) == WN_OK);
        wn_manual_seed(77); /* whatever happened in between */
        if (at % 2) (void)one_step(&r); /* also into a run that has gone elsewhere */
        CHECK(wn_load_training(&r.all, in_folder("part")) == WN_OK && r.step == at);
        while (r.step < STEPS && one_step(&r) == WN_OK) {}
        CHECK(wn_save_training(&r.all, in_folder("end")) == WN_OK);
        CHECK(same_file(in_folder("whole"), in_folder("end")));
        tear_down(&r);
    }
}

static void test_misfits(void) {
    WN_SCOPE(s);
    run r;
    CHECK(set_up(&r, 1) == WN_OK && one_step(&r) == WN_OK);
    CHECK(wn_save_training(&r.all, in_folder("before")) == WN_OK);
    const char *whole = in_folder("whole");
    FAILS(wn_load_training(&r.all, in_folder("absent")) == WN_OK, "absent");
    FAILS(wn_load_training(NULL, whole) == WN_OK, "NULL");
    FAILS(wn_save_training(&r.all, "/nonexistent/x") == WN_OK, "/nonexistent");
    CHECK(wn_save_module(&r.module, in_folder("module")) == WN_OK);
    FAILS(wn_load_training(&r.all, in_folder("module")) == WN_OK, "module does not fit", "no training state");

    wn_training less = r.all, more = r.all;
    less.step = NULL;
    FAILS(wn_load_training(&less, whole) == WN_OK, "whole does not fit", "step");
    const char *names[2] = {"average", "other"};
    wn_tensor *both[2] = {r.average, wn_ones(WN_0D)};
    more.names = names;
    more.tensors = (wn_list){.n = 2, .v = both};
    FAILS(wn_load_training(&more, whole) == WN_OK, "extra.other", "missing");
    names[1] = "average";
    FAILS(wn_save_training(&more, in_folder("twice")) == WN_OK, "extra.average");
    wn_dataset *few = wn_tensor_dataset(WN_LIST(wn_zeros(WN_DIMS(2, 6))));
    wn_loader *small = wn_loader_new(few, 7);
    less = r.all;
    less.loader[0] = small;
    FAILS(wn_load_training(&less, whole) == WN_OK, "loader.0", "batch");
    both[0] = wn_zeros(WN_0D); /* f32, the file has f64 */
    less = r.all;
    less.tensors = (wn_list){.n = 1, .v = both};
    FAILS(wn_load_training(&less, whole) == WN_OK, "extra.average", "f64", "f32");
    wn_loader_free(small);
    wn_dataset_free(few);

    CHECK(wn_save_training(&r.all, in_folder("after")) == WN_OK);
    CHECK(same_file(in_folder("before"), in_folder("after"))); /* none of it changed anything */
    tear_down(&r);
}

static void test_short_memory(void) {
    wn_stats before = wn_get_stats();
    int64_t i = 0;
    for (bool done = false; !done && i < 5000; i++) {
        run r;
        CHECK(set_up(&r, 1) == WN_OK);
        wn_fail_allocation(i);
        wn_status st = wn_load_training(&r.all, in_folder("whole"));
        if (!st) st = wn_save_training(&r.all, in_folder("memory"));
        done = !wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        CHECK((st == WN_OK) == (wn_error() == WN_OK));
        if (done) CHECK(st == WN_OK && same_file(in_folder("memory"), in_folder("whole")));
        wn_clear();
        tear_down(&r);
    }
    wn_stats after = wn_get_stats();
    CHECK(i > 50 && i < 5000);
    CHECK(after.handles == before.handles && after.storages == before.storages);
}

/* ------------------------------------------------------------------ kill -9 */

/* What is killed: resumes where there is something to resume from. */
static int child(const char *path) {
    run r;
    if (set_up(&r, 1)) return 2;
    if (access(path, R_OK) == 0 && wn_load_training(&r.all, path)) return 3;
    while (r.step < STEPS) {
        if (one_step(&r)) return 4;
        if (r.step % SAVE_EVERY == 0 && wn_save_training(&r.all, path)) return 5;
    }
    tear_down(&r);
    return 0;
}

/* Runs this program with `--child path`, killed after so many microseconds (< 0: never). True: it came to its end. */
static bool run_child(const char *path, long microseconds) {
    pid_t pid = fork();
    if (pid == 0) {
        execl("/proc/self/exe", "test_training", "--child", path, (char *)NULL);
        _exit(127);
    }
    if (pid < 0) return false;
    if (microseconds >= 0) {
        usleep((useconds_t)microseconds);
        kill(pid, SIGKILL);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {}
    if (WIFEXITED(status) && WEXITSTATUS(status)) {
        printf("    the child ended with %d\n", WEXITSTATUS(status));
        failed++;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_kill(void) {
    const char *path = in_folder("killed");
    uint64_t x = 88172645463325252u; /* xorshift (Marsaglia 2003) */
    int kills = 0, resumed = 0, ends = 0;
    uint64_t most = 60000; /* becomes what a run takes on this machine now: about as many are killed as come to their end */
    while ((kills < 50 || resumed < 5) && kills + ends < 5000 && !failed) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        bool there = access(path, R_OK) == 0;
        if (run_child(path, (long)(500 + x % most))) {
            CHECK(same_file(path, in_folder("whole")));
            unlink(path);
            ends++;
            most = most * 7 / 8 + 1;
        } else {
            kills++;
            resumed += there;
            most = most * 9 / 8 + 1;
        }
    }
    CHECK(run_child(path, -1));
    CHECK(same_file(path, in_folder("whole")));
    CHECK(resumed > 0);
    char command[300];
    snprintf(command, sizeof command, "test $(ls -A %s | grep -c 'tmp$') -lt 5", folder); /* only between naming and renaming can one be left */
    CHECK(system(command) == 0);
    printf("%d kills, %d of resumed runs, %d runs came to their end in between\n", kills, resumed, ends);
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "--child")) return child(argv[2]);
    wn_set_error_hook(NULL);
    if (!mkdtemp(folder)) return 1;
    test_whole();
    test_resume();
    test_misfits();
    test_short_memory();
    test_kill();
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return report();
}
