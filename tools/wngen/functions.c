/* Functions of rows that take arguments: .infer = "wn__infer_running(self, dim)" names a C function whose parameters,
 * after the call, are what stands between the parentheses. The function that the table has reads them from the args
 * struct, with the signature's defaults, and is written here. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

enum { MAX_FUNCTIONS = 1000, MAX_SLOTS = 16 };

/* A C function that rows name with arguments, and its parameters' types, which all of those rows agree on. */
typedef struct function {
    char name[96], type[MAX_SLOTS][24];
    int nslots;
} function;
static function functions[MAX_FUNCTIONS];
static int nfunctions;

bool takes_arguments(const char *text) { return text && strchr(text, '('); }

/* The words between the parentheses of text, how many there are. */
static int slots(const op *o, const char *text, char word[MAX_SLOTS][40]) {
    int n = 0;
    for (const char *s = strchr(text, '(') + 1; *s && *s != ')';) {
        const size_t length = strcspn(s, ",)");
        if (n == MAX_SLOTS || length >= sizeof word[0]) fatal(o, "'%s': too many or too long arguments", text);
        snprintf(word[n++], sizeof word[0], "%.*s", (int)length, s);
        s += length;
        while (*s == ',' || *s == ' ') s++;
    }
    return n;
}

static bool is_type(const param *p, const char *name) { return !strncmp(p->type, name, strlen(name)); }
static bool has_number(const param *p) { return p->fallback[0] && p->fallback[0] != 'N'; }

/* The C type in which the function gets an argument. */
static const char *type_of(const param *p) {
    static const char *const types[] = {"",        "wn_tensor *", "wn_list",      "wn_val",         "wn_val",
                                        "const wn_dims *", "int64_t", "double",   "bool",           "bool",
                                        "wn_dtype", "const char *", "wn_generator *", "wn_device"};
    if (p->kind == WN_K_SCALAR && !p->optional && is_type(p, "int")) return "int64_t";
    if (p->kind == WN_K_SCALAR && !p->optional && is_type(p, "float")) return "double";
    return types[p->kind];
}

/* The argument itself, its default where it is not given. */
static void value(FILE *f, const param *p) {
    const bool known = p->kind == WN_K_SCALAR && !p->optional;
    const char *name = p->cname, *number = has_number(p) ? p->fallback : "0";
    if (known && is_type(p, "int")) fprintf(f, "wn__i64_or(a->%s, %s)", name, number);
    else if (known && is_type(p, "float")) fprintf(f, "wn__f64_or(a->%s, %s)", name, number);
    else if (known && has_number(p))
        fprintf(f, "wn__val_or(a->%s, wn_val_of_%s(%s))", name, strpbrk(number, ".e") ? "float" : "int", number);
    else if (p->kind == WN_K_SWITCH) fprintf(f, "wn_is_on(a->%s, %s)", name, p->fallback[0] == 'T' ? "true" : "false");
    else if (p->kind == WN_K_STRING && strpbrk(p->fallback, "'\""))
        fprintf(f, "a->%s ? a->%s : \"%.*s\"", name, name, (int)strcspn(p->fallback + 1, "'\""), p->fallback + 1);
    else fprintf(f, "%sa->%s", p->kind == WN_K_DIMS ? "&" : "", name);
}

/* Of what is no argument: a number, true, false, none, an enumerator, or a list, [] or [dim]. */
static const char *type_of_constant(const char *word) {
    if (*word == '[') return "const wn_dims *";
    if (!strcmp(word, "true") || !strcmp(word, "false")) return "bool";
    return !strcmp(word, "none") ? "wn_tensor *" : isalpha((unsigned char)*word) ? "int" : "int64_t";
}

static function *function_of(const op *o, const char *text, bool make) {
    const size_t n = strcspn(text, "(");
    for (int i = 0; i < nfunctions; i++)
        if (strlen(functions[i].name) == n && !strncmp(functions[i].name, text, n)) return &functions[i];
    if (!make) fatal(o, "'%s': no function of a row", text);
    if (nfunctions == MAX_FUNCTIONS) fatal(o, "too many functions with arguments");
    snprintf(functions[nfunctions].name, sizeof functions->name, "%.*s", (int)n, text);
    return &functions[nfunctions++];
}

/* What one row says of its function's parameters: arguments say the type first, then constants where no row has one. */
static void learn(const op *o, const char *text, bool arguments) {
    char word[MAX_SLOTS][40];
    if (!takes_arguments(text)) return;
    function *f = function_of(o, text, true);
    const int n = slots(o, text, word);
    if (f->nslots && f->nslots != n) fatal(o, "'%s': another row gives it %d arguments", text, f->nslots);
    f->nslots = n;
    for (int i = 0; i < n; i++) {
        const int p = find_param(o, word[i]);
        const char *type = p >= 0 ? type_of(&o->p[p]) : type_of_constant(word[i]);
        const bool unknown = p < 0 && !strcmp(type, "int") && strncmp(word[i], "WN_", 3);
        if (unknown) fatal(o, "'%s': '%s' is no argument", text, word[i]);
        if ((p >= 0) != arguments) continue;
        if (arguments && *f->type[i] && strcmp(f->type[i], type))
            fatal(o, "'%s': another row gives a %s as '%s'", text, f->type[i], word[i]);
        if (!*f->type[i]) strcpy(f->type[i], type);
    }
}

void learn_functions(void) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < nops; i++) {
            const wn__row *r = ops[i].row;
            const char *const texts[] = {r->infer, r->run, r->fn, r->vjp};
            for (int k = 0; k < 4; k++) learn(&ops[i], texts[k], !pass);
        }
}

/* "wn_status wn__infer_running(struct wn__call *c, wn_tensor *, int64_t);", and that of one that reads the struct. */
void emit_prototype(FILE *f, const op *o, const char *text, bool gradient) {
    const char *type = gradient ? "void" : "wn_status", *c = gradient ? "gradctx" : "call";
    fprintf(f, "%s %.*s(struct wn__%s *c", type, (int)strcspn(text, "("), text, c);
    const function *of = takes_arguments(text) ? function_of(o, text, false) : NULL;
    for (int i = 0; of && i < of->nslots; i++) fprintf(f, ", %s", of->type[i]);
    fprintf(f, ");\n");
}

/* [dim]: a list of that one dimension, empty where an optional one is not given. */
static void list_of(FILE *f, const op *o, const char *word) {
    char name[40];
    const bool one = sscanf(word, "[%39[^]]", name) == 1;
    const int p = one ? find_param(o, name) : -1;
    if (one && p < 0) fatal(o, "'%s' is no argument", name);
    const char *arg = one ? o->p[p].cname : "";
    if (one && o->p[p].optional)
        fprintf(f, "a->%s.kind == WN_VAL_NONE ? &(wn_dims){.n = 0} : &WN_DIMS(wn__val_i64(a->%s))", arg, arg);
    else if (one) fprintf(f, "&WN_DIMS("), value(f, &o->p[p]), fprintf(f, ")");
    else fprintf(f, "&(wn_dims){.n = 0}");
}

/* What the table has: the function itself where it takes no arguments. */
void function_name(char *buf, size_t cap, const op *o, const char *what, const char *text) {
    if (takes_arguments(text)) snprintf(buf, cap, "wn__%s_of_row_%s", what, o->cname);
    else snprintf(buf, cap, "%s", text);
}

/* The call of a function that takes arguments, or of one that reads them. */
void emit_function_call(FILE *f, const op *o, const char *text) {
    char word[MAX_SLOTS][40];
    const int n = takes_arguments(text) ? slots(o, text, word) : 0;
    const function *of = n ? function_of(o, text, false) : NULL;
    fprintf(f, "%.*s(c", (int)strcspn(text, "("), text);
    for (int i = 0; i < n; i++) {
        const int p = find_param(o, word[i]);
        fprintf(f, ", ");
        if (p >= 0) value(f, &o->p[p]);
        else if (*word[i] == '[') list_of(f, o, word[i]);
        else fputs(strcmp(word[i], "none") ? word[i] : strcmp(of->type[i], "wn_val") ? "NULL" : "wn_val_none()", f);
    }
    fprintf(f, ")");
}

/* A composite's function runs in a scope of its own, so that what it makes on the way ends with it. */
static void adapter(FILE *f, const op *o, const char *what, const char *text) {
    if (!takes_arguments(text)) return;
    char name[160];
    const bool gradient = !strcmp(what, "vjp");
    function_name(name, sizeof name, o, what, text);
    emit_prototype(f, o, text, gradient);
    emit_prototype(f, o, name, gradient);
    fprintf(f, gradient ? "void %s(wn__gradctx *c) {\n" : "wn_status %s(wn__call *c) {\n", name);
    fprintf(f, "    const wn_%s_args *a = c->args;\n    (void)a;\n    ", args_owner(o)->cname);
    if (o->row->cls == WN__COMPOSITE) fprintf(f, "WN_SCOPE(s);\n    ");
    fprintf(f, gradient ? "" : "return ");
    emit_function_call(f, o, text);
    fprintf(f, ";\n}\n");
}

void emit_adapters(FILE *f, const op *o) {
    adapter(f, o, "infer", o->row->infer);
    adapter(f, o, "run", o->row->run);
    adapter(f, o, "vjp", o->row->vjp);
    if (!o->row->formula) adapter(f, o, "fn", o->row->fn);
}
