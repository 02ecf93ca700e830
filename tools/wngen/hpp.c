/* The operation section of winnow.hpp: for each row an options struct and inline functions that fill the args struct of
 * winnow.h and enter the same function as C's macros do. */
#include <string.h>
#include "wngen.h"

/* Option fields have initialisers, so that {.where = m} leaves nothing out that a compiler could warn about. */
static const char *const option_types[] = {"",        "wn_tensor *", "wn::list ", "wn::val ",  "wn::val ",      "wn::dims ",    "int64_t ",
                                           "double ", "bool ",       "bool ",     "wn_dtype ", "const char *", "wn_generator *", "wn_device "};
/* Classes by reference, the rest by value. */
static const char *const parameter_types[] = {"",        "wn_tensor *", "const list &", "const val &", "const val &",  "const dims &",  "int64_t ",
                                              "double ", "bool ",       "bool ",        "wn_dtype ",   "const char *", "wn_generator *", "wn_device "};

/* A name that C++ reserves cannot be a function of wn:: or an args field (winnow.h would not compile there either). */
static void check_name(const op *o, const char *name) {
    static const char words[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval "
        "constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast "
        "else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not "
        "not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed "
        "sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
        "typename union unsigned using virtual void volatile wchar_t while xor xor_eq ";
    char key[70];
    snprintf(key, sizeof key, " %s ", name);
    if (strstr(words, key)) fatal(o, "'%s' is a word of C++: choose another name (cname for a row)", name);
}

static bool has_options(const op *o) { return o->np > o->required || o->has_out; }

static void options(FILE *f, const op *o) {
    if (!has_options(o)) return;
    fprintf(f, "struct %s_opts {\n", o->cname);
    for (int i = o->required; i < o->np; i++)
        fprintf(f, "    %s%s = %s;\n", option_types[o->p[i].kind], o->p[i].cname, strcmp(o->p[i].fallback, "True") ? "{}" : "true");
    if (o->has_out) fprintf(f, "    wn_tensor *out = {};\n");
    fprintf(f, "};\n");
}

/* The initialiser of one args field: from a parameter or from the options. */
static void field(FILE *f, const param *p, const char *from, bool plain_tensor) {
    const char *before = plain_tensor ? "wn_val_of_tensor(" : "", *after = plain_tensor ? ")" : "";
    if (p->kind == WN_K_SWITCH) after = " ? WN_ON : WN_OFF";
    fprintf(f, ", %s%s%s%s", before, from, p->cname, after);
}

/* The local names end in '_', as no parameter's does. */
static void function(FILE *f, const op *o, const char *suffix, const char *fn, bool inplace) {
    const char *type = o->nresults == -1 ? "list " : o->nresults == 0 ? "wn_status " : "wn_tensor *";
    fprintf(f, "inline ");
    if (o->nresults > 1) fprintf(f, "wn_%s_out ", o->cname);
    else fputs(type, f);
    fprintf(f, "%s%s(", o->cname, suffix);
    /* What an in-place form writes is a tensor, even where the row takes a number there too. */
    int target = inplace && o->ntensors && o->p[o->tensors[0]].kind == WN_K_VALUE ? o->tensors[0] : -1;
    for (int i = 0; i < o->required; i++)
        fprintf(f, "%s%s%s", i ? ", " : "", parameter_types[i == target ? WN_K_TENSOR : o->p[i].kind], o->p[i].cname);
    if (has_options(o)) fprintf(f, "%sconst %s_opts &o_ = {}", o->required ? ", " : "", o->cname);
    fprintf(f, ") {\n    const wn_%s_args a_ = {sizeof(wn_%s_args)", o->cname, o->cname);
    for (int i = 0; i < o->np; i++) field(f, &o->p[i], i < o->required ? "" : "o_.", i == target);
    fprintf(f, "%s};\n    return %s(&a_);\n}\n", o->has_out ? ", o_.out" : "", fn);
}

/* A list that C's macro takes as loose arguments: wn::einsum("ij,jk->ik", a, b) beside wn::einsum("ij,jk->ik", {a, b}). */
static void loose(FILE *f, const op *o) {
    fprintf(f, "template <class... T> wn_tensor *%s(", o->cname);
    for (int i = 0; i < o->required - 1; i++) fprintf(f, "%s%s, ", parameter_types[o->p[i].kind], o->p[i].cname);
    fprintf(f, "wn_tensor *first_, T *...rest_) {\n    return %s(", o->cname);
    for (int i = 0; i < o->required - 1; i++) fprintf(f, "%s, ", o->p[i].cname);
    fprintf(f, "list{first_, rest_...});\n}\n");
}

void emit_hpp_section(FILE *f) {
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        char fn[160];
        check_name(o, o->cname);
        for (int k = 0; k < o->np; k++) check_name(o, o->p[k].cname);
        fprintf(f, "/* %s */\n", o->row->sig);
        options(f, o);
        if (!(o->row->flags & WN__F_INPLACE_ONLY)) {
            snprintf(fn, sizeof fn, "wn_%s_x", o->cname);
            function(f, o, "", fn, false);
            if (o->variadic && o->nresults == 1) loose(f, o);
        }
        if (o->has_inplace) {
            snprintf(fn, sizeof fn, "wn_%s_inplace_x", o->cname);
            function(f, o, "_", fn, true);
        }
        fputc('\n', f);
    }
}
