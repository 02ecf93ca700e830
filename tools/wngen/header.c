/* The operation section of winnow.h and the functions behind it. */
#include <string.h>
#include "wngen.h"

static const char *const c_types[] = {"",        "wn_tensor *", "wn_list ",   "wn_val ",   "wn_val ",       "wn_dims ",     "int64_t ",
                                      "double ", "bool ",       "wn_switch ", "wn_dtype ", "const char *", "wn_generator *", "wn_device "};

static bool is_val(const param *p) { return p->kind == WN_K_VALUE || p->kind == WN_K_SCALAR; }

/* Wraps the comment text at 116 columns. */
static void comment(FILE *f, const char *sig, const char *doc) {
    fprintf(f, "/* %s\n *", sig);
    int column = 2;
    for (const char *s = doc ? doc : ""; *s; s += *s != 0) {
        const size_t n = strcspn(s, " ");
        if (column + 1 + (int)n > 115) {
            fprintf(f, "\n *");
            column = 2;
        }
        fprintf(f, " %.*s", (int)n, s);
        column += 1 + (int)n;
        s += n;
    }
    fprintf(f, " */\n");
}

/* The initialisers of the positional arguments. C's rule that a positional initialiser takes the next field carries options without
 * a name; only wn_val fields need WN_VAL around them. */
static void positional(FILE *f, const op *o, int n) {
    for (int i = 0; i < n; i++) fprintf(f, is_val(&o->p[i]) ? ", .%s = WN_VAL(a%d)" : ", .%s = a%d", o->p[i].cname, i);
}

/* #define wn_x(...) fn(&(wn_x_args){.size_ = ..., .self = __VA_ARGS__}), for at most one positional argument, or a last one that is a list given
 * as loose arguments. */
static void short_macro(FILE *f, const op *o, const char *suffix, const char *fn) {
    fprintf(f, "#define wn_%s%s(", o->cname, suffix);
    for (int i = 0; i < o->required - 1; i++) fprintf(f, "a%d, ", i);
    fprintf(f, "...) \\\n    %s(&(wn_%s_args){.size_ = sizeof(wn_%s_args)", fn, o->cname, o->cname);
    positional(f, o, o->required - 1);
    if (o->variadic) fprintf(f, ", .%s = WN_LIST(__VA_ARGS__)", o->p[o->required - 1].cname);
    else if (o->required) fprintf(f, ", .%s = __VA_ARGS__", o->p[0].cname);
    else fprintf(f, ", __VA_ARGS__");
    fprintf(f, "})\n");
}

static bool is_short(const op *o) { return o->variadic || !o->required || (o->required == 1 && !is_val(&o->p[0])); }

/* #define WN_ARGS_x_(text, a0, a1, ...) &(wn_x_args){.size_ = ..., .f0 = a0, .f1 = WN_VAL(a1), __VA_ARGS__}: for the macros below, which give
 * it one more, empty, argument than they have. */
static void args_macro(FILE *f, const op *o) {
    fprintf(f, "#define WN_ARGS_%s_(text", o->cname);
    for (int i = 0; i < o->required; i++) fprintf(f, ", a%d", i);
    fprintf(f, ", ...) \\\n    &(wn_%s_args){.size_ = sizeof(wn_%s_args)", o->cname, o->cname);
    positional(f, o, o->required);
    fprintf(f, ", __VA_ARGS__}\n");
}

/* #define wn_x(...) fn(WN_2_(WN_FEW_, WN_ARGS_x_, __VA_ARGS__)("too few ...", __VA_ARGS__, )): with too few arguments one error that names the function. */
static void counted_macro(FILE *f, const op *o, const char *suffix, const char *fn) {
    fprintf(f, "#define wn_%s%s(...) \\\n    %s(WN_%d_(WN_FEW_, WN_ARGS_%s_, __VA_ARGS__)(\"too few arguments: wn_%s%s(", o->cname, suffix, fn, o->required,
            o->cname, o->cname, suffix);
    for (int i = 0; i < o->required; i++) fprintf(f, "%s%s", i ? ", " : "", o->p[i].cname);
    fprintf(f, ", ...)\", __VA_ARGS__, ))\n");
}

/* The same of a row that has a twin with fewer arguments: what has too few is the twin's. */
static void twin_macro(FILE *f, const op *o, const char *fn) {
    const int twin = find_op(o->row->fewer);
    if (twin < 0 || ops[twin].required >= o->required || is_short(o)) fatal(o, ".fewer: '%s' is no row with fewer arguments", o->row->fewer);
    fprintf(f, "#define WN_ALL_%s_(...) \\\n    %s(WN_ARGS_%s_(\"\", __VA_ARGS__, ))\n", o->cname, fn, o->cname);
    fprintf(f, "#define wn_%s(...) \\\n    WN_%d_(wn_%s, WN_ALL_%s_, __VA_ARGS__)(__VA_ARGS__)\n", o->cname, o->required, o->row->fewer, o->cname);
}

static void macro(FILE *f, const op *o, const char *suffix, const char *fn) {
    if (o->row->fewer && !*suffix) twin_macro(f, o, fn);
    else if (is_short(o)) short_macro(f, o, suffix, fn);
    else counted_macro(f, o, suffix, fn);
}

static void result_type(const op *o, char *buf) {
    if (o->nresults == -1) strcpy(buf, "wn_list ");
    else if (o->nresults == 0) strcpy(buf, "wn_status ");
    else if (o->nresults == 1) strcpy(buf, "wn_tensor *");
    else sprintf(buf, "wn_%s_out ", o->cname);
}

static void args_struct(FILE *f, const op *o) {
    if (o->row->args_of) {
        fprintf(f, "typedef wn_%s_args wn_%s_args;\n", o->row->args_of, o->cname);
        return;
    }
    fprintf(f, "typedef struct wn_%s_args {\n    size_t size_;\n", o->cname);
    for (int i = 0; i < o->np; i++) fprintf(f, "    %s%s;\n", c_types[o->p[i].kind], o->p[i].cname);
    if (o->has_out) fprintf(f, "    wn_tensor *out;\n");
    fprintf(f, "} wn_%s_args;\n", o->cname);
}

void emit_declarations(FILE *f, const op *o) {
    args_struct(f, o);
    if (o->nresults > 1) {
        fprintf(f, "typedef struct wn_%s_out {\n    wn_tensor ", o->cname);
        for (int i = 0; i < o->nresults; i++) fprintf(f, "%s*%s", i ? ", " : "", o->results[i]);
        fprintf(f, ";\n} wn_%s_out;\n", o->cname);
    }
    char type[80], fn[160];
    result_type(o, type);
    bool only_inplace = o->row->flags & WN__F_INPLACE_ONLY;
    if (!only_inplace) fprintf(f, "WN_API %swn_%s_x(const wn_%s_args *args);\n", type, o->cname, o->cname);
    if (o->has_inplace)
        fprintf(f, "WN_API %swn_%s_inplace_x(const wn_%s_args *args);\n", type, o->cname, o->cname);
    fprintf(f, "#ifndef __cplusplus\n");
    if (!is_short(o)) args_macro(f, o);
    if (!only_inplace) {
        snprintf(fn, sizeof fn, "wn_%s_x", o->cname);
        macro(f, o, "", fn);
    }
    if (o->has_inplace) {
        snprintf(fn, sizeof fn, "wn_%s_inplace_x", o->cname);
        macro(f, o, "_", fn);
    }
    fprintf(f, "#endif\n");
}

void emit_header_section(FILE *f) {
    for (int i = 0; i < nops; i++) {
        comment(f, ops[i].row->sig, ops[i].row->doc);
        if (ops[i].row->fewer) fprintf(f, "/* With fewer arguments, and no options, it is wn_%s. */\n", ops[i].row->fewer);
        emit_declarations(f, &ops[i]);
        fprintf(f, "\n");
    }
}

static void entry(FILE *f, const op *o, const char *suffix, const char *inplace) {
    char type[80];
    result_type(o, type);
    fprintf(f, "%swn_%s%s_x(const wn_%s_args *args) {\n", type, o->cname, suffix, o->cname);
    if (o->nresults == 1) {
        fprintf(f, "    return wn__express1(&wn__ops[%d], args, %s);\n", o->id, inplace);
    } else if (o->nresults == -1) {
        fprintf(f, "    return wn__express_list(&wn__ops[%d], args);\n", o->id);
    } else {
        fprintf(f, "    wn__call c;\n    bool ok = wn__express(&wn__ops[%d], args, %s, &c);\n", o->id, inplace);
        if (o->nresults == 0) {
            fprintf(f, "    return ok ? WN_OK : c.status;\n");
        } else {
            fprintf(f, "    wn_%s_out r;\n    (void)ok;\n", o->cname);
            for (int i = 0; i < o->nresults; i++) fprintf(f, "    r.%s = c.out[%d];\n", o->results[i], i);
            fprintf(f, "    return r;\n");
        }
    }
    fprintf(f, "}\n");
}

void emit_express(FILE *f) {
    fprintf(f, "/* The functions behind the macros of winnow.h. Generated by wngen. */\n#include \"call/dispatch.h\"\n\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (!(o->row->flags & WN__F_INPLACE_ONLY)) entry(f, o, "", "false");
        if (o->has_inplace) entry(f, o, "_inplace", "true");
    }
}
