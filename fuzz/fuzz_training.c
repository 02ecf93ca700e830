/* wn_load_training: the run is the file's, or it is what it was. */
#include "file.h"

static struct {
    wn_module module;
    wn_nn_linear linear;
    wn_optim *optim;
    wn_scheduler *scheduler;
    wn_tensor *extra;
    int64_t step;
    const char *names[1];
    wn_training all;
} run;

static void set_up(void) {
    WN_SCOPE(s);
    wn_set_error_hook(NULL);
    wn_set_num_threads(1);
    wn_manual_seed(1);
    wn_nn_linear_init(&run.linear, 3, 2);
    wn_add_child(&run.module, "l", &run.linear.module);
    run.optim = wn_adamw_new(wn_parameters(&run.module), .lr = 0.01);
    run.scheduler = wn_step_lr(run.optim, 5);
    run.extra = wn_keep(wn_zeros(WN_DIMS(2), .dtype = WN_F64));
    run.names[0] = "extra";
    run.all = (wn_training){.module = &run.module, .optim = {run.optim}, .scheduler = {run.scheduler}, .step = &run.step, .names = run.names, .tensors = {.n = 1, .v = &run.extra}};
    wn_tensor *loss = wn_sum(wn_nn_linear_forward(&run.linear, wn_randn(WN_DIMS(4, 3))));
    if (wn_backward(loss) || wn_step(run.optim)) abort();
}

/* All that a file could change, as numbers. */
static void snapshot(double v[16]) {
    WN_SCOPE(s);
    if (wn_to_memory(run.linear.weight, v, 6 * sizeof *v, WN_F64) || wn_to_memory(run.linear.bias, v + 6, 2 * sizeof *v, WN_F64) ||
        wn_to_memory(run.extra, v + 8, 2 * sizeof *v, WN_F64)) abort();
    v[10] = (double)run.step;
    v[11] = wn_optim_lr(run.optim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool ready;
    double before[16] = {0}, after[16] = {0};
    if (!ready) set_up();
    ready = true;
    const char *path = fuzz_path(data, size);
    snapshot(before);
    const wn_status st = wn_load_training(&run.all, path);
    if (st != wn_error() || (st && !wn_error_message()[0])) abort();
    wn_clear();
    snapshot(after);
    if (st && memcmp(before, after, sizeof before)) abort();
    return 0;
}
