/* The networks of step.c, as bench/steps.py has them, with the parameters in the same order. A network is one module on the heap that
 * owns its layers. */
#include "bench.h"

enum { CLASSES = 10 };

/* A convolution on `in` channels or a linear layer of so many products for a sample; the first needs no gradient of its input. */
static void count(step_net *n, int64_t products) {
    n->products += (double)products;
    if (!n->first) n->first = (double)products;
}
static wn_sequential *sequential(void) {
    wn_sequential *s = (wn_sequential *)wn_module_new(sizeof *s);
    if (s) wn_sequential_init_x(s, 0, NULL);
    return s;
}
static wn_module *relu(void) { return wn_layer(wn_nn_activation, wn_nn_relu); }
static wn_module *linear(step_net *n, int64_t in, int64_t out) {
    count(n, in * out);
    return wn_layer(wn_nn_linear, in, out);
}

/* ------------------------------------------------------------------ mlp, cnn */

void mlp_net(step_net *n, const int64_t *sizes, int layers) {
    wn_sequential *s = sequential();
    n->module = (wn_module *)s;
    for (int i = 0; s && i < layers; i++) {
        if (i) wn_sequential_add(s, relu());
        wn_sequential_add(s, linear(n, sizes[i], sizes[i + 1]));
    }
    n->x = tensor_operand(WN_F32, WN_DIMS(n->batch, sizes[0]), 0, 1);
    n->targets = n->batch, n->classes = sizes[layers];
}

static wn_module *conv3x3(step_net *n, int64_t in, int64_t out, int64_t size) {
    count(n, in * out * 9 * size * size);
    return wn_layer(wn_nn_conv2d, in, out, 3, .padding = WN_DIMS(1));
}
void cnn_net(step_net *n) {
    wn_sequential *s = sequential();
    n->module = (wn_module *)s;
    if (s) {
        wn_module *const layers[] = {conv3x3(n, 1, 32, 28), relu(), wn_layer(wn_nn_max_pool2d, WN_DIMS(2)), conv3x3(n, 32, 64, 14), relu(),
                                     wn_layer(wn_nn_max_pool2d, WN_DIMS(2)), wn_layer(wn_nn_flatten, 1, -1), linear(n, 3136, 128), relu(),
                                     linear(n, 128, CLASSES)};
        for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) wn_sequential_add(s, layers[i]);
    }
    n->x = tensor_operand(WN_F32, WN_DIMS(n->batch, 1, 28, 28), 0, 1);
    n->targets = n->batch, n->classes = CLASSES;
}

/* ------------------------------------------------------------------ resnet18 */

typedef struct block {
    wn_module module;
    wn_nn_conv2d conv1, conv2, short_conv;
    wn_nn_batch_norm2d bn1, bn2, short_bn;
    bool shortened; /* the short way has a convolution */
} block;

static wn_tensor *block_forward(wn_module *m, wn_tensor *x) {
    WN_SCOPE(scope);
    block *b = (block *)m;
    wn_tensor *y = wn_relu(wn_nn_batch_norm2d_forward(&b->bn1, wn_nn_conv2d_forward(&b->conv1, x)));
    y = wn_nn_batch_norm2d_forward(&b->bn2, wn_nn_conv2d_forward(&b->conv2, y));
    if (b->shortened) x = wn_nn_batch_norm2d_forward(&b->short_bn, wn_nn_conv2d_forward(&b->short_conv, x));
    return wn_leave(&scope, wn_relu(wn_add(y, x)));
}
/* A convolution without bias and its norm; size: of the images that come out. */
static void conv_norm(step_net *n, wn_module *m, wn_nn_conv2d *conv, wn_nn_batch_norm2d *bn, const char *names[2], int64_t in, int64_t out, int64_t kernel,
                      int64_t stride, int64_t size) {
    wn_nn_conv2d_init(conv, in, out, kernel, .stride = WN_DIMS(stride), .padding = WN_DIMS(kernel / 2), .bias = WN_OFF);
    wn_nn_batch_norm2d_init(bn, out);
    wn_add_child(m, names[0], &conv->module);
    wn_add_child(m, names[1], &bn->module);
    count(n, in * out * kernel * kernel * size * size);
}
static wn_module *block_new(step_net *n, int64_t in, int64_t out, int64_t stride, int64_t size) {
    block *b = (block *)wn_module_new(sizeof *b);
    if (!b) return NULL;
    b->module.forward = block_forward;
    conv_norm(n, &b->module, &b->conv1, &b->bn1, (const char *[]){"conv1", "bn1"}, in, out, 3, stride, size);
    conv_norm(n, &b->module, &b->conv2, &b->bn2, (const char *[]){"conv2", "bn2"}, out, out, 3, 1, size);
    b->shortened = in != out;
    if (b->shortened) conv_norm(n, &b->module, &b->short_conv, &b->short_bn, (const char *[]){"short_conv", "short_bn"}, in, out, 1, stride, size);
    return &b->module;
}

typedef struct resnet {
    wn_module module;
    wn_nn_conv2d conv;
    wn_nn_batch_norm2d bn;
    wn_sequential blocks;
    wn_nn_linear head;
} resnet;

static wn_tensor *resnet_forward(wn_module *m, wn_tensor *x) {
    WN_SCOPE(scope);
    resnet *r = (resnet *)m;
    x = wn_relu(wn_nn_batch_norm2d_forward(&r->bn, wn_nn_conv2d_forward(&r->conv, x)));
    x = wn_adaptive_avg_pool2d(wn_sequential_forward(&r->blocks, x), WN_DIMS(1));
    return wn_leave(&scope, wn_nn_linear_forward(&r->head, wn_flatten(x, 1)));
}
void resnet18_net(step_net *n) {
    static const int64_t widths[] = {64, 64, 128, 256, 512};
    resnet *r = (resnet *)wn_module_new(sizeof *r);
    n->module = (wn_module *)r;
    n->x = tensor_operand(WN_F32, WN_DIMS(n->batch, 3, 32, 32), 0, 1);
    n->targets = n->batch, n->classes = CLASSES;
    if (!r) return;
    r->module.forward = resnet_forward;
    conv_norm(n, &r->module, &r->conv, &r->bn, (const char *[]){"conv", "bn"}, 3, 64, 3, 1, 32);
    wn_sequential_init_x(&r->blocks, 0, NULL);
    for (int i = 0; i < 4; i++) {
        wn_sequential_add(&r->blocks, block_new(n, widths[i], widths[i + 1], i ? 2 : 1, 32 >> i));
        wn_sequential_add(&r->blocks, block_new(n, widths[i + 1], widths[i + 1], 1, 32 >> i));
    }
    wn_nn_linear_init(&r->head, 512, CLASSES);
    count(n, 512 * CLASSES);
    wn_add_child(&r->module, "blocks", &r->blocks.module);
    wn_add_child(&r->module, "head", &r->head.module);
}

/* ------------------------------------------------------------------ transformer */

enum { LAYERS = 4, WIDTH = 256, HEADS = 8, LENGTH = 128, WORDS = 256 };

typedef struct decoder {
    wn_module module;
    wn_nn_layer_norm norm1, norm2;
    wn_nn_linear qkv, out, up, down;
} decoder;

static wn_tensor *heads_of(wn_tensor *x, const wn_dims *shape) { return wn_transpose(wn_view(x, *shape), 1, 2); }
static wn_tensor *decoder_forward(wn_module *m, wn_tensor *x) {
    WN_SCOPE(scope);
    decoder *d = (decoder *)m;
    const wn_dims in = wn_shape(x), apart = WN_DIMS(in.v[0], in.v[1], HEADS, WIDTH / HEADS);
    const wn_list qkv = wn_split(wn_nn_linear_forward(&d->qkv, wn_nn_layer_norm_forward(&d->norm1, x)), WIDTH, .dim = WN_VAL(2));
    if (qkv.n != 3) return wn_leave(&scope, x);
    wn_tensor *y = wn_scaled_dot_product_attention(heads_of(qkv.v[0], &apart), heads_of(qkv.v[1], &apart), heads_of(qkv.v[2], &apart), .is_causal = true);
    x = wn_add(x, wn_nn_linear_forward(&d->out, wn_view(wn_contiguous(wn_transpose(y, 1, 2)), in)));
    y = wn_gelu(wn_nn_linear_forward(&d->up, wn_nn_layer_norm_forward(&d->norm2, x)));
    return wn_leave(&scope, wn_add(x, wn_nn_linear_forward(&d->down, y)));
}
static wn_module *decoder_new(step_net *n) {
    decoder *d = (decoder *)wn_module_new(sizeof *d);
    if (!d) return NULL;
    d->module.forward = decoder_forward;
    wn_nn_layer_norm_init(&d->norm1, WN_DIMS(WIDTH));
    wn_nn_layer_norm_init(&d->norm2, WN_DIMS(WIDTH));
    wn_nn_linear_init(&d->qkv, WIDTH, 3 * WIDTH);
    wn_nn_linear_init(&d->out, WIDTH, WIDTH);
    wn_nn_linear_init(&d->up, WIDTH, 4 * WIDTH);
    wn_nn_linear_init(&d->down, 4 * WIDTH, WIDTH);
    wn_add_child(&d->module, "norm1", &d->norm1.module);
    wn_add_child(&d->module, "norm2", &d->norm2.module);
    wn_add_child(&d->module, "qkv", &d->qkv.module);
    wn_add_child(&d->module, "out", &d->out.module);
    wn_add_child(&d->module, "up", &d->up.module);
    wn_add_child(&d->module, "down", &d->down.module);
    n->products += (double)LENGTH * (12 * WIDTH * WIDTH + LENGTH * WIDTH); /* half of the scores count */
    return &d->module;
}

typedef struct transformer {
    wn_module module;
    wn_nn_embedding word, place;
    wn_sequential blocks;
    wn_nn_layer_norm norm;
    wn_nn_linear head;
} transformer;

static wn_tensor *transformer_forward(wn_module *m, wn_tensor *x) {
    WN_SCOPE(scope);
    transformer *t = (transformer *)m;
    x = wn_add(wn_nn_embedding_forward(&t->word, x), wn_nn_embedding_forward(&t->place, wn_arange(LENGTH)));
    x = wn_nn_layer_norm_forward(&t->norm, wn_sequential_forward(&t->blocks, x));
    return wn_leave(&scope, wn_flatten(wn_nn_linear_forward(&t->head, x), 0, .end_dim = WN_VAL(1)));
}
void transformer_net(step_net *n) {
    transformer *t = (transformer *)wn_module_new(sizeof *t);
    n->module = (wn_module *)t;
    n->x = tensor_operand(WN_I64, WN_DIMS(n->batch, LENGTH), 0, WORDS);
    n->targets = n->batch * LENGTH, n->classes = WORDS;
    if (!t) return;
    t->module.forward = transformer_forward;
    wn_nn_embedding_init(&t->word, WORDS, WIDTH);
    wn_nn_embedding_init(&t->place, LENGTH, WIDTH);
    wn_sequential_init_x(&t->blocks, 0, NULL);
    for (int i = 0; i < LAYERS; i++) wn_sequential_add(&t->blocks, decoder_new(n));
    wn_nn_layer_norm_init(&t->norm, WN_DIMS(WIDTH));
    wn_nn_linear_init(&t->head, WIDTH, WORDS, .bias = WN_OFF);
    n->products += (double)LENGTH * WIDTH * WORDS;
    wn_add_child(&t->module, "word", &t->word.module);
    wn_add_child(&t->module, "place", &t->place.module);
    wn_add_child(&t->module, "blocks", &t->blocks.module);
    wn_add_child(&t->module, "norm", &t->norm.module);
    wn_add_child(&t->module, "head", &t->head.module);
}

/* ------------------------------------------------------------------ lstm */

enum { UNITS = 128, STEPS = 64 };

typedef struct lstm {
    wn_module module;
    wn_nn_lstm lstm;
    wn_nn_linear head;
} lstm;

static wn_tensor *lstm_forward(wn_module *m, wn_tensor *x) {
    WN_SCOPE(scope);
    lstm *l = (lstm *)m;
    wn_tensor *y = wn_nn_lstm_forward(&l->lstm, x, NULL, NULL).output;
    return wn_leave(&scope, wn_nn_linear_forward(&l->head, wn_select(y, 1, -1)));
}
void lstm_net(step_net *n) {
    lstm *l = (lstm *)wn_module_new(sizeof *l);
    n->module = (wn_module *)l;
    n->x = tensor_operand(WN_F32, WN_DIMS(n->batch, STEPS, UNITS), -1, 1);
    n->targets = n->batch, n->classes = CLASSES;
    if (!l) return;
    l->module.forward = lstm_forward;
    wn_nn_lstm_init(&l->lstm, UNITS, UNITS, .batch_first = true);
    count(n, (int64_t)STEPS * 4 * UNITS * UNITS); /* of the input, then of the states */
    count(n, (int64_t)STEPS * 4 * UNITS * UNITS);
    wn_add_child(&l->module, "lstm", &l->lstm.module);
    wn_nn_linear_init(&l->head, UNITS, CLASSES);
    count(n, UNITS * CLASSES);
    wn_add_child(&l->module, "head", &l->head.module);
}
