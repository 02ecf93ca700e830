/* Signatures in torch's notation. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

static wn__row rows[] = { /* not constant: they take their families' defaults */
#include "ops/rows.def"
};
op ops[sizeof rows / sizeof rows[0]];
int nops;

void fatal(const op *o, const char *fmt, ...) {
    fprintf(stderr, "wngen: %s: ", o ? o->row->sig : "error");
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(1);
}

int find_op(const char *cname) {
    for (int i = 0; i < nops; i++)
        if (!strcmp(ops[i].cname, cname)) return i;
    return -1;
}
int find_param(const op *o, const char *name) {
    for (int i = 0; i < o->np; i++)
        if (!strcmp(o->p[i].name, name) || !strcmp(o->p[i].cname, name)) return i;
    return -1;
}
int tensor_index(const op *o, int parameter) {
    for (int i = 0; i < o->ntensors; i++)
        if (o->tensors[i] == parameter) return i;
    return -1;
}

static void copy(const op *o, char *dst, size_t cap, const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    if ((size_t)(to - from) >= cap) fatal(o, "name too long near '%.20s'", from);
    memcpy(dst, from, (size_t)(to - from));
    dst[to - from] = 0;
}

/* The end of one comma-separated item: a ',' or ')' outside brackets. */
static const char *item_end(const char *s) {
    int depth = 0;
    for (; *s; s++) {
        if (*s == '(' || *s == '[') depth++;
        if (*s == ']') depth--;
        if (*s == ')' && depth-- == 0) return s;
        if (*s == ',' && depth == 0) return s;
    }
    return s;
}

static wn_kind kind_of(const op *o, const param *p) {
    char base[40];
    strcpy(base, p->type);
    size_t n = strlen(base);
    bool optional = n && base[n - 1] == '?';
    if (optional) base[--n] = 0;
    bool list = n && base[n - 1] == ']';
    if (list) {
        *strchr(base, '[') = 0;
        n = strlen(base);
        if (n && base[n - 1] == '?') base[n - 1] = 0; /* "Tensor?[]": a list whose elements may be absent */
    }
    char *alias = strchr(base, '(');
    if (alias) *alias = 0;
    if (!strcmp(base, "Tensor")) return list ? WN_K_TENSORS : WN_K_TENSOR;
    if (!strcmp(base, "Scalar")) return WN_K_SCALAR;
    if (!strcmp(base, "int") || !strcmp(base, "SymInt")) {
        if (list) return WN_K_DIMS;
        return optional || (p->has_default && strcmp(p->fallback, "0")) ? WN_K_SCALAR : WN_K_INT;
    }
    if (!strcmp(base, "float"))
        return optional || (p->has_default && strtod(p->fallback, NULL) != 0) ? WN_K_SCALAR : WN_K_FLOAT;
    if (!strcmp(base, "bool")) {
        if (optional) return WN_K_SCALAR;
        return p->has_default && !strcmp(p->fallback, "True") ? WN_K_SWITCH : WN_K_BOOL;
    }
    if (!strcmp(base, "str")) return WN_K_STRING;
    if (!strcmp(base, "ScalarType")) return WN_K_DTYPE;
    if (!strcmp(base, "Generator")) return WN_K_GENERATOR;
    if (!strcmp(base, "Device")) return WN_K_DEVICE;
    fatal(o, "unknown type '%s'", p->type);
}

static void parse_param(op *o, const char *s, const char *end, bool keyword_only) {
    if (o->np == MAX_PARAMS) fatal(o, "too many parameters");
    param *p = &o->p[o->np++];
    p->keyword_only = keyword_only;
    const char *eq = memchr(s, '=', (size_t)(end - s)), *name_end = eq ? eq : end;
    if (eq) {
        p->has_default = true;
        copy(o, p->fallback, sizeof p->fallback, eq + 1, end);
    }
    while (name_end > s && isspace((unsigned char)name_end[-1])) name_end--;
    const char *name = name_end;
    while (name > s && !isspace((unsigned char)name[-1])) name--;
    copy(o, p->name, sizeof p->name, name, name_end);
    copy(o, p->type, sizeof p->type, s, name);
    p->mutated = strchr(p->type, '!') != NULL;
    p->optional = p->type[strlen(p->type) - 1] == '?';
    p->kind = kind_of(o, p);
    strcpy(p->cname, p->name);
    if (p->kind == WN_K_DIMS && !strcmp(p->name, "dim")) strcpy(p->cname, "dims");
}

static void parse_results(op *o, const char *s) {
    while (isspace((unsigned char)*s)) s++;
    if (*s != '(') {
        o->nresults = strstr(s, "[]") ? -1 : 1;
        strcpy(o->results[0], "result");
        return;
    }
    for (s++; *s && *s != ')';) {
        const char *end = item_end(s), *name = end;
        if (end == s) break;
        while (name > s && name[-1] != ' ') name--;
        if (o->nresults == WN_MAX_RESULTS) fatal(o, "too many results");
        copy(o, o->results[o->nresults++], sizeof o->results[0], name, end);
        s = *end == ',' ? end + 1 : end;
    }
}

static void parse_signature(op *o) {
    const char *s = o->row->sig, *paren = strchr(s, '('), *arrow = strstr(s, "->");
    if (!paren || !arrow) fatal(o, "not a signature");
    const char *dot = memchr(s, '.', (size_t)(paren - s));
    copy(o, o->name, sizeof o->name, s, dot ? dot : paren);
    if (dot) copy(o, o->overload, sizeof o->overload, dot + 1, paren);
    bool keyword_only = false;
    for (s = paren + 1; *s && *s != ')';) {
        while (*s == ' ') s++;
        const char *end = item_end(s);
        if (end > s && *s == '*' && end - s == 1) keyword_only = true;
        else if (end > s) parse_param(o, s, end, keyword_only);
        s = *end == ',' ? end + 1 : end;
    }
    parse_results(o, arrow + 2);
}

/* Operands of a pointwise row: tensors and scalars in order. With several tensors each may also be a number. */
static void pointwise_operands(op *o) {
    int ntensor = 0;
    for (int i = 0; i < o->np; i++) {
        param *p = &o->p[i];
        bool mask = !strcmp(p->name, "condition") || !strcmp(p->name, "mask");
        if (p->kind == WN_K_TENSOR && !mask) ntensor++;
        if (p->kind != WN_K_TENSOR && p->kind != WN_K_SCALAR && p->kind != WN_K_FLOAT && p->kind != WN_K_INT) continue;
        if (p->kind != WN_K_TENSOR && !strcmp(p->name, "out_dtype")) continue;
        if (o->noperands == 6) fatal(o, "too many operands");
        if (mask) o->bool_operands |= 1u << o->noperands;
        if (p->kind != WN_K_TENSOR) o->plain_operands |= 1u << o->noperands;
        o->operands[o->noperands++] = i;
    }
    if (ntensor > 1)
        for (int i = 0; i < o->np; i++)
            if (o->p[i].kind == WN_K_TENSOR && strcmp(o->p[i].name, "condition") && strcmp(o->p[i].name, "mask"))
                o->p[i].kind = WN_K_VALUE;
    if (o->row->unit) {
        const char *colon = strchr(o->row->unit, ':');
        char name[40];
        copy(o, name, sizeof name, o->row->unit, colon);
        o->unit = find_param(o, name);
        copy(o, o->unit_expr, sizeof o->unit_expr, colon + 1, colon + strlen(colon));
    }
}

/* Arguments named in .numbers may be numbers: with other classes than POINTWISE that makes them values. */
static void mark_numbers(op *o) {
    for (const char *s = o->row->numbers ? o->row->numbers : ""; *s;) {
        size_t n = strcspn(s, " ");
        char name[40];
        copy(o, name, sizeof name, s, s + n);
        int i = find_param(o, name);
        if (i < 0 || (o->p[i].kind != WN_K_TENSOR && o->p[i].kind != WN_K_VALUE)) fatal(o, "'%s' is no tensor argument", name);
        o->p[i].number = true;
        o->p[i].kind = WN_K_VALUE;
        s += n + (s[n] == ' ');
    }
}

/* Where torch has the row. Unless the row says it: torch.f, and a method where the first argument is `Tensor self`; names that
 * begin with _ or end in _backward, _forward or _grad are ours. */
static unsigned places_of(const op *o) {
    static const struct {
        const char *word;
        unsigned place;
    } words[] = {{"torch", WN_IN_TORCH}, {"Tensor", WN_IN_TENSOR}, {"nn", WN_IN_NN}, {"linalg", WN_IN_LINALG}, {"special", WN_IN_SPECIAL}, {"-", 0}};
    static const char *const inner[] = {"_backward", "_forward", "_grad"};
    unsigned places = 0;
    if (!o->row->python) {
        size_t n = strlen(o->name);
        for (int i = 0; i < 3; i++) {
            size_t k = strlen(inner[i]);
            if (n > k && !strcmp(o->name + n - k, inner[i])) return 0;
        }
        if (o->name[0] == '_') return 0;
        return WN_IN_TORCH | (o->np && !strcmp(o->p[0].name, "self") && !strncmp(o->p[0].type, "Tensor", 6) ? WN_IN_TENSOR : 0u);
    }
    for (const char *s = o->row->python; *s;) {
        size_t n = strcspn(s, " ");
        int k = 0;
        while (k < 6 && (strlen(words[k].word) != n || strncmp(words[k].word, s, n))) k++;
        if (k == 6) fatal(o, "unknown place '%.*s'", (int)n, s);
        places |= words[k].place;
        s += n + (s[n] == ' ');
    }
    return places;
}

static bool is_truth(const param *p) { return !strncmp(p->type, "bool", 4); }
static bool is_number(const param *p) { return (p->kind == WN_K_SCALAR && !is_truth(p)) || p->kind == WN_K_INT || p->kind == WN_K_FLOAT; }

/* Is an option of this name of this kind in some row? */
static bool somewhere(const char *cname, wn_kind kind, bool truth) {
    for (int i = 0; i < nops; i++)
        for (int k = ops[i].required; k < ops[i].np; k++)
            if (!strcmp(ops[i].p[k].cname, cname) && ops[i].p[k].kind == kind && is_truth(&ops[i].p[k]) == truth) return true;
    return false;
}

/* An option has one C type in all rows, for who writes .dim = ... should not have to know their defaults: where 0 (false) is not the default
 * of one of them, none has the plain type, in which 0 is what is left out. */
static void one_type_for_each_name(void) {
    for (int i = 0; i < nops; i++)
        for (int k = ops[i].required; k < ops[i].np; k++) {
            param *p = &ops[i].p[k];
            if (is_number(p) && somewhere(p->cname, WN_K_SCALAR, false)) p->kind = WN_K_SCALAR;
            if (p->kind == WN_K_BOOL && somewhere(p->cname, WN_K_SWITCH, true)) p->kind = WN_K_SWITCH;
            if ((p->kind == WN_K_INT && somewhere(p->cname, WN_K_FLOAT, false)) || (is_truth(p) && p->kind != WN_K_SCALAR && somewhere(p->cname, WN_K_SCALAR, true)))
                fatal(&ops[i], "option '%s' has another type in another row", p->cname);
        }
}

void parse_rows(void) {
    static const wn__row none = {.family = ""};
    static const char device[] = "Device? device=None"; /* what rows that create take without saying so */
    const wn__row *heading = &none;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].family) {
            heading = &rows[i];
            continue;
        }
        op *o = &ops[nops];
        o->row = &rows[i];
        o->family = heading->family;
        o->id = nops++;
        o->unit = -1;
        parse_signature(o);
        if (o->row->flags & (WN__F_CREATES | WN__F_LIKE)) parse_param(o, device, device + sizeof device - 1, true);
        if (o->row->cls == WN__POINTWISE) pointwise_operands(o);
        mark_numbers(o);
        for (int k = 0; k < o->np; k++) {
            wn_kind kind = o->p[k].kind;
            if (kind != WN_K_TENSOR && kind != WN_K_TENSORS && kind != WN_K_VALUE) continue;
            if (o->ntensors == MAX_TENSORS) fatal(o, "too many tensors");
            o->tensors[o->ntensors++] = k;
        }
        while (o->required < o->np && !o->p[o->required].has_default && !o->p[o->required].keyword_only) o->required++;
        if (o->row->cargs) o->required = o->row->cargs > 0 ? o->row->cargs : o->required;
        o->variadic = o->row->cargs < 0;
        strcpy(o->cname, o->row->cname ? o->row->cname : o->name);
        bool only_inplace = o->row->flags & WN__F_INPLACE_ONLY;
        size_t n = strlen(o->cname);
        if (only_inplace && o->cname[n - 1] == '_') o->cname[n - 1] = 0;
        o->has_inplace = only_inplace || (o->row->flags & WN__F_INPLACE);
        o->places = places_of(o);
        o->has_out = o->nresults == 1 && !only_inplace && o->row->cls != WN__VIEW && !(o->row->flags & WN__F_NO_OUT);
        decide(o, &rows[i], heading);
    }
    one_type_for_each_name();
    for (int i = 0; i < nops; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(ops[i].cname, ops[k].cname)) fatal(&ops[i], "C name %s is taken: give the row a cname", ops[i].cname);
    check_shared();
    learn_functions();
}
