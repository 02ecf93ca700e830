/* A character-level GPT: a transformer learns a text, a character at a time, and then writes one.
 *
 *     char_gpt [--text FILE] [--steps N] [--batch N] [--layers N] [--heads N] [--width N] [--context N]
 *              [--dropout PERCENT] [--seed N] [--sample N] [--state FILE]
 *
 * The text is winnow's licence unless --text names another. Causal transformer blocks with layer norm first, AdamW with weight
 * decay for matrices only, gradients clipped to norm 1, a warm-up and then a cosine for the learning rate. With --state the training is
 * saved in FILE every 50 steps, and started again it goes on from there: the same losses as if it had never stopped. */
#include <math.h>
#include "demo.h"

enum { SAVE_EVERY = 50 };

/* ------------------------------------------------------------------ the text */

typedef struct text {
    wn_tensor *data; /* i64 [length]: each character's number */
    int64_t length;
    int kinds;       /* different characters */
    unsigned char character[256];
} text;

static text read_text(const char *path) {
    text t = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) perror(path), exit(1);
    const long n = ftell(file);
    unsigned char *bytes = malloc((size_t)n + 1);
    rewind(file);
    if (!bytes || n < 1 || fread(bytes, 1, (size_t)n, file) != (size_t)n) fprintf(stderr, "%s cannot be read\n", path), exit(1);
    fclose(file);
    unsigned char number[256] = {0};
    bool there[256] = {0};
    for (long i = 0; i < n; i++) there[bytes[i]] = true;
    for (int c = 0; c < 256; c++)
        if (there[c]) number[c] = (unsigned char)t.kinds, t.character[t.kinds++] = (unsigned char)c;
    for (long i = 0; i < n; i++) bytes[i] = number[bytes[i]];
    t.data = wn_to(wn_from_data(bytes, WN_DIMS(n), WN_U8), WN_I64);
    t.length = n;
    free(bytes);
    return t;
}

/* Pieces of the text that begin at the places `starts` [n], as [n, length]. */
static wn_tensor *pieces(const text *t, wn_tensor *starts, int64_t length) {
    wn_tensor *at = wn_add(wn_unsqueeze(starts, 1), wn_arange(length));
    return wn_take(t->data, at);
}

/* ------------------------------------------------------------------ the network */

typedef struct gpt {
    wn_module module;
    wn_nn_embedding tokens, positions;
    wn_nn_dropout drop;
    wn_sequential blocks;
    wn_nn_layer_norm norm;
    wn_nn_linear head;
    int64_t context;
} gpt;

/* GPT-2's: matrices N(0, 0.02), biases 0. */
static bool initialise(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)ctx, (void)buffer;
    const size_t n = strlen(name);
    if (wn_ndim(t) == 2) wn_init_normal(t, 0, 0.02, NULL);
    else if (n >= 4 && !strcmp(name + n - 4, "bias")) wn_init_constant(t, 0);
    return true;
}
static wn_status gpt_init(gpt *g, int kinds, int64_t layers, int64_t heads, int64_t width, int64_t context, double dropout) {
    g->context = context;
    wn_nn_embedding_init(&g->tokens, kinds, width);
    wn_nn_embedding_init(&g->positions, context, width);
    wn_nn_dropout_init(&g->drop, dropout);
    for (int64_t i = 0; i < layers; i++)
        wn_sequential_add(&g->blocks, wn_layer(wn_nn_transformer_encoder_layer, width, heads, .dim_feedforward = 4 * width, .dropout = dropout > 0 ? dropout : WN_NO_RATE,
                                               .activation = wn_nn_gelu, .batch_first = true, .norm_first = true));
    wn_nn_layer_norm_init(&g->norm, WN_DIMS(width));
    wn_nn_linear_init(&g->head, width, kinds, .bias = WN_OFF);
    wn_add_child(&g->module, "tokens", &g->tokens.module);
    wn_add_child(&g->module, "positions", &g->positions.module);
    wn_add_child(&g->module, "drop", &g->drop.module);
    wn_add_child(&g->module, "blocks", &g->blocks.module);
    wn_add_child(&g->module, "norm", &g->norm.module);
    wn_add_child(&g->module, "head", &g->head.module);
    wn_module_visit(&g->module, initialise, NULL);
    return wn_module_status(&g->module);
}

/* The logits [n, length, kinds] of the character behind each of idx [n, length]. */
static wn_tensor *gpt_forward(gpt *g, wn_tensor *idx) {
    WN_SCOPE(s);
    wn_tensor *x = wn_add(wn_nn_embedding_forward(&g->tokens, idx), wn_nn_embedding_forward(&g->positions, wn_arange(wn_size(idx, 1))));
    x = wn_nn_dropout_forward(&g->drop, x);
    for (int64_t i = 0; wn_sequential_at(&g->blocks, i); i++)
        x = wn_nn_transformer_encoder_layer_forward((wn_nn_transformer_encoder_layer *)wn_sequential_at(&g->blocks, i), x, .is_causal = true);
    return wn_leave(&s, wn_nn_linear_forward(&g->head, wn_nn_layer_norm_forward(&g->norm, x)));
}

/* Writes n characters, each drawn among the likeliest 20 (temperature 0.8), starting from the text's first. */
static void sample(gpt *g, const text *t, long n) {
    WN_NO_GRAD();
    wn_train(&g->module, false);
    wn_tensor *idx = wn_clone(wn_reshape(wn_narrow(t->data, 0, 0, 1), WN_DIMS(1, 1)));
    for (long i = 0; i < n; i++) {
        WN_SCOPE(s);
        const int64_t length = wn_size(idx, 1), from = length > g->context ? length - g->context : 0;
        wn_tensor *logits = wn_div(wn_select(gpt_forward(g, wn_narrow(idx, 1, from, length - from)), 1, -1), 0.8);
        wn_topk_out best = wn_topk(logits, t->kinds < 20 ? t->kinds : 20);
        wn_tensor *next = wn_gather(best.indices, 1, wn_multinomial(wn_softmax(best.values, -1), 1));
        putchar(t->character[wn_item_i64(next)]);
        idx = wn_leave(&s, wn_cat(WN_LIST(idx, next), .dim = WN_VAL(1)));
    }
    putchar('\n');
}

/* ------------------------------------------------------------------ training */

/* A warm-up in 10 steps, times a cosine over all of them (ctx: long). */
static double schedule(void *ctx, int64_t step) {
    const double rise = step < 10 ? (double)(step + 1) / 10 : 1;
    return rise * 0.5 * (1 + cos(acos(-1) * (double)step / (double)*(const long *)ctx));
}

/* Optimisers of matrices, with weight decay, and of everything else, without; and their schedules. */
typedef struct optimisers {
    wn_optim *optim[2];
    wn_scheduler *schedule[2];
} optimisers;
static optimisers make_optimisers(gpt *g, long *steps) {
    WN_SCOPE(s);
    wn_list all = wn_parameters(&g->module), part[2];
    optimisers o;
    for (int k = 0; k < 2; k++) {
        part[k] = (wn_list){.n = 0, .v = malloc((size_t)all.n * sizeof *all.v)};
        if (!part[k].v) perror("malloc"), exit(1);
        for (int64_t i = 0; i < all.n; i++)
            if ((wn_ndim(all.v[i]) >= 2) == (k == 0)) part[k].v[part[k].n++] = all.v[i];
        o.optim[k] = wn_adamw_new(part[k], .lr = 1e-3, .beta2 = 0.99, .weight_decay = k == 0 ? 0.1 : WN_NO_RATE);
        o.schedule[k] = wn_lambda_lr(o.optim[k], schedule, steps);
        free(part[k].v);
    }
    return o;
}

/* One step; its loss. */
static double train_step(gpt *g, const text *t, optimisers o, wn_list parameters, int64_t batch) {
    WN_SCOPE(s);
    wn_tensor *starts = wn_randint(0, t->length - g->context, WN_DIMS(batch));
    wn_tensor *x = pieces(t, starts, g->context), *y = pieces(t, wn_add(starts, 1), g->context);
    wn_tensor *loss = wn_cross_entropy(wn_flatten(gpt_forward(g, x), .end_dim = WN_VAL(1)), wn_flatten(y));
    wn_zero_grad(&g->module);
    if (wn_backward(loss) || !wn_ok(wn_clip_grad_norm(parameters, 1.0))) exit(1);
    for (int k = 0; k < 2; k++)
        if (wn_step(o.optim[k]) || wn_scheduler_step(o.schedule[k])) exit(1);
    return wn_item_f64(loss);
}

int main(int argc, char **argv) {
    static const char *const options[] = {"--text FILE", "--steps N", "--batch N", "--layers N", "--heads N", "--width N", "--context N",
                                          "--dropout PERCENT", "--seed N", "--sample N", "--state FILE", NULL};
    check_options(argc, argv, options);
    setvbuf(stdout, NULL, _IOLBF, 0);
    wn_set_error_hook(wn_fatal); /* a demo may stop at the first error */
    WN_SCOPE(all);
    wn_manual_seed((uint64_t)option(argc, argv, "--seed", 0, 1337));
    long steps = option(argc, argv, "--steps", 0, 500), every = steps > 20 ? steps / 20 : 1;
    const int64_t batch = option(argc, argv, "--batch", 1, 16), context = option(argc, argv, "--context", 1, 64);
    text t = read_text(text_option(argc, argv, "--text", WN_SOURCE_DIR "/LICENSE"));
    if (t.length <= context) return fprintf(stderr, "the text is shorter than --context\n"), 1;
    gpt g = {0};
    if (gpt_init(&g, t.kinds, option(argc, argv, "--layers", 0, 3), option(argc, argv, "--heads", 1, 4), option(argc, argv, "--width", 1, 128), context,
                 (double)option(argc, argv, "--dropout", 0, 10) / 100))
        return 1;
    optimisers o = make_optimisers(&g, &steps);
    wn_list parameters = wn_parameters(&g.module);
    printf("%lld characters, %d different; %lld parameters; %d threads at level %s\n", (long long)t.length, t.kinds,
           (long long)wn_count_parameters(&g.module), wn_num_threads(), wn_level());

    int64_t done = 0; /* steps, also those of runs before this one */
    const wn_training run = {.module = &g.module, .optim = {o.optim[0], o.optim[1]}, .scheduler = {o.schedule[0], o.schedule[1]}, .step = &done};
    const char *state = text_option(argc, argv, "--state", NULL);
    if (state && access(state, R_OK) == 0) {
        if (wn_load_training(&run, state)) return 1;
        printf("%s: goes on with step %lld\n", state, (long long)done);
    } else if (state && wn_save_training(&run, state)) { /* rather now than after SAVE_EVERY steps */
        return 1;
    }
    const double start = seconds();
    for (const long from = (long)done; done < steps;) {
        const long step = (long)done++;
        const double loss = train_step(&g, &t, o, parameters, batch), each = (seconds() - start) / (double)(done - from);
        if (state && (done % SAVE_EVERY == 0 || done == steps) && wn_save_training(&run, state)) return 1;
        if (step % every == 0 || step + 1 == steps)
            printf("%sstep %ld loss %.6f  %.1f ms/step%s", isatty(STDOUT_FILENO) ? "\r" : "", step, loss, 1e3 * each, isatty(STDOUT_FILENO) ? "  " : "\n");
        if (isatty(STDOUT_FILENO)) fflush(stdout);
    }
    printf("%s%lld steps, the last ones in %.2f s\n", isatty(STDOUT_FILENO) ? "\n" : "", (long long)done, seconds() - start);
    sample(&g, &t, option(argc, argv, "--sample", 0, 300));
    for (int k = 0; k < 2; k++) wn_scheduler_free(o.schedule[k]), wn_optim_free(o.optim[k]);
    wn_module_free(&g.module);
    return wn_error() != WN_OK;
}
