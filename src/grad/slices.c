/* CopySlices: the history of a base after an in-place operation on a view of it (its *part*). */
#include "base/alloc.h"
#include "grad/support.h"
#include "grad/tape.h"

typedef struct slices {
    wn__node *inner; /* the operation's node, which gives the gradient of the part */
    int at;          /* the input of inner that is the part */
    wn_dims base_strides, part_shape, part_strides;
    int64_t part_offset; /* relative to the base */
} slices;

int wn__slices_at(const wn__node *n) { return ((const slices *)n->extra)->at; }

static void slices_destroy(wn__node *n) {
    slices *x = n->extra;
    if (!x) return;
    if (x->inner) wn__node_release(x->inner);
    wn__free(x);
}

static void slices_forget(wn__node *n) { wn__node_forget(((slices *)n->extra)->inner); }

/* A tensor with the base's shape, and the part in it that the operation saw. */
typedef struct halves {
    wn_tensor *whole, *part; /* a view of it */
} halves;

/* A copy of t, broadcast to the base's shape, with the base's strides. */
static halves copy_of(const wn__node *n, wn_tensor *t) {
    const slices *x = n->extra;
    halves h = {.whole = wn_copy_(wn_empty_strided(wn__edge_dims(&n->edges[x->at]), x->base_strides, .dtype = wn_dtype_of(t)), t)};
    h.part = wn_as_strided(h.whole, x->part_shape, x->part_strides, .storage_offset = WN_VAL(x->part_offset));
    return h;
}

/* Does the base's gradient lead somewhere? Not if the operation gave the base its first history. */
static bool base_leads(const wn__node *n) {
    const wn__edge *e = &n->edges[((const slices *)n->extra)->at];
    return e->node || e->leaf;
}

/* Calls the operation's own builder with the raw cotangent of the part. */
static wn_status inner_gradients(const wn__node *n, wn_tensor *part, wn_tensor **gin, uint64_t need, wn__given *given) {
    const slices *x = n->extra;
    wn_status st = wn__check_saved(x->inner);
    wn_tensor *g = st ? NULL : wn_clone(part);
    if (!st && !wn_ok(g)) st = wn_error();
    if (x->at < 64 && base_leads(n)) need |= (uint64_t)1 << x->at; /* else what it reads was not saved */
    return st ? st : wn__node_gradients(x->inner, &g, gin, need, given);
}

static wn_status slices_apply(wn__node *n, wn_tensor **g, wn_tensor **gin) {
    const slices *x = n->extra;
    const halves h = copy_of(n, g[0]);
    uint64_t need = 0;
    for (int i = 0; i < n->nin && i < 64; i++)
        if (n->edges[i].node || n->edges[i].leaf) need |= (uint64_t)1 << i;
    if (!wn_ok(h.part)) return wn_error();
    wn_status st = inner_gradients(n, h.part, gin, need, NULL);
    if (st || !base_leads(n)) {
        gin[x->at] = NULL;
        return st;
    }
    wn_tensor *back = gin[x->at] ? wn_copy_(h.part, gin[x->at]) : wn_zero_(h.part);
    gin[x->at] = h.whole;
    return wn_ok(back) ? WN_OK : wn_error();
}

/* Can it use supports? If the operation works element by element, absent elements stay absent at the same places. */
static bool slices_pass(const wn__node *n) { return wn__support_way(((const slices *)n->extra)->inner) == WN__MOVES_STRAIGHT; }

/* mask (NULL: true everywhere), broadcast to the base, with the part replaced by `in` (NULL: by v everywhere). */
static wn_tensor *with_part(const wn__node *n, wn_tensor *mask, wn_tensor *in, bool v) {
    const halves h = copy_of(n, mask);
    wn_tensor *done = !wn_ok(h.part) ? h.part : in ? wn_copy_(h.part, in) : wn_fill_(h.part, v);
    return wn_ok(done) ? h.whole : done;
}

static wn_tensor *everywhere(bool v) { return wn_full(WN_0D, v, .dtype = WN_BOOL); }

/* Gives the base's gradient a support if it or its part has one. gpart: the part's; NULL: it was overwritten. */
static wn_status support_of_base(const wn__node *n, const wn__cotangent *x, const wn__support *part, wn_tensor *gpart, wn_tensor *zero_part,
                                 wn__cotangent *to) {
    if (!x->support && !part) return WN_OK;
    wn_tensor *on = gpart ? wn__support_mask(part, gpart) : NULL, *zero = NULL;
    wn_tensor *outside = x->support ? wn__support_mask(x->support, x->value) : everywhere(true);
    wn_tensor *all = wn_ok(outside) && (!on || wn_ok(on)) ? with_part(n, outside, on, true) : &wn__bad_tensor;
    if (x->zero || !gpart) zero = with_part(n, x->zero ? x->zero : everywhere(false), gpart ? zero_part : NULL, !gpart);
    if (!wn_ok(all) || (zero && !wn_ok(zero))) return wn_error();
    const bool masks = (x->support && x->support->masks) || (part && part->masks);
    to->support = wn__support_where(all, masks);
    to->zero = zero;
    return to->support ? WN_OK : wn__fail_memory(n->name);
}

/* The part of the cotangent's support, and of its zeros. */
static wn_status support_of_part(const wn__node *n, const wn__cotangent *x, wn__support **support, wn_tensor **zero) {
    *support = NULL;
    *zero = NULL;
    if (!x->support) return WN_OK;
    wn_tensor *mask = wn__support_mask(x->support, x->value);
    if (wn_ok(mask)) mask = copy_of(n, mask).part;
    if (wn_ok(mask) && x->zero) *zero = copy_of(n, x->zero).part;
    if (!wn_ok(mask) || (*zero && !wn_ok(*zero))) return wn_error();
    *support = wn__support_where(mask, x->support->masks);
    return *support ? WN_OK : wn__fail_memory(n->name);
}

static wn_status slices_gradients(wn__node *n, const wn__cotangent *x, wn__cotangent *to, uint64_t need) {
    const slices *s = n->extra;
    const bool points = s->inner->op->cls == WN__POINTWISE; /* times a number, a zero becomes one that counts */
    const halves h = copy_of(n, x->value);
    wn_tensor *gin[WN__FEW] = {NULL}, *zero = NULL;
    wn__given given[WN__FEW] = {{0}};
    wn__support *part = NULL;
    wn_status st = wn_ok(h.part) ? inner_gradients(n, h.part, gin, need, given) : wn_error();
    if (!st) st = support_of_part(n, x, &part, &zero);
    if (points) zero = NULL;
    for (int i = 0; i < n->nin && !st; i++) {
        const bool at = i == s->at;
        if (gin[i] && given[i].kind && !x->support && !wn__by_mask(&given[i])) { /* a support would not pay */
            gin[i] = wn__given_dense(&given[i], gin[i]);
            given[i].kind = 0;
        }
        if (gin[i] && given[i].kind) st = wn__given_fit(&given[i], gin[i]);
        wn__support *own = st || !gin[i] || !given[i].kind ? wn__support_retain(part) : wn__support_push(&given[i], part);
        if (at && !st && base_leads(n)) st = support_of_base(n, x, own, gin[i], zero, &to[i]);
        if (at || st || !gin[i]) {
            wn__support_release(own);
        } else {
            to[i].support = own;
            to[i].zero = own ? zero : NULL;
        }
        to[i].value = at && !base_leads(n) ? NULL : gin[i];
        if (!at || st || !base_leads(n)) continue;
        wn_tensor *back = gin[i] ? wn_copy_(h.part, gin[i]) : wn_zero_(h.part);
        if (!wn_ok(back)) st = wn_error();
        to[i].value = h.whole;
    }
    wn__support_release(part);
    return st;
}

static const wn__node_class slices_class = {.apply = slices_apply, .passes = slices_pass, .gradients = slices_gradients, .forget = slices_forget,
                                            .destroy = slices_destroy, .title = "CopySlices"};

wn__node *wn__slices_node(wn_tensor *t, int at, wn__node *inner) {
    wn_tensor *base = t->grad->base, *few[16] = {NULL}, **in = inner->nin <= 16 ? few : wn__new(wn_tensor *, (size_t)inner->nin);
    if (in) in[at] = base;
    wn__node *n = in ? wn__node_new(inner->name, inner->nin, 1, 0, in) : NULL;
    slices *x = n ? wn__new(slices, 1) : NULL;
    if (in != few) wn__free(in);
    if (!x) {
        if (n) wn__node_release(n);
        wn__fail_memory(inner->name);
        return NULL;
    }
    n->extra = x;
    n->cls = &slices_class;
    x->inner = wn__node_retain(inner);
    x->at = at;
    inner->within = n;
    x->base_strides = wn_strides(base);
    x->part_shape = wn_shape(t);
    x->part_strides = wn_strides(t);
    x->part_offset = t->offset - base->offset;
    if (wn__node_connect(n, at, base)) {
        wn__node_release(n);
        return NULL;
    }
    for (int i = 0; i < inner->nin; i++) { /* the other inputs' histories move to n; inner keeps their shapes */
        if (i == at) continue;
        n->edges[i] = inner->edges[i];
        inner->edges[i].node = NULL;
        inner->edges[i].leaf = NULL;
    }
    wn__edge own = inner->edges[at]; /* n has the part's old history, as the base's; inner must not keep it as well */
    inner->edges[at].node = NULL;
    inner->edges[at].leaf = NULL;
    wn__release(own.leaf);
    if (own.node) wn__node_release(own.node);
    return n;
}

wn__node *wn__part_history(wn__node *inner) {
    wn__node *whole = inner->within, *n = wn__node_new("as_strided", 1, 1, sizeof(wn_as_strided_view_args), &(wn_tensor *){NULL});
    if (!n) return NULL;
    const slices *x = whole->extra;
    n->op = &wn__ops[WN__OP_as_strided_view];
    wn_as_strided_view_args *a = n->args;
    *a = (wn_as_strided_view_args){.size_ = sizeof *a, .size = x->part_shape, .stride = x->part_strides, .storage_offset = x->part_offset,
                                   .self_stride = x->base_strides};
    n->edges[0] = whole->edges[x->at]; /* dtype and shape, in whole's memory */
    n->edges[0].leaf = NULL;
    n->edges[0].node = wn__node_retain(whole);
    n->edges[0].out_nr = 0;
    return n;
}
