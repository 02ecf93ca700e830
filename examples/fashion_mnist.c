/* A convolutional network learns Fashion-MNIST.
 *
 *     fashion_mnist [--epochs N] [--batch N] [--seed N] [--workers N] [--data DIR] [--out DIR]
 *
 * Data: Debian's package dataset-fashion-mnist (70,000 grey images of clothes, 28x28); where it is not installed, a small set
 * of hand-written digits that comes with winnow. Writes the weights and a picture of the curves to --out (default: build). */
#include "demo.h"

/* ------------------------------------------------------------------ the network */

typedef struct net {
    wn_module module;
    wn_nn_conv2d conv1, conv2;
    wn_nn_dropout drop;
    wn_nn_linear fc1, fc2;
} net;

static wn_status net_init(net *n, int64_t side) {
    int64_t features = 64 * (side / 4) * (side / 4);
    wn_nn_conv2d_init(&n->conv1, 1, 32, 3, .padding = WN_DIMS(1));
    wn_nn_conv2d_init(&n->conv2, 32, 64, 3, .padding = WN_DIMS(1));
    wn_nn_dropout_init(&n->drop, 0.25);
    wn_nn_linear_init(&n->fc1, features, 128);
    wn_nn_linear_init(&n->fc2, 128, 10);
    wn_add_child(&n->module, "conv1", &n->conv1.module);
    wn_add_child(&n->module, "conv2", &n->conv2.module);
    wn_add_child(&n->module, "drop", &n->drop.module);
    wn_add_child(&n->module, "fc1", &n->fc1.module);
    wn_add_child(&n->module, "fc2", &n->fc2.module);
    return wn_module_status(&n->module);
}

static wn_tensor *net_forward(net *n, wn_tensor *x) {
    WN_SCOPE(s); /* the activations end here, except what the tape saved */
    x = wn_max_pool2d(wn_relu(wn_nn_conv2d_forward(&n->conv1, x)), WN_DIMS(2));
    x = wn_max_pool2d(wn_relu(wn_nn_conv2d_forward(&n->conv2, x)), WN_DIMS(2));
    x = wn_nn_dropout_forward(&n->drop, wn_flatten(x, .start_dim = 1));
    x = wn_relu(wn_nn_linear_forward(&n->fc1, x));
    return wn_leave(&s, wn_nn_linear_forward(&n->fc2, x));
}

/* ------------------------------------------------------------------ progress and curves */

static void progress(int epoch, int epochs, int64_t batch, int64_t batches, double loss, double rate, double left) {
    if (!isatty(STDOUT_FILENO)) return;
    enum { WIDTH = 30 };
    int full = (int)(batch * WIDTH / batches);
    printf("\repoch %d/%d [%.*s%*s] loss %.4f  %6.0f images/s  %3.0f s left ", epoch, epochs, full,
           "##############################", WIDTH - full, "", loss, rate, left);
    fflush(stdout);
}

/* gnuplot draws better than we would; without it the numbers stay in the table beside. */
static void draw(const char *out) {
    static const char command[] =
        "command -v gnuplot >/dev/null 2>&1 && cd \"$WN_OUT\" && gnuplot -e \"set terminal pngcairo size 900,500; set output 'fashion_mnist.png'; "
        "set xlabel 'epoch'; set ylabel 'loss'; set y2label 'test accuracy'; set y2tics; set grid; set key center right; "
        "plot 'fashion_mnist.tsv' using 1:2 with lines lw 2 title 'training loss', '' using 1:3 axes x1y2 with linespoints lw 2 "
        "title 'test accuracy'\" 2>/dev/null";
    if (!setenv("WN_OUT", out, 1) && system(command) == 0) printf("curves: %s/fashion_mnist.png\n", out);
    else printf("curves: %s/fashion_mnist.tsv (install gnuplot-nox for a picture)\n", out);
}

/* ------------------------------------------------------------------ training */

static double evaluate(net *n, wn_loader *loader) {
    WN_NO_GRAD();
    int64_t right = 0, total = 0;
    wn_train(&n->module, false);
    for (wn_batch b; wn_next(loader, &b); total += b.size) {
        WN_SCOPE(s);
        right += wn_item_i64(wn_sum(wn_eq(wn_argmax(net_forward(n, b.x), .dim = wn_val_of_int(1)), b.y)));
    }
    wn_train(&n->module, true);
    return total ? (double)right / (double)total : 0;
}

/* One epoch; the mean loss. */
static double train_epoch(net *n, wn_optim *optim, wn_loader *loader, int epoch, int epochs) {
    double start = seconds(), sum = 0;
    int64_t images = 0, batches = wn_loader_batches(loader);
    for (wn_batch b; wn_next(loader, &b);) {
        WN_SCOPE(s); /* everything of this step */
        wn_optim_zero_grad(optim);
        wn_tensor *loss = wn_cross_entropy(net_forward(n, b.x), b.y);
        if (wn_backward(loss) || wn_step(optim)) break;
        sum += wn_item_f64(loss) * (double)b.size;
        images += b.size;
        double rate = (double)images / (seconds() - start);
        if (b.number % 10 == 9 || b.number + 1 == batches)
            progress(epoch, epochs, b.number + 1, batches, sum / (double)images, rate,
                     (double)((batches - b.number - 1) * b.size + (int64_t)(epochs - epoch) * images) / rate);
    }
    return images ? sum / (double)images : 0;
}

int main(int argc, char **argv) {
    static const char *const options[] = {"--epochs N", "--batch N", "--seed N", "--workers N", "--data DIR", "--out DIR", NULL};
    check_options(argc, argv, options);
    setvbuf(stdout, NULL, _IOLBF, 0); /* an epoch shows when it ends, in a pipe too */
    wn_set_error_hook(wn_fatal); /* a demo may stop at the first error */
    int epochs = (int)option(argc, argv, "--epochs", 0, 5);
    const char *out = out_option(argc, argv);
    WN_SCOPE(all);
    wn_manual_seed((uint64_t)option(argc, argv, "--seed", 0, 0));
    image_set set = open_images(text_option(argc, argv, "--data", "/usr/share/datasets/fashion-mnist"), 0.2860, 0.3530);
    wn_dataset *train = set.train;
    int64_t batch = option(argc, argv, "--batch", 1, 64), side = set.side;
    wn_loader *loader = wn_loader_new(train, batch, .shuffle = true, .workers = (int)option(argc, argv, "--workers", 0, 1));
    wn_loader *tests = wn_loader_new(set.test, 500);

    net n = {0};
    if (net_init(&n, side)) return 1;
    wn_optim *optim = wn_adam_new(wn_parameters(&n.module), .lr = 1e-3);
    printf("%lld training and %lld test images, %lldx%lld; %lld parameters; %d threads at level %s\n", (long long)wn_dataset_count(train),
           (long long)wn_dataset_count(set.test), (long long)side, (long long)side, (long long)wn_count_parameters(&n.module),
           wn_num_threads(), wn_level());

    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/fashion_mnist.tsv", out);
    FILE *curve = fopen(path, "w");
    if (!curve) return perror(path), 1;
    double accuracy = 0, start = seconds();
    for (int epoch = 1; epoch <= epochs; epoch++) {
        if (epoch == epochs) wn_optim_set_lr(optim, 3e-4); /* smaller steps settle the last epoch */
        double began = seconds(), loss = train_epoch(&n, optim, loader, epoch, epochs), took = seconds() - began;
        accuracy = evaluate(&n, tests);
        printf("%sepoch %d/%d  loss %.4f  test accuracy %.4f  %.1f s, %.0f images/s          \n", isatty(STDOUT_FILENO) ? "\r" : "", epoch, epochs,
               loss, accuracy, took, (double)wn_dataset_count(train) / took);
        fflush(stdout);
        fprintf(curve, "%d\t%.5f\t%.5f\n", epoch, loss, accuracy);
    }
    printf("trained in %.1f s\n", seconds() - start);
    if (fclose(curve) == 0 && epochs > 0) draw(out);
    snprintf(path, sizeof path, "%s/fashion_mnist.safetensors", out);
    if (wn_save_module(&n.module, path) == WN_OK) printf("weights: %s\n", path);
    wn_optim_free(optim);
    wn_loader_free(loader);
    wn_loader_free(tests);
    close_images(set);
    wn_module_free(&n.module);
    printf("test accuracy %.4f\n", accuracy);
    return 0;
}
