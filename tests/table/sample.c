/* Makes samples of arguments: random tensors of a dtype and layout, and the generic filling of an args struct by its fields. */
#include "table.h"
#include <math.h>

uint64_t rnd(sample *s) { /* splitmix64 */
    if (s->nbytes) {
        s->nbytes--;
        return *s->bytes++;
    }
    uint64_t z = s->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
int64_t below(sample *s, int64_t n) { return n > 0 ? (int64_t)(rnd(s) % (uint64_t)n) : 0; }
bool maybe(sample *s, int one_in) { return below(s, one_in) == 0; }
double uniform(sample *s, double lo, double hi) { return lo + (hi - lo) * ((double)(rnd(s) >> 11) * 0x1p-53); }

wn_dims dims_of_list(int n, const int64_t *v) {
    wn_dims d = {.n = n ? n : -1};
    for (int i = 0; i < n; i++) d.v[i] = v[i];
    return d;
}
int64_t product(wn_dims d) {
    int64_t n = 1;
    for (int i = 0; i < d.n; i++) n *= d.v[i];
    return n;
}

/* ------------------------------------------------------------------ tensors */

/* A tensor without values, of the layout: what lies between its elements is filled with sevens. */
static wn_tensor *blank(wn_dims shape, wn_dtype dtype, layout how) {
    int n = shape.n > 0 ? shape.n : 0;
    int64_t memory[WN_MAX_DIMS], strides[WN_MAX_DIMS], total = 1, offset = 0;
    for (int d = 0; d < n; d++) memory[d] = shape.v[d];
    if (how == SLICED) {
        for (int d = 0; d < n; d++) memory[d] = 2 * shape.v[d] + 1;
        offset = 3;
    }
    if (how == EXPANDED) {
        int d = 0;
        while (d < n && shape.v[d] < 2) d++;
        if (d < n) memory[d] = 1;
    }
    const bool last = how == LAST && (n == 4 || n == 5);
    for (int k = 0; k < n; k++) { /* innermost first; transposed: the first dimension is the innermost */
        int d = how == TRANSPOSED ? k : last && k == 0 ? 1 : last && k < n - 1 ? n - k : n - 1 - k;
        strides[d] = total * (how == SLICED ? 2 : 1);
        total *= memory[d];
    }
    for (int d = 0; d < n && how == EXPANDED; d++)
        if (memory[d] == 1 && shape.v[d] > 1) {
            strides[d] = 0;
            break;
        }
    total += offset + 3;
    wn_tensor *whole = wn__tensor_new(dtype, 1, &total, NULL);
    if (!whole) return NULL;
    for (int64_t i = 0; i < total; i++) put(whole, i, 7, 7);
    wn_tensor *t = wn__tensor_view(whole, n, shape.v, strides, offset);
    wn__release(whole);
    return t;
}

wn_tensor *keep(sample *s, wn_tensor *t, role r) {
    if (s->nmade == MAX_MADE || !t) {
        wn__release(t);
        s->wrong = t ? "too many tensors" : "out of memory";
        return s->nmade ? s->made[0] : NULL;
    }
    s->roles[s->nmade] = r;
    return s->made[s->nmade++] = t;
}

static double draw_float(sample *s) {
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -1.5, INFINITY, -INFINITY, NAN, 1e-30, -1e30, 100.0, -88.0, 1e4, 3.5};
    switch (s->spec.domain) {
    case POSITIVE: return uniform(s, 0.3, 2.5);
    case UNIT: return uniform(s, -0.85, 0.85);
    case ABOVE_ONE: return uniform(s, 1.2, 3);
    case ANY: if (maybe(s, 4)) return special[below(s, sizeof special / sizeof *special)]; /* fall through */
    default: { /* away from 0, where many derivatives jump or explode */
        double x = uniform(s, -3, 3);
        return x < 0 ? x - 0.1 : x + 0.1;
    }
    }
}
/* The second operand of a row that may raise: zero would be an error, also what becomes zero in the first one's dtype (INT32_MIN
 * in int16). */
static bool is_divisor(const sample *s) { return s->op->flags & WN__F_MAY_RAISE && s->op->cls == WN__POINTWISE && s->ndata > 0; }
static int64_t draw_int(sample *s, wn_dtype d) {
    static const int64_t edges[] = {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, -128, 127, 255, 100};
    int64_t v = d == WN_U8 ? below(s, 6) : below(s, 11) - 5;
    if (s->spec.domain == ANY && maybe(s, 6)) v = wrap_to(d, edges[below(s, 8)]);
    if (s->spec.domain == POSITIVE) v = v < 0 ? -v : v;
    return is_divisor(s) && wrap_to(s->spec.dtype, v) == 0 ? 3 : v;
}

static void fill(sample *s, wn_tensor *t, bool ranged, double lo, double hi) {
    wn_dtype d = wn_dtype_of(t);
    for (int64_t i = 0; i < wn_numel(t); i++) {
        double x = d <= WN_BF16 ? (ranged ? uniform(s, lo, hi) : draw_float(s)) : 0;
        int64_t k = d == WN_BOOL ? below(s, 2) | is_divisor(s) : d <= WN_BF16 ? 0 : ranged ? (int64_t)floor(uniform(s, lo, hi + 1)) : draw_int(s, d);
        put(t, i, x, k);
    }
}

static wn_tensor *any_data(sample *s, wn_dims shape, wn_dtype d, role r, bool ranged, double lo, double hi) {
    wn_tensor *t = keep(s, blank(shape, d, s->spec.layout), r);
    if (t && !s->wrong) fill(s, t, ranged, lo, hi);
    return t;
}
static wn_dtype next_dtype(sample *s) { return s->ndata++ && s->spec.dtype2 ? s->spec.dtype2 : s->spec.dtype; }
wn_tensor *data(sample *s, wn_dims shape) {
    wn_dtype d = s->ndata && s->spec.dtype2 ? s->spec.dtype2 : s->spec.dtype;
    wn_tensor *t = any_data(s, shape, d, DATA, false, 0, 0);
    s->ndata++;
    return t;
}
wn_tensor *data_in(sample *s, wn_dims shape, double lo, double hi) { return any_data(s, shape, next_dtype(s), DATA, true, lo, hi); }
wn_tensor *fixed_in(sample *s, wn_dims shape, wn_dtype dtype, double lo, double hi) { return any_data(s, shape, dtype, dtype <= WN_BF16 ? FIXED : INDEX, true, lo, hi); }
wn_tensor *mask(sample *s, wn_dims shape) { return any_data(s, shape, WN_BOOL, MASK, false, 0, 0); }
wn_tensor *indices(sample *s, wn_dims shape, int64_t n) {
    if (n < 1) {
        if (product(shape)) s->na = true;
        n = 1;
    }
    return any_data(s, shape, WN_I64, INDEX, true, 0, (double)n - 1);
}
wn_tensor *permutation(sample *s, int64_t n, int64_t of) {
    wn_tensor *t = keep(s, blank(D(n), WN_I64, s->spec.layout == EXPANDED ? CONTIGUOUS : s->spec.layout), INDEX);
    int64_t *all = malloc((size_t)(of + 1) * sizeof *all);
    if (!t || s->wrong || !all || n > of) s->wrong = "permutation";
    else {
        for (int64_t i = 0; i < of; i++) all[i] = i;
        for (int64_t i = 0; i < n; i++) {
            int64_t k = i + below(s, of - i), v = all[k];
            all[k] = all[i];
            all[i] = v;
            put(t, i, 0, v);
        }
    }
    free(all);
    return t;
}

/* ------------------------------------------------------------------ arguments by name */

static const wn_field *find_field(const sample *s, const char *name) {
    for (int i = 0; i < s->op->nfields; i++)
        if (!strcmp(s->op->fields[i].name, name) || !strcmp(s->op->fields[i].torch, name)) return &s->op->fields[i];
    return NULL;
}
bool has_field(const sample *s, const char *name) { return find_field(s, name) != NULL; }
static void *place(sample *s, const char *name, wn_kind *kind) {
    const wn_field *f = find_field(s, name);
    if (!f) {
        s->wrong = name;
        return NULL;
    }
    *kind = f->kind;
    return s->args + f->offset;
}
void set_tensor(sample *s, const char *name, wn_tensor *t) {
    wn_kind kind;
    void *p = place(s, name, &kind);
    if (!p) return;
    if (kind == WN_K_TENSOR) *(wn_tensor **)p = t;
    else if (kind == WN_K_VALUE || kind == WN_K_SCALAR) *(wn_val *)p = wn_val_of_tensor(t);
    else s->wrong = name;
}
void set_list(sample *s, const char *name, int n, wn_tensor *const *t) {
    wn_kind kind;
    void *p = place(s, name, &kind);
    if (!p) return;
    if (kind != WN_K_TENSORS || s->nlists + n > MAX_MADE) {
        s->wrong = name;
        return;
    }
    *(wn_list *)p = (wn_list){.n = n, .v = s->lists + s->nlists};
    for (int i = 0; i < n; i++) s->lists[s->nlists++] = t[i];
}
static void set_number(sample *s, const char *name, wn_val v) {
    wn_kind kind;
    void *p = place(s, name, &kind);
    if (!p) return;
    int64_t i = v.kind != WN_VAL_FLOAT ? v.u.i : fabs(v.u.f) < 0x1p63 ? (int64_t)v.u.f : INT64_MIN;
    switch (kind) {
    case WN_K_VALUE:
    case WN_K_SCALAR: *(wn_val *)p = v; break;
    case WN_K_INT: *(int64_t *)p = i; break;
    case WN_K_FLOAT: *(double *)p = v.kind == WN_VAL_FLOAT ? v.u.f : (double)v.u.i; break;
    case WN_K_BOOL: *(bool *)p = i != 0; break;
    case WN_K_SWITCH: ((wn_switch *)p)->state = (int)i; break;
    case WN_K_DTYPE: *(wn_dtype *)p = (wn_dtype)i; break;
    default: s->wrong = name;
    }
}
void set_int(sample *s, const char *name, int64_t v) { set_number(s, name, wn_val_of_int(v)); }
void set_switch(sample *s, const char *name, bool on) { set_number(s, name, wn_val_of_int(on ? WN_ON.state : WN_OFF.state)); }
void set_float(sample *s, const char *name, double v) { set_number(s, name, wn_val_of_float(v)); }
void set_dims(sample *s, const char *name, wn_dims d) {
    wn_kind kind;
    void *p = place(s, name, &kind);
    if (p && kind == WN_K_DIMS) *(wn_dims *)p = d;
    else s->wrong = name;
}
void set_string(sample *s, const char *name, const char *v) {
    wn_kind kind;
    void *p = place(s, name, &kind);
    if (p && kind == WN_K_STRING) *(const char **)p = v;
    else s->wrong = name;
}

/* ------------------------------------------------------------------ the generic filling */

static wn_dims main_shape(sample *s) {
    wn_dims d = WN_UNSET;
    switch (s->spec.mode) {
    case SCALAR: return dims_of_list(0, NULL);
    case BIG: return maybe(s, 2) ? D(3, 30011) : D(257, 2, 181);
    default: d.n = 1 + (int)below(s, 4);
    }
    for (int i = 0; i < d.n; i++) d.v[i] = 1 + below(s, i ? 4 : 5);
    if (s->spec.layout != CONTIGUOUS && d.n == 1) d = D(d.v[0], 3);
    if (s->spec.mode == EMPTY) d.v[below(s, d.n)] = 0;
    return d;
}

/* A shape that broadcasts with the main one: some sizes 1, leading dimensions left out. */
static wn_dims partner_shape(sample *s, bool whole) {
    wn_dims d = s->shape;
    if (whole || d.n < 1 || s->spec.mode == BIG) return d;
    int drop = maybe(s, 3) ? (int)below(s, d.n + 1) : 0;
    for (int i = drop; i < d.n; i++) d.v[i - drop] = maybe(s, 4) ? 1 : s->shape.v[i];
    d.n -= drop;
    if (d.n == 0) d.n = -1;
    return d;
}

static bool named(const wn_field *f, const char *const *names) {
    for (; *names; names++)
        if (!strcmp(f->torch, *names)) return true;
    return false;
}
static bool is_mask(const wn_field *f) { return named(f, (const char *const[]){"mask", "where", "condition", "key_padding_mask", NULL}); }
static bool is_dim(const wn_field *f) { return strstr(f->torch, "dim") || named(f, (const char *const[]){"source", "destination", NULL}); }
static int64_t a_dim(sample *s) {
    int n = s->shape.n > 0 ? s->shape.n : 1;
    return below(s, 2 * n) - n;
}
static double a_number(sample *s) {
    static const double numbers[] = {0.5, 2, 1, 3, 0.25, -1.5};
    return numbers[below(s, 6)];
}
static wn_val a_scalar(sample *s) {
    double v = a_number(s);
    if (is_divisor(s) && v < 0) v = 3; /* a negative exponent of integers would be an error */
    return s->spec.dtype > WN_BF16 || v == floor(v) ? wn_val_of_int((int64_t)v ? (int64_t)v : 2) : wn_val_of_float(v);
}
/* Some dimensions, all different. */
static wn_dims some_dims(sample *s) {
    int n = s->shape.n > 0 ? s->shape.n : 0;
    wn_dims d = WN_UNSET;
    for (int i = 0; i < n; i++)
        if (maybe(s, 2)) d.v[d.n++] = maybe(s, 2) ? i : i - n;
    if (!d.n) d.v[d.n++] = n ? below(s, n) : 0;
    return d;
}

void generic(sample *s) {
    const wn_op *op = s->op;
    int tensors = 0, whole = s->spec.full_first ? 0 : (int)below(s, op->ntensors ? op->ntensors : 1);
    for (int i = 0; i < op->nfields; i++) {
        const wn_field *f = &op->fields[i];
        bool optional = f->fallback != NULL || strchr(f->type, '?');
        bool together = op->cls == WN__POINTWISE && !f->mutated; /* these broadcast; others get one shape */
        wn_tensor *few[3];
        switch (f->kind) {
        case WN_K_TENSOR:
            if (optional && maybe(s, 2)) break;
            if (is_mask(f)) set_tensor(s, f->name, mask(s, partner_shape(s, tensors++ == whole && op->cls == WN__POINTWISE)));
            else set_tensor(s, f->name, data(s, !together || tensors++ == whole ? s->shape : partner_shape(s, false)));
            break;
        case WN_K_VALUE:
            if (tensors != whole && tensors > 0 && maybe(s, 5)) set_number(s, f->name, a_scalar(s));
            else set_tensor(s, f->name, data(s, tensors == whole ? s->shape : partner_shape(s, false)));
            tensors++;
            break;
        case WN_K_TENSORS: {
            int n = 1 + (int)below(s, 3);
            for (int k = 0; k < n; k++) few[k] = data(s, s->shape);
            set_list(s, f->name, n, few);
            break;
        }
        case WN_K_SCALAR:
            if (optional && maybe(s, 2)) break;
            if (f->type[0] == 'b') set_number(s, f->name, wn_val_of_bool(maybe(s, 2)));
            else if (is_dim(f)) set_int(s, f->name, a_dim(s));
            else if (!strncmp(f->type, "int", 3)) set_int(s, f->name, below(s, 3));
            else set_number(s, f->name, a_scalar(s));
            break;
        case WN_K_DIMS:
            if (optional && maybe(s, 3)) break;
            set_dims(s, f->name, strstr(f->torch, "dim") ? some_dims(s) : s->shape);
            break;
        case WN_K_INT: set_int(s, f->name, is_dim(f) ? a_dim(s) : !strcmp(f->torch, "diagonal") ? below(s, 5) - 2 : below(s, 3)); break;
        case WN_K_FLOAT: set_float(s, f->name, 0.25); break;
        case WN_K_BOOL: set_int(s, f->name, maybe(s, 2)); break;
        case WN_K_SWITCH: set_int(s, f->name, below(s, 3)); break;
        case WN_K_DTYPE: /* rows that make tensors take the dtype under test */
            if (op->flags & WN__F_CREATES || !optional) set_int(s, f->name, (int64_t)s->spec.dtype);
            break;
        case WN_K_STRING:
        case WN_K_GENERATOR:
        case WN_K_DEVICE: break;
        }
    }
}

/* ------------------------------------------------------------------ samples as a whole */



bool sample_make(sample *s, const wn_op *op, spec sp) {
    memset(s, 0, sizeof *s);
    s->op = op;
    s->spec = sp;
    s->rng = sp.seed * 0x2545f4914f6cdd1du + (uint64_t)op->id;
    s->args = calloc(1, op->args_size);
    s->lists = calloc(MAX_MADE, sizeof *s->lists);
    if (!s->args || !s->lists) return false;
    *(size_t *)(void *)s->args = op->args_size;
    s->shape = main_shape(s);
    if (!sample_entry(s)) generic(s);
    if (s->wrong) {
        check(C_FLAGS, false, s, "the sample is wrong: %s", s->wrong);
        s->na = true;
    }
    if (!s->na) return true;
    sample_free(s);
    return false;
}

void sample_free(sample *s) {
    for (int i = 0; i < s->nmade; i++) wn__release(s->made[i]);
    free(s->args);
    free(s->lists);
    s->args = NULL;
    s->lists = NULL;
    s->nmade = 0;
}

static wn_tensor *twin_of(const sample *twin, const sample *s, const wn_tensor *t) {
    for (int i = 0; i < s->nmade; i++)
        if (s->made[i] == t) return twin->made[i];
    return NULL;
}

bool sample_twin(sample *twin, const sample *s, bool widen) {
    *twin = *s;
    twin->nmade = 0;
    twin->args = malloc(s->op->args_size);
    twin->lists = calloc(MAX_MADE, sizeof *twin->lists);
    if (!twin->args || !twin->lists) return false;
    memcpy(twin->args, s->args, s->op->args_size);
    for (int i = 0; i < s->nmade; i++) {
        const wn_tensor *t = s->made[i];
        wn_dtype d = wn_dtype_of(t);
        if (widen && (s->roles[i] == DATA || s->roles[i] == FIXED)) d = d <= WN_BF16 ? WN_F64 : WN_I64;
        wn_tensor *copy = wn__tensor_new(d, wn_ndim(t), t->shape, NULL);
        if (!copy) return false;
        for (int64_t k = 0; k < wn_numel(t); k++) put(copy, k, get_f(t, k), get_i(t, k));
        twin->made[twin->nmade++] = copy;
    }
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        void *p = twin->args + f->offset;
        if (f->kind == WN_K_TENSOR && *(wn_tensor **)p) *(wn_tensor **)p = twin_of(twin, s, *(wn_tensor **)p);
        if ((f->kind == WN_K_VALUE || f->kind == WN_K_SCALAR) && ((wn_val *)p)->kind == WN_VAL_TENSOR) ((wn_val *)p)->u.t = twin_of(twin, s, ((wn_val *)p)->u.t);
        if (f->kind == WN_K_TENSORS && ((wn_list *)p)->n) ((wn_list *)p)->v = twin->lists + (((wn_list *)p)->v - s->lists);
        if (widen && f->kind == WN_K_DTYPE && *(wn_dtype *)p == s->spec.dtype && s->op->flags & WN__F_CREATES) *(wn_dtype *)p = *(wn_dtype *)p <= WN_BF16 ? WN_F64 : WN_I64;
    }
    for (int i = 0; i < s->nlists; i++) twin->lists[i] = twin_of(twin, s, s->lists[i]);
    return true;
}

int mutated_arguments(const sample *s, wn_tensor **out) {
    int n = 0;
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        const void *p = s->args + f->offset;
        if (!f->mutated) continue;
        if (f->kind == WN_K_TENSOR && *(wn_tensor *const *)p) out[n++] = *(wn_tensor *const *)p;
        if (f->kind == WN_K_TENSORS)
            for (int64_t k = 0; k < ((const wn_list *)p)->n; k++) out[n++] = ((const wn_list *)p)->v[k];
    }
    return n;
}

/* ------------------------------------------------------------------ running */

/* Whatever a row is asked, what it makes or changes lies in its memory. */
static void check_sound(const sample *s, const result *r) {
    char why[200];
    for (int64_t i = 0; i < r->outs.n; i++)
        if (!sound(r->outs.v[i], why, sizeof why)) check(C_SOUND, false, s, "result %lld: %s", (long long)i, why);
        else passed[C_SOUND]++;
    for (int i = 0; i < s->nmade; i++)
        if (!sound(s->made[i], why, sizeof why)) check(C_SOUND, false, s, "argument %d: %s", i, why);
        else passed[C_SOUND]++;
}

static result run(const sample *s, bool inplace) {
    result r = {.status = WN_OK};
    wn_clear();
    if (s->op->flags & WN__F_RANDOM) wn_manual_seed(s->spec.seed);
    r.status = inplace ? wn_call_inplace(s->op, s->args, &r.outs) : wn_call(s->op, s->args, &r.outs);
    check_sound(s, &r);
    for (int64_t i = 0; i < r.outs.n && !r.status; i++) /* computed here and now, with these threads */
        if (wn_numel(r.outs.v[i]) && !wn_data(r.outs.v[i])) r.status = wn_error();
    if (r.status && r.outs.n) { /* a pending result that could not be computed is no result */
        wn_outs_drop(&r.outs);
        r.outs.n = 0;
        r.outs.v = r.outs.few;
    }
    if (r.outs.v == r.outs.few) r.outs.v = NULL; /* the struct is copied: few moves */
    snprintf(r.message, sizeof r.message, "%s", wn_error_message());
    return r;
}
result run_row(const sample *s) { return run(s, false); }
result run_row_inplace(const sample *s) { return run(s, true); }
void result_free(result *r) {
    if (!r->outs.v) r->outs.v = r->outs.few;
    wn_outs_drop(&r->outs);
}
