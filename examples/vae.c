/* A variational autoencoder of small grey images (Kingma and Welling 2014): 20 numbers from which each can be drawn again.
 *
 *     vae [--epochs N] [--steps N] [--batch N] [--seed N] [--data DIR] [--out DIR]
 *
 * Data: Fashion-MNIST, or the digits that come with winnow (demo.h). Ends after --steps steps if given, else after --epochs
 * epochs, and writes --out/vae.pgm: test images, below them their reconstructions, below these draws from the prior. */
#include "demo.h"

enum { HIDDEN = 400, CODE = 20, SHOWN = 12 };

/* ------------------------------------------------------------------ the network */

typedef struct vae {
    wn_module module;
    wn_nn_linear fc1, fc21, fc22, fc3, fc4;
} vae;
static wn_status vae_init(vae *v, int64_t pixels) {
    wn_nn_linear_init(&v->fc1, pixels, HIDDEN);
    wn_nn_linear_init(&v->fc21, HIDDEN, CODE);
    wn_nn_linear_init(&v->fc22, HIDDEN, CODE);
    wn_nn_linear_init(&v->fc3, CODE, HIDDEN);
    wn_nn_linear_init(&v->fc4, HIDDEN, pixels);
    wn_add_child(&v->module, "fc1", &v->fc1.module);
    wn_add_child(&v->module, "fc21", &v->fc21.module);
    wn_add_child(&v->module, "fc22", &v->fc22.module);
    wn_add_child(&v->module, "fc3", &v->fc3.module);
    wn_add_child(&v->module, "fc4", &v->fc4.module);
    return wn_module_status(&v->module);
}

typedef struct code {
    wn_tensor *mu, *logvar;
} code;
static code encode(vae *v, wn_tensor *x) {
    wn_tensor *h = wn_relu(wn_nn_linear_forward(&v->fc1, x));
    return (code){wn_nn_linear_forward(&v->fc21, h), wn_nn_linear_forward(&v->fc22, h)};
}
static wn_tensor *decode(vae *v, wn_tensor *z) {
    return wn_sigmoid(wn_nn_linear_forward(&v->fc4, wn_relu(wn_nn_linear_forward(&v->fc3, z))));
}

/* What the reconstruction misses plus the code's divergence from the prior N(0, 1), summed over the batch x [n, pixels]. */
static wn_tensor *loss_of(vae *v, wn_tensor *x) {
    WN_SCOPE(s);
    code c = encode(v, x);
    wn_tensor *std = wn_exp(wn_mul(c.logvar, 0.5)), *z = wn_add(c.mu, wn_mul(wn_randn_like(std), std));
    wn_tensor *bce = wn_binary_cross_entropy(decode(v, z), x, .reduction = "sum");
    wn_tensor *kld = wn_mul(wn_sum(wn_sub(wn_sub(wn_add(c.logvar, 1), wn_pow(c.mu, 2)), wn_exp(c.logvar))), -0.5);
    return wn_leave(&s, wn_add(bce, kld));
}

/* ------------------------------------------------------------------ results */

static double evaluate(vae *v, wn_loader *tests) {
    WN_NO_GRAD();
    double sum = 0;
    int64_t n = 0;
    for (wn_batch b; wn_next(tests, &b); n += b.size) {
        WN_SCOPE(s);
        sum += wn_item_f64(loss_of(v, wn_flatten(b.x, .start_dim = 1)));
    }
    return n ? sum / (double)n : 0;
}

/* Rows of SHOWN pictures [3 * SHOWN, side * side] beside and below each other, as a PGM file. */
static bool write_pgm(const char *path, wn_tensor *pictures, int64_t side) {
    WN_SCOPE(s);
    const int64_t width = SHOWN * side, height = 3 * side;
    wn_tensor *sheet = wn_permute(wn_reshape(pictures, WN_DIMS(3, SHOWN, side, side)), WN_DIMS(0, 2, 1, 3));
    unsigned char *pixels = malloc((size_t)(width * height));
    FILE *file = fopen(path, "wb");
    bool ok = pixels && file && wn_to_memory(wn_round(wn_mul(sheet, 255)), pixels, (size_t)(width * height), WN_U8) == WN_OK;
    ok = ok && fprintf(file, "P5\n%lld %lld\n255\n", (long long)width, (long long)height) > 0;
    ok = ok && fwrite(pixels, 1, (size_t)(width * height), file) == (size_t)(width * height);
    if (file && fclose(file)) ok = false;
    free(pixels);
    return ok;
}
static bool show(vae *v, wn_loader *tests, const char *out, int64_t side) {
    WN_NO_GRAD();
    char path[PATH_MAX];
    wn_batch b;
    if (!wn_next(tests, &b) || b.size < SHOWN) return false;
    wn_tensor *x = wn_flatten(wn_narrow(b.x, 0, 0, SHOWN), .start_dim = 1);
    wn_tensor *drawn = decode(v, wn_randn(WN_DIMS(SHOWN, CODE)));
    snprintf(path, sizeof path, "%s/vae.pgm", out);
    const bool ok = write_pgm(path, wn_cat(WN_LIST(x, decode(v, encode(v, x).mu), drawn)), side);
    if (ok) printf("pictures: %s\n", path);
    else fprintf(stderr, "%s cannot be written\n", path);
    return ok;
}

/* ------------------------------------------------------------------ training */

static void progress(int epoch, int64_t batch, int64_t batches, double loss, double rate) {
    if (!isatty(STDOUT_FILENO)) return;
    printf("\repoch %d  %3.0f%%  loss %8.4f  %6.0f images/s ", epoch, 100.0 * (double)batch / (double)batches, loss, rate);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const char *const options[] = {"--epochs N", "--steps N", "--batch N", "--seed N", "--data DIR", "--out DIR", NULL};
    check_options(argc, argv, options);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *out = out_option(argc, argv);
    wn_set_error_hook(wn_fatal); /* a demo may stop at the first error */
    WN_SCOPE(all);
    const long steps = option(argc, argv, "--steps", 0, 0), epochs = steps ? LONG_MAX : option(argc, argv, "--epochs", 0, 5);
    wn_manual_seed((uint64_t)option(argc, argv, "--seed", 0, 1));
    image_set set = open_images(text_option(argc, argv, "--data", "/usr/share/datasets/fashion-mnist"), 0, 1);
    vae v = {0};
    if (vae_init(&v, set.side * set.side)) return 1;
    wn_optim *optim = wn_adam_new(wn_parameters(&v.module), .lr = 1e-3);
    wn_loader *loader = wn_loader_new(set.train, option(argc, argv, "--batch", 1, 128), .shuffle = true, .workers = 1);
    wn_loader *tests = wn_loader_new(set.test, 360);
    printf("%lld training images, %lldx%lld; %lld parameters; %d threads at level %s\n", (long long)wn_dataset_count(set.train),
           (long long)set.side, (long long)set.side, (long long)wn_count_parameters(&v.module), wn_num_threads(), wn_level());

    long done = 0;
    double start = seconds();
    for (int epoch = 1; epoch <= epochs && (!steps || done < steps); epoch++) {
        double began = seconds(), sum = 0;
        int64_t images = 0, batches = wn_loader_batches(loader);
        for (wn_batch b; (!steps || done < steps) && wn_next(loader, &b); done++) {
            WN_SCOPE(s); /* everything of this step */
            wn_optim_zero_grad(optim);
            wn_tensor *loss = loss_of(&v, wn_flatten(b.x, .start_dim = 1));
            if (wn_backward(loss) || wn_step(optim)) return 1;
            const double each = wn_item_f64(loss) / (double)b.size;
            sum += each * (double)b.size;
            images += b.size;
            if (steps) printf("step %ld loss %.6f\n", done, each);
            else if (b.number % 10 == 9) progress(epoch, b.number + 1, batches, sum / (double)images, (double)images / (seconds() - began));
        }
        const double took = seconds() - began;
        if (!steps)
            printf("%sepoch %d  loss %.4f  test loss %.4f  %.1f s, %.0f images/s\n", isatty(STDOUT_FILENO) ? "\r" : "", epoch,
                   sum / (double)images, evaluate(&v, tests), took, (double)images / took);
    }
    printf("%ld steps in %.2f s\n", done, seconds() - start);
    const bool shown = show(&v, tests, out, set.side);
    wn_optim_free(optim);
    wn_loader_free(loader);
    wn_loader_free(tests);
    close_images(set);
    wn_module_free(&v.module);
    return !shown || wn_error() != WN_OK;
}
