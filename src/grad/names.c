/* Nodes' names, as torch prints them: "max_pool2d" becomes MaxPool2DBackward0, a letter that follows no letter being a capital.
 * torch numbers the overloads of one name in the order of its own list of derivatives, and some of its operations record
 * others: the rules below say where that shows. */
#include <stdio.h>
#include "grad/tape.h"

/* The first rule that fits gives the title (NULL: made from the name) and the number. */
typedef struct rule {
    const char *name, *overload; /* overload NULL: any */
    const char *field;           /* with this argument plain, or not; NULL: however it is called */
    bool plain;                  /* a number, not a tensor; not given; false */
    const char *title;
    int digit;
} rule;

static const rule rules[] = {
    {"sum", NULL, "dim", false, NULL, 1},
    {"mean", NULL, "dim", false, NULL, 1},
    {"prod", NULL, "dim", false, NULL, 1},
    {"max", "", NULL, false, NULL, 1},
    {"min", "", NULL, false, NULL, 1},
    {"median", "dim", NULL, false, NULL, 1},
    {"nanmedian", "dim", NULL, false, NULL, 1},
    {"sort", NULL, "stable", false, NULL, 1},
    {"sub", NULL, "self", true, "Rsub", 1}, /* 1 - x */
    {"rsub", NULL, "other", true, NULL, 1},
    {"div", NULL, "self", true, "Mul", 0}, /* 1 / x: reciprocal, then mul */
    {"div", NULL, "rounding_mode", false, NULL, 2},
    {"_div_trunc", NULL, NULL, false, "Div", 2},
    {"_round_scaled", NULL, NULL, false, "Round", 1},
    {"_gelu_tanh", NULL, NULL, false, "Gelu", 0},
    {"remainder", NULL, "other", false, NULL, 1},
    {"fmod", NULL, "other", false, NULL, 1},
    {"pow", NULL, "self", true, NULL, 2},
    {"pow", NULL, "exponent", false, NULL, 1},
    {"square", NULL, NULL, false, "Pow", 0},
    {"relu6", NULL, NULL, false, "Hardtanh", 0},
    {"selu", NULL, NULL, false, "Elu", 0},
    {"softsign", NULL, NULL, false, "Div", 0},
    {"tanhshrink", NULL, NULL, false, "Sub", 0},
    {"logsigmoid", NULL, NULL, false, "LogSigmoid", 0},
    {"i0e", NULL, NULL, false, "SpecialI0E", 0},
    {"i1", NULL, NULL, false, "SpecialI1", 0},
    {"i1e", NULL, NULL, false, "SpecialI1E", 0},
    {"ndtr", NULL, NULL, false, "Mul", 1},
    {"log_ndtr", NULL, NULL, false, "SpecialLogNdtr", 0},
    {"ndtri", NULL, NULL, false, "SpecialNdtri", 0},
    {"erfcx", NULL, NULL, false, "SpecialErfcx", 0},
    {"entr", NULL, NULL, false, "SpecialEntr", 0},
    {"zeta", NULL, "self", true, "SpecialZeta", 1},
    {"zeta", NULL, "other", true, "SpecialZeta", 2},
    {"zeta", NULL, NULL, false, "SpecialZeta", 0},
    {"xlog1py", NULL, "self", true, "SpecialXlog1Py", 1},
    {"xlog1py", NULL, "other", true, "SpecialXlog1Py", 2},
    {"xlog1py", NULL, NULL, false, "SpecialXlog1Py", 0},
    {"xlogy", NULL, "self", true, NULL, 1},
    {"xlogy", NULL, "other", true, NULL, 2},
    {"copysign", NULL, "other", true, NULL, 1},
    {"lerp", NULL, "weight", false, NULL, 1},
    {"clamp_min", NULL, "min", false, NULL, 1},
    {"clamp_max", NULL, "max", false, NULL, 1},
    {"_clamp_range", NULL, "min", true, "Clamp", 1},
    {"_clamp_range", NULL, "max", true, "Clamp", 1},
    {"_clamp_range", NULL, NULL, false, "Clamp", 0},
    {"clamp", "Tensor", NULL, false, NULL, 0},
    {"clamp", NULL, NULL, false, NULL, 1},
    {"masked_fill", NULL, "value", false, NULL, 1},
    {"scatter", "value", NULL, false, NULL, 1},
    {"_scatter_sum", NULL, NULL, false, "ScatterReduce", 0},
    {"_scatter_fold", NULL, NULL, false, "ScatterReduce", 0},
    {"fill_", NULL, "value", true, NULL, 2},
    {"fill_", NULL, NULL, false, NULL, 3},
    {"bernoulli_", NULL, NULL, false, NULL, 2},
    {"_cdist_forward", NULL, NULL, false, "Cdist", 0},
    {"contract", NULL, NULL, false, "View", 0}, /* einsum */
    {"contiguous", NULL, NULL, false, "Clone", 0},
    {"mT", NULL, NULL, false, "Transpose", 0},
    {"movedim", NULL, NULL, false, "Permute", 0},
    {"squeeze", "dim", NULL, false, NULL, 1},
    {"squeeze", "dims", NULL, false, NULL, 2},
    {"split", "sizes", NULL, false, "SplitWithSizes", 0},
    {"chunk", NULL, NULL, false, "Split", 0},
    {"conv1d", NULL, NULL, false, "Convolution", 0},
    {"conv2d", NULL, NULL, false, "Convolution", 0},
    {"conv3d", NULL, NULL, false, "Convolution", 0},
    {"conv_input_grad", NULL, NULL, false, "Convolution", 0}, /* conv_transpose */
    {"max_pool2d_places", NULL, NULL, false, "MaxPool2DWithIndices", 0},
    {"cross_entropy_forward", NULL, NULL, false, "NllLoss", 0},
    {"nll_loss_forward", NULL, NULL, false, "NllLoss", 0},
    {"attention_forward", NULL, NULL, false, "ScaledDotProductFlashAttentionForCpu", 0},
    {"diagonal_backward", NULL, NULL, false, "DiagEmbed", 0},
    {"tile", NULL, NULL, false, "Repeat", 0},
    {"group_norm", NULL, NULL, false, "NativeGroupNorm", 0},
    {"_masked_scale", NULL, NULL, false, "Mul", 0}, /* dropout */
};

static bool plain(const wn__node *n, const char *field) {
    for (int i = 0; i < n->op->nfields; i++) {
        const wn_field *f = &n->op->fields[i];
        if (strcmp(f->name, field) && strcmp(f->torch, field)) continue;
        const void *p = (const char *)n->args + f->offset;
        switch (f->kind) {
        case WN_K_VALUE: /* a tensor that was not saved is no longer here */
        case WN_K_SCALAR: return ((const wn_val *)p)->kind > WN_VAL_TENSOR;
        case WN_K_DIMS: return ((const wn_dims *)p)->n == 0;
        case WN_K_BOOL: return !*(const bool *)p;
        case WN_K_STRING: return *(const char *const *)p == NULL;
        default: return false;
        }
    }
    return true; /* there is no such argument: not given */
}

/* Of a node that a composite gave its name to only the name counts: its arguments are another operation's. */
static bool fits(const rule *r, const wn__node *n) {
    const bool own = n->name == n->op->name;
    if (strcmp(r->name, n->name) || (r->overload && (!own || strcmp(r->overload, n->op->overload))) || (r->field && !own)) return false;
    return !r->field || plain(n, r->field) == r->plain;
}

/* Products record what they come down to, which the dimensions of the operands decide. */
static const char *product(const wn__node *n) {
    int a = n->edges[0].ndim, b = n->edges[1].ndim;
    if (!strcmp(n->op->name, "linear")) {
        bool bias = n->nin > 2 && n->edges[2].ndim;
        return a == 2 ? bias ? "AddmmBackward0" : "MmBackward0" : bias ? "ViewBackward0" : a == 1 ? "SqueezeBackward4" : "UnsafeViewBackward0";
    }
    if (strcmp(n->op->name, "matmul")) return NULL;
    if (a == 1 && b == 1) return "DotBackward0";
    if (a == 2 && b <= 2) return b == 1 ? "MvBackward0" : "MmBackward0";
    return a == 1 && b == 2 ? "SqueezeBackward4" : "UnsafeViewBackward0";
}

/* Resampling and padding go by their modes, and by how many dimensions they work on: NULL for other operations. */
static const char *spatial(const wn__node *n, char *buf, size_t cap) {
    const int dims = n->nin ? n->edges[0].ndim - 2 : 0;
    if (!strcmp(n->op->name, "grid_sampler")) return snprintf(buf, cap, "GridSampler%dDBackward0", dims), buf;
    if (!strcmp(n->op->name, "pad")) {
        const wn_pad_args *a = n->args;
        if (!a->mode || !strcmp(a->mode, "constant")) return "ConstantPadNdBackward0";
        if (!strcmp(a->mode, "circular")) return "CopySlices";
        snprintf(buf, cap, "%sPad%dDBackward0", !strcmp(a->mode, "reflect") ? "Reflection" : "Replication", a->pad.n / 2);
        return buf;
    }
    if (strcmp(n->op->name, "resample")) return NULL;
    static const char *const modes[][2] = {{"nearest", "UpsampleNearest"}, {"nearest-exact", "UpsampleNearestExact"}, {"linear", "UpsampleLinear"},
                                           {"bilinear", "UpsampleBilinear"}, {"bicubic", "UpsampleBicubic"}, {"trilinear", "UpsampleTrilinear"},
                                           {"area", "AdaptiveAvgPool"}};
    const wn_resample_args *a = n->args;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(a->mode, modes[i][0])) return snprintf(buf, cap, "%s%dD%sBackward0", modes[i][1], dims, a->antialias ? "Aa" : ""), buf;
    return NULL;
}

static size_t camel(char *out, size_t cap, const char *name) {
    size_t k = 0;
    bool start = true;
    for (; *name && k + 1 < cap; name++) {
        char c = *name;
        bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
        if (lower && start) c = (char)(c - 'a' + 'A');
        start = !lower && !upper;
        if (c != '_') out[k++] = c;
    }
    out[k] = 0;
    return k;
}

size_t wn_node_name(const wn_node *n, char *buf, size_t cap) {
    if (!n) return (size_t)snprintf(buf, cap, "None");
    if (n->cls && n->cls->title) return (size_t)snprintf(buf, cap, "%s", n->cls->title);
    /* a class's name stays as it is, and torch adds no number to it */
    if (n->cls && (n->cls->verbatim || (n->name[0] >= 'A' && n->name[0] <= 'Z'))) return (size_t)snprintf(buf, cap, "%sBackward", n->name);
    const rule *r = n->op ? rules : rules + sizeof rules / sizeof *rules;
    if (n->op) {
        char text[96];
        const char *fixed = !strcmp(n->op->name, "copy_") ? "CopyBackwards" : n->name == n->op->name ? product(n) : NULL;
        if (!fixed && n->name == n->op->name) fixed = spatial(n, text, sizeof text);
        if (fixed) return (size_t)snprintf(buf, cap, "%s", fixed);
    }
    while (r < rules + sizeof rules / sizeof *rules && !fits(r, n)) r++;
    bool ruled = r < rules + sizeof rules / sizeof *rules;
    char title[128];
    if (!ruled || !r->title) camel(title, sizeof title, n->name);
    return (size_t)snprintf(buf, cap, "%sBackward%d", ruled && r->title ? r->title : title, ruled ? r->digit : 0);
}

void wn__title_results(wn__call *c, uint64_t begin) {
    for (int i = 0; i < c->op->nresults; i++) {
        wn_node *n = c->out[i] && c->out[i]->grad ? c->out[i]->grad->node : NULL;
        if (n && n->seq > begin && n->op) n->name = c->op->name;
    }
}

/* A view whose base has got a history since has none of its own yet: as_strided, when somebody asks for it. */
void wn__grad_fn_name(const wn_tensor *t, char *buf, size_t cap) {
    bool stale = wn__view_is_stale(t);
    if (stale) snprintf(buf, cap, "AsStridedBackward0");
    else wn_node_name(t->grad->node, buf, cap);
}

int64_t wn__event_of_node(const wn__node *n, bool whole_turn) {
    char name[128] = "AccumulateGrad";
    if (n) wn_node_name(n, name, sizeof name);
    return wn__event_backward(name, whole_turn);
}
