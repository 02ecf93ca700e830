/* The operation table and the kernels' loops. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

static const char *const kinds[] = {"0",         "WN_K_TENSOR", "WN_K_TENSORS", "WN_K_VALUE",  "WN_K_SCALAR", "WN_K_DIMS",     "WN_K_INT",
                                    "WN_K_FLOAT", "WN_K_BOOL",   "WN_K_SWITCH",  "WN_K_DTYPE", "WN_K_STRING", "WN_K_GENERATOR", "WN_K_DEVICE"};

static void quote(FILE *f, const char *s) {
    fputc('"', f);
    for (; s && *s; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', f);
        fputc(*s, f);
    }
    fputc('"', f);
}

/* Do the fields of `of` begin with o's? (Where they do, so do the structs of arguments.) */
static bool begins_with(const op *of, const op *o) {
    if (of == o) return true;
    if (of->np < o->np || of->row->args_of || o->row->args_of) return false;
    for (int i = 0; i < o->np; i++) {
        const param *p = &o->p[i], *q = &of->p[i];
        const bool same = !strcmp(p->cname, q->cname) && !strcmp(p->name, q->name) && !strcmp(p->type, q->type) && !strcmp(p->fallback, q->fallback);
        if (!same || p->kind != q->kind || p->has_default != q->has_default || p->keyword_only != q->keyword_only) return false;
        if (p->mutated != q->mutated || p->number != q->number) return false;
    }
    return true;
}
/* The row whose list of fields serves o: the longest one that begins with o's. */
static const op *fields_of(const op *o) {
    const op *best = o;
    for (int i = 0; i < nops; i++)
        if (begins_with(&ops[i], o) && (ops[i].np > best->np || (ops[i].np == best->np && i < best->id))) best = &ops[i];
    return best;
}

static void fields(FILE *f, const op *o) {
    if (!o->np || fields_of(o) != o) return;
    fprintf(f, "static const wn_field fields_%d[] = {\n", o->id);
    for (int i = 0; i < o->np; i++) {
        const param *p = &o->p[i];
        fprintf(f, "    {\"%s\", \"%s\", ", p->cname, p->name);
        quote(f, p->type);
        fprintf(f, ", ");
        if (p->has_default) quote(f, p->fallback);
        else fprintf(f, "NULL");
        fprintf(f, ", %.17g", !strcmp(p->fallback, "True") ? 1.0 : strtod(p->fallback, NULL));
        fprintf(f, ", %s, offsetof(wn_%s_args, %s), %d, %d, %d},\n", kinds[p->kind], o->cname, p->cname, p->keyword_only, p->mutated, p->number);
    }
    fprintf(f, "};\n");
}

/* Kernel rows are numbered: each pointwise row one, and one more for its unit form. */
int kernel_number(int op_index, bool unit) {
    int n = 0;
    for (int i = 0; i < nops; i++) {
        if (ops[i].row->cls != WN__POINTWISE) continue;
        if (i == op_index && !unit) return n;
        n++;
        if (ops[i].unit >= 0) {
            if (i == op_index) return n;
            n++;
        }
    }
    return -1;
}

/* The short way is for rows whose operands are tensors only, but for a number with a unit form. */
static void small(FILE *f, const op *o) {
    int n = o->noperands - (o->unit >= 0);
    static const unsigned numbers = 1u << WN_F32 | 1u << WN_F64 | 1u << WN_I32 | 1u << WN_I64, floats = 1u << WN_F32 | 1u << WN_F64;
    static const unsigned dtypes[] = {[WN__TY_SAME] = numbers, [WN__TY_COMPARE] = numbers, [WN__TY_NUMBER] = numbers, [WN__TY_COUNTS] = numbers,
                                      [WN__TY_FLOAT] = floats,
                                      [WN__TY_FLOAT_ONLY] = floats, [WN__TY_BITS] = 1u << WN_I32 | 1u << WN_I64, [WN__TY_LOGICAL] = 1u << WN_BOOL};
    unsigned values = 0;
    const bool looks = o->row->fn && o->row->flags & WN__F_MAY_RAISE; /* other checks let operands of one such dtype pass */
    for (int i = 0; i < o->np; i++)
        if (o->p[i].kind == WN_K_STRING) return; /* a node has to copy it (grad/tape.c) */
    if (o->row->autocast != WN__AUTOCAST_KEEP) return; /* which is asked before */
    if (o->bool_operands || looks || n < 1 || n > 4 || n != o->ntensors) return;
    for (int i = 0; i < n; i++) values |= (o->p[o->operands[i]].kind == WN_K_VALUE) << i;
    fprintf(f, "     .small_n = %d, .small_values = %u, .small_dtypes = %u, .small_offset = {", n, values, dtypes[o->row->types]);
    for (int i = 0; i < n; i++) fprintf(f, "%soffsetof(wn_%s_args, %s)", i ? ", " : "", o->cname, o->p[o->operands[i]].cname);
    fprintf(f, "},\n");
    if (o->unit >= 0) fprintf(f, "     .small_unit = offsetof(wn_%s_args, %s),\n", o->cname, o->p[o->unit].cname);
}

/* What an element of a row costs in a block program, in tenths of ns, roughly: what functions of the mathematics files cost the row has to say. */
static int cost_of(const op *o, const char *expr) {
    const bool calls = strstr(expr, "FN(") != NULL;
    int cost = 1;
    for (const char *s = expr; !calls && (s = strchr(s, '/')); s++) cost += 2;
    return calls ? o->row->cost : cost;
}

/* The different texts of .product and .lines: those of the rows are numbers in this list. */
static const char *moves_texts[UINT8_MAX];
static int moves_text(const char *text) {
    int i = 0;
    while (moves_texts[i] && strcmp(moves_texts[i], text)) i++;
    if (i + 1 == UINT8_MAX) fatal(NULL, "too many different .product and .lines");
    moves_texts[i] = text;
    return i;
}

/* .layout: a word and the names of arguments, or of results. */
static void layout(FILE *f, const op *o) {
    static const char *const words[] = {"", "plain", "format", "formats", "kept", "columns", "dense", "lines"};
    const int rules = (int)(sizeof words / sizeof *words);
    const char *s = o->row->layout;
    unsigned arguments = 0, results = 0;
    int kind = 0;
    char word[64];
    for (int used = 0; s && sscanf(s, "%63s%n", word, &used) == 1; s += used) {
        if (!kind) {
            for (kind = 1; kind < rules && strcmp(words[kind], word);) kind++;
            if (kind == rules) fatal(o, ".layout: '%s' is no rule", word);
            continue;
        }
        int p = find_param(o, word), t = p < 0 ? -1 : tensor_index(o, p), result = -1;
        for (int i = 0; i < o->nresults; i++)
            if (!strcmp(o->results[i], word)) result = i;
        if (t < 0 && result < 0) fatal(o, ".layout: '%s' is no tensor argument and no result", word);
        if (t >= 0) arguments |= 1u << t;
        else results |= 1u << result;
    }
    if ((kind == WN__LAYOUT_FORMAT || kind == WN__LAYOUT_KEPT || kind == WN__LAYOUT_DENSE || kind == WN__LAYOUT_LINES) && !arguments) fatal(o, ".layout names no argument");
    if (kind) fprintf(f, "     .layout = %d, .layout_of = %u, .laid_out = %u,\n", kind, arguments, results ? results : 255);
}

/* Numbers and lists of numbers: what dispatch looks at (wn_op.given). */
static void emit_given(FILE *f, const op *o) {
    int n = 0;
    fprintf(f, "     .given = {");
    for (int i = 0; i < o->np; i++)
        if (o->p[i].kind == WN_K_DIMS || o->p[i].kind == WN_K_SCALAR) fprintf(f, "%s%d", n++ ? ", " : "", i);
    if (n > (int)sizeof((wn_op *)NULL)->given) fatal(o, "more numbers and lists than wn_op.given has room for");
    fprintf(f, "%s}, .ngiven = %d,\n", n ? "" : "0", n);
}

static void table_function(FILE *f, const op *o, const char *field, const char *what, const char *text) {
    char name[160];
    function_name(name, sizeof name, o, what, text);
    fprintf(f, "     %s = %s,\n", field, name);
}

static void row(FILE *f, const op *o) {
    const wn__row *r = o->row;
    fprintf(f, "    {.name = \"%s\", .overload = \"%s\", .cname = \"%s\", .family = \"%s\", .id = %d,\n     .signature = ", o->name, o->overload,
            o->cname, o->family, o->id);
    quote(f, r->sig);
    fprintf(f, ",\n     .doc = ");
    quote(f, r->doc);
    fprintf(f, ",\n     .cls = %d, .flags = %u, .nresults = %d, .nfields = %d, .args_size = sizeof(wn_%s_args),\n", (int)r->cls,
            r->flags | (o->has_inplace ? WN__F_INPLACE : 0), o->nresults, o->np, o->cname);
    if (o->places) fprintf(f, "     .places = %u,\n", o->places);
    fprintf(f, "     .autocast = %u, .traits = %u,\n", r->autocast, traits_of(o));
    if (o->np) fprintf(f, "     .fields = fields_%d,\n", fields_of(o)->id);
    if (find_param(o, "device") >= 0) fprintf(f, "     .device_offset = offsetof(wn_%s_args, device),\n", o->cname);
    if (o->has_out) fprintf(f, "     .out_offset = offsetof(wn_%s_args, out),\n", o->cname);
    unsigned required = 0;
    fprintf(f, "     .ntensors = %d, .tensors = {", o->ntensors);
    for (int i = 0; i < o->ntensors; i++) {
        fprintf(f, "%s%d", i ? ", " : "", o->tensors[i]);
        if (!o->p[o->tensors[i]].has_default && !o->p[o->tensors[i]].optional) required |= 1u << i;
    }
    fprintf(f, "%s},\n", o->ntensors ? "" : "0");
    emit_given(f, o);
    bool has_list = false, has_text = false;
    for (int i = 0; i < o->np; i++) has_text |= o->p[i].kind == WN_K_STRING;
    for (int i = 0; i < o->ntensors; i++) has_list |= o->p[o->tensors[i]].kind == WN_K_TENSORS;
    fprintf(f, "     .required = %u, .has_list = %d, .has_text = %d,\n", required, has_list, has_text);
    layout(f, o);
    emit_title_fields(f, o);
    emit_roles(f, o);
    if (r->fact && o->nresults != 1) fatal(o, ".fact speaks of an only result");
    if (r->fact) fprintf(f, "     .fact = %s,\n", r->fact);
    if (r->infer) table_function(f, o, ".infer", "infer", r->infer);
    if (r->formula) fprintf(f, "     .fn = wn__formula_of_%s,\n", o->cname);
    else if (r->fn || r->run) table_function(f, o, ".fn", r->run ? "run" : "fn", r->run ? r->run : r->fn);
    if (r->dims) fprintf(f, "     .dims = %d,\n", r->dims);
    if (r->which) fprintf(f, "     .which = %s,\n", r->which);
    if (r->vjp) table_function(f, o, ".grad", "vjp", r->vjp);
    else if (r->grad) fprintf(f, "     .grad = wn__grad_of_%s,", o->cname);
    fprintf(f, " .diff = %u, .moves = %d, ", o->diff, (int)(r->cls == WN__POINTWISE ? WN__MOVES_STRAIGHT : r->moves));
    if (r->product || r->lines) fprintf(f, ".moves_text = %d, ", moves_text(r->product ? r->product : r->lines));
    fprintf(f, ".save_in = {");
    for (int i = 0; i < o->ntensors || !i; i++) fprintf(f, "%s%u", i ? ", " : "", o->save_in[i]);
    fprintf(f, "}, .save_out = {");
    for (int i = 0; i < o->ntensors || !i; i++) fprintf(f, "%s%u", i ? ", " : "", o->save_out[i]);
    fprintf(f, "},\n");
    if (r->cls == WN__POINTWISE) {
        fprintf(f, "     .types = %d, .noperands = %d, .operands = {", (int)r->types, o->noperands);
        for (int i = 0; i < o->noperands; i++) fprintf(f, "%s%d", i ? ", " : "", o->operands[i]);
        fprintf(f, "}, .cost = %d", cost_of(o, r->expr));
        fprintf(f, ", .bool_operands = %u, .plain_operands = %u, .kernel = %d, .unit_kernel = %d, .unit_field = %d,\n",
                o->bool_operands, o->plain_operands, kernel_number(o->id, false), o->unit >= 0 ? kernel_number(o->id, true) : -1,
                o->unit);
    }
    if (r->cls == WN__POINTWISE) emit_fuse(f, o);
    if (r->cls == WN__POINTWISE) small(f, o);
    fprintf(f, "    },\n");
}

static void declare_function(FILE *f, const op *o, const char *what, const char *text) {
    char name[160];
    if (!text) return;
    function_name(name, sizeof name, o, what, text);
    emit_prototype(f, o, name, !strcmp(what, "vjp"));
}

void emit_rows(FILE *f) {
    fprintf(f, "/* The operation table. Generated by wngen. */\n#include \"call/dispatch.h\"\n#include \"ops/which.h\"\n\n");
    for (int i = 0; i < nops; i++) {
        const wn__row *r = ops[i].row;
        check_functions(&ops[i]);
        if (r->fact) fprintf(f, "wn_support *%s(const wn__call *c);\n", r->fact);
        declare_function(f, &ops[i], "infer", r->infer);
        declare_function(f, &ops[i], "run", r->run);
        declare_function(f, &ops[i], "fn", r->fn);
        declare_function(f, &ops[i], "vjp", r->vjp);
        if (r->formula) fprintf(f, "wn_status wn__formula_of_%s(wn__call *c);\n", ops[i].cname);
        if (r->grad && !r->vjp) fprintf(f, "void wn__grad_of_%s(wn__gradctx *c);\n", ops[i].cname);
        fields(f, &ops[i]);
        emit_shorter(f, &ops[i]);
        emit_titles(f, &ops[i]);
    }
    fprintf(f, "\nconst struct wn_op wn__ops[] = {\n");
    for (int i = 0; i < nops; i++) row(f, &ops[i]);
    fprintf(f, "};\nconst int wn__nops = %d, wn__selecting_kernel = %d;\nconst char *const wn__moves_texts[] = {", nops, selecting_kernel());
    for (int i = 0; moves_texts[i]; i++) fprintf(f, "\"%s\", ", moves_texts[i]);
    fprintf(f, "};\n");
}

/* ------------------------------------------------------------------ kernels */

/* Is the expression the function with a short way? */
static bool has_near(const op *o, const char *expr) {
    const size_t n = o->row->near ? strlen(o->row->near) : 0;
    return n && !strncmp(expr, "FN(", 3) && !strncmp(expr + 3, o->row->near, n) && expr[3 + n] == ')';
}

static bool is_many(const op *o, const char *ct) {
    const char *only = o->row->many ? strchr(o->row->many, ' ') : NULL;
    return o->row->many && (!only || !strcmp(only + 1, ct));
}

/* The loops of a row that is used seldom are between these: where there is a WN_SELDOM, that says in which place of the table another level has it;
 * elsewhere the file may have them compiled in another way. There are none of numbers as operands, or of narrow dtypes, but programs of blocks. */
static void open_seldom(FILE *f, const op *o, const char *ct, const char *suffix) {
    if (!o->row->seldom) return;
    fprintf(f, "#ifdef WN_SELDOM\nWN_SELDOM(%s%s, rows[%d][WN__CT_%c%s])\n#else\nWN_SELDOM_FROM\n", o->cname, suffix, kernel_number(o->id, *suffix),
            toupper((unsigned char)*ct), ct + 1);
}
static void close_seldom(FILE *f, const op *o) {
    if (o->row->seldom) fprintf(f, "WN_SELDOM_TO\n#endif\n");
}

/* One loop: WN_KERNEL(name, result type, noperands, operand types..., expression). T is the compute type. */
static void loop(FILE *f, const op *o, const char *ct, const char *suffix, const char *expr, int noperands) {
    bool to_bool = o->row->types == WN__TY_COMPARE || o->row->types == WN__TY_LOGICAL;
    if (is_many(o, ct)) {
        fprintf(f, "WN_MANY%d(%s, %.*s)\n", noperands, o->cname, (int)strcspn(o->row->many, " "), o->row->many);
        return;
    }
    if (o->row->loop && !strcmp(ct, "f32")) {
        fprintf(f, "WN_ROW%d(%s, %s)\n", noperands, o->cname, o->row->loop);
        return;
    }
    if (has_near(o, expr)) {
        fprintf(f, "WN_NEAR%d(%s, %s)\n", noperands, o->cname, o->row->near);
        return;
    }
    fprintf(f, "WN_KERNEL%d(%s%s, %s", noperands, o->cname, suffix, to_bool ? "uint8_t" : "T");
    for (int i = 0; i < noperands; i++) fprintf(f, ", %s", o->bool_operands >> i & 1 ? "uint8_t" : "T");
    fprintf(f, ", %s)\n", expr);
}

bool has_kernel(const op *o, const char *ct, const char **expr) {
    bool integer = !strcmp(ct, "i32") || !strcmp(ct, "i64"), mask = !strcmp(ct, "b8");
    *expr = integer && o->row->iexpr ? o->row->iexpr : mask && o->row->bexpr ? o->row->bexpr : o->row->expr;
    switch (o->row->types) {
    case WN__TY_FLOAT:
    case WN__TY_FLOAT_ONLY: return !integer && !mask;
    case WN__TY_LOGICAL: return mask;
    case WN__TY_BITS: return integer || (mask && o->row->bexpr);
    default: return (!mask || o->row->bexpr) && !(integer && o->row->iexpr && !strcmp(o->row->iexpr, "-"));
    }
}

/* ------------------------------------------------------------------ one value for all but the first operand */

enum { CHEAP = 8, MOST_OPERANDS = 4 };

static bool has_single(const op *o, const char *ct, const char *expr, int noperands) {
    const char *same;
    return has_kernel(o, ct, &same) && strcmp(ct, "b8") && !o->row->seldom && !o->row->many && !has_near(o, expr) && !o->bool_operands && noperands > 1 && noperands <= MOST_OPERANDS && cost_of(o, expr) <= CHEAP;
}

static void emit_single(FILE *f, const op *o, const char *suffix, const char *ct, const char *expr, int noperands) {
    const bool to_bool = o->row->types == WN__TY_COMPARE || o->row->types == WN__TY_LOGICAL;
    if (has_single(o, ct, expr, noperands))
        fprintf(f, "WN_SINGLE%d(%s%s, %s, %s)\n", noperands, o->cname, suffix, to_bool ? "uint8_t" : "T", expr);
}

static void emit_loops(FILE *f, const op *o, const char *suffix, const char *ct, const char *expr, int noperands) {
    open_seldom(f, o, ct, suffix);
    loop(f, o, ct, suffix, expr, noperands);
    close_seldom(f, o);
    emit_single(f, o, suffix, ct, expr, noperands);
}

/* The kernel row whose expression is this one with its two operands exchanged; -1: none is known. */
static int mirror_of(int op_index, bool unit) {
    static const char *const mirrored[][2] = {
        {"a + b", 0}, {"a * b", 0}, {"a & b", 0}, {"a | b", 0}, {"a ^ b", 0}, {"a == b", 0}, {"a != b", 0}, /* themselves */
        {"a - b", "b - a"}, {"b - a", "a - b"}, {"a < b", "a > b"}, {"a > b", "a < b"}, {"a <= b", "a >= b"}, {"a >= b", "a <= b"},
        {"a > b || a != a ? a : b", "b != b ? b : a < b ? b : a"}, {"a < b || a != a ? a : b", "b != b ? b : a > b ? b : a"}};
    const char *expr = unit ? ops[op_index].unit_expr : ops[op_index].row->expr;
    for (size_t m = 0; m < sizeof mirrored / sizeof *mirrored; m++) {
        if (strcmp(expr, mirrored[m][0])) continue;
        if (!mirrored[m][1]) return kernel_number(op_index, unit);
        for (int i = 0; i < nops; i++) {
            if (ops[i].row->cls != WN__POINTWISE) continue;
            if (ops[i].unit >= 0 && !strcmp(ops[i].unit_expr, mirrored[m][1])) return kernel_number(i, true);
            if (ops[i].unit < 0 && !strcmp(ops[i].row->expr, mirrored[m][1])) return kernel_number(i, false);
        }
    }
    return -1;
}

static void single_entry(FILE *f, const op *o, const char *suffix, bool unit, int noperands) {
    static const char *const cts[] = {"f32", "f64", "i32", "i64", "b8"};
    fprintf(f, "{{");
    for (int c = 0; c < 5; c++) {
        const char *expr;
        const bool kernel = has_kernel(o, cts[c], &expr) && has_single(o, cts[c], unit ? o->unit_expr : expr, noperands);
        if (kernel) fprintf(f, "k_%s%s__single_%s, ", o->cname, suffix, cts[c]);
        else fprintf(f, "0, ");
    }
    fprintf(f, "}, %d},\n", mirror_of(o->id, unit));
}

static void emit_singles(FILE *f) {
    fprintf(f, "#ifdef WN_SINGLE_TABLE\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (o->row->cls != WN__POINTWISE) continue;
        single_entry(f, o, "", false, o->noperands);
        if (o->unit >= 0) single_entry(f, o, "__unit", true, o->noperands - 1);
    }
    fprintf(f, "#endif\n");
}

/* ------------------------------------------------------------------ f16 and bf16 */

/* Rows that cost less than bringing f16 and bf16 through memory as floats, and those whose loop is written by itself, have loops of their own. How many of the first operands
 * must be tensors (the others may be numbers), *most: how many of all can be; 0: there is no loop. */
static int half_tensors(const op *o, const char *expr, int noperands, int *most) {
    const char *same;
    *most = 0;
    if (!has_kernel(o, "f32", &same) || o->bool_operands || noperands < 1 || noperands > MOST_OPERANDS || (o->row->seldom && !o->row->bits)) return 0;
    if (o->row->types == WN__TY_COMPARE || o->row->types == WN__TY_LOGICAL || (cost_of(o, expr) > CHEAP && !o->row->loop)) return 0;
    int least = 1;
    while (*most < noperands && !(o->plain_operands >> *most & 1)) ++*most;
    for (int i = 1; i < *most; i++)
        if (o->p[o->operands[i]].kind == WN_K_TENSOR) least = i + 1;
    return *most ? least : 0;
}

static void emit_half(FILE *f, const op *o, const char *suffix, const char *expr, int noperands) {
    int most, least = half_tensors(o, expr, noperands, &most);
    if (least && o->row->loop) {
        fprintf(f, "WN_HALF_ROW%d(%s, %s)\n", noperands, o->cname, o->row->loop);
        return;
    }
    for (int n = least; n && n <= most; n++)
        if (!o->row->bits || *suffix || n < noperands) fprintf(f, "WN_HALF_KERNEL%d(%s%s, %d, %s)\n", noperands, o->cname, suffix, n, expr);
}

static void half_entries(FILE *f, const op *o, const char *suffix, const char *expr, int noperands) {
    int most, least = half_tensors(o, expr, noperands, &most);
    fprintf(f, "{");
    for (int bf16 = 0; bf16 < 2; bf16++) {
        fprintf(f, bf16 ? ", {0" : "{0");
        for (int n = 1; n <= most; n++) {
            if (least && n >= least) fprintf(f, ", k_%s%s_%d_%s", o->cname, suffix, n, bf16 ? "bf16" : "f16");
            else fprintf(f, ", 0");
        }
        fprintf(f, "}");
    }
    fprintf(f, "},\n");
}

static void emit_halves(FILE *f) {
    fprintf(f, "#ifdef WN_HALF\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (o->row->cls != WN__POINTWISE) continue;
        if (o->row->bits) fprintf(f, "WN_HALF_BITS(%s, %d, %s)\n", o->cname, o->noperands, o->row->bits);
        emit_half(f, o, "", o->row->expr, o->noperands);
        if (o->unit >= 0) emit_half(f, o, "__unit", o->unit_expr, o->noperands - 1);
    }
    fprintf(f, "#endif\n#ifdef WN_HALF_TABLE\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (o->row->cls != WN__POINTWISE) continue;
        half_entries(f, o, "", o->row->expr, o->noperands);
        if (o->unit >= 0) half_entries(f, o, "__unit", o->unit_expr, o->noperands - 1);
    }
    fprintf(f, "#endif\n");
}

/* ------------------------------------------------------------------ i8, i16 and u8 in their own width */

/* Does it say nothing of its operands? Such a kernel (is an integer finite?) reads none, so it serves elements of any dtype. */
static bool is_constant(const char *expr) { return !strcmp(expr, "0") || !strcmp(expr, "1"); }

static void emit_constants(FILE *f) {
    static const char *const cts[] = {"f32", "f64", "i32", "i64"};
    const char *expr;
    fprintf(f, "#ifdef WN_CONSTANT_TABLE\n");
    for (int i = 0; i < nops; i++)
        for (int c = 0; c < 4; c++)
            if (ops[i].row->cls == WN__POINTWISE && has_kernel(&ops[i], cts[c], &expr) && is_constant(expr)) fprintf(f, "k_%s_%s,\n", ops[i].cname, cts[c]);
    fprintf(f, "#endif\n");
}

/* The expression of a row (with its unit number, where it has one) that computes in vector registers, of int32 values; NULL: it has none, or is
 * for gradients and the like. */
static const char *narrow_expr(const op *o) {
    const char *expr = o->row->expr;
    if (o->row->cls != WN__POINTWISE || (o->row->types != WN__TY_LOGICAL && !has_kernel(o, "i32", &expr))) return NULL;
    if (o->unit >= 0) expr = o->unit_expr;
    const bool gradient = o->np && !strncmp(o->p[0].name, "grad", 4); /* of a cotangent, which is no narrow integer */
    const bool seldom = o->row->seldom || o->row->flags & WN__F_NODIFF || gradient || strstr(expr, "wn__") || is_constant(expr);
    return seldom || o->noperands - (o->unit >= 0) > 3 ? NULL : expr;
}

/* Is there a loop where the first n operands are tensors and the others numbers? Not where it would hardly be used, or PyTorch is slow. */
static bool has_narrow(const op *o, int n, const char *type) {
    const int all = o->noperands - (o->unit >= 0);
    const bool compares = o->row->types == WN__TY_COMPARE, logical = o->row->types == WN__TY_LOGICAL;
    if (n > all || n < 1 || ((compares || logical) && (n < all || !strcmp(type, "i16")))) return false;
    int least = 1, most = 0;
    while (most < all && !(o->plain_operands >> most & 1)) ++most;
    for (int i = 1; i < most; i++)
        if (o->p[o->operands[i]].kind == WN_K_TENSOR) least = i + 1;
    if (all == 3 && !o->bool_operands) return n == (o->unit >= 0 ? all : least); /* sums of products; bounds of both sides, which are numbers */
    return n >= least && n <= most && n >= all - 1;
}

/* i8 takes u8's loop where the sign makes no difference. */
static const char *narrow_type(const char *type, const char *expr) { return !strcmp(type, "i8") && !strpbrk(expr, "<>/F") ? "u8" : type; }

static void narrow_loops(FILE *f, const op *o, const char *expr, const char *type) {
    const bool to_bool = o->row->types == WN__TY_COMPARE || o->row->types == WN__TY_LOGICAL;
    const int all = o->noperands - (o->unit >= 0);
    if (strcmp(narrow_type(type, expr), type)) return;
    for (int n = 1; n <= all; n++) {
        if (!has_narrow(o, n, type)) continue;
        fprintf(f, "WN_NARROW%d(%s, %d, %s", all, o->cname, n, to_bool ? "uint8_t" : "WN_NARROW");
        for (int i = 0; i < all; i++) fprintf(f, ", %s", o->bool_operands >> i & 1 ? "mask" : o->row->types == WN__TY_LOGICAL ? "truth" : "value");
        fprintf(f, ", %s)\n", expr);
    }
}

static const char *const narrow_types[] = {"i8", "i16", "u8"};

static void narrow_entry(FILE *f, const op *o, const char *expr) {
    enum { MOST = 3 }; /* WN__NARROW_MOST */
    fprintf(f, "{k_%s%s_%s, {", o->cname, o->unit >= 0 ? "__unit" : "", o->row->types == WN__TY_LOGICAL ? "b8" : "i32");
    for (int t = 0; t < 3; t++) {
        fprintf(f, "{");
        for (int n = 1; n <= MOST; n++) {
            if (has_narrow(o, n, narrow_types[t])) fprintf(f, "k_%s_%d_%s, ", o->cname, n, narrow_type(narrow_types[t], expr));
            else fprintf(f, "0, ");
        }
        fprintf(f, "}, ");
    }
    fprintf(f, "}},\n");
}

static void emit_narrow(FILE *f) {
    for (int t = 0; t < 3; t++) {
        fprintf(f, "#ifdef WN_NARROW_%s\n", narrow_types[t]);
        for (int i = 0; i < nops; i++)
            if (narrow_expr(&ops[i])) narrow_loops(f, &ops[i], narrow_expr(&ops[i]), narrow_types[t]);
        fprintf(f, "#endif\n");
    }
    fprintf(f, "#ifdef WN_NARROW_TABLE\n");
    for (int i = 0; i < nops; i++)
        if (narrow_expr(&ops[i])) narrow_entry(f, &ops[i], narrow_expr(&ops[i]));
    fprintf(f, "#endif\n");
}

void emit_kernels(FILE *f) {
    static const char *const cts[] = {"f32", "f64", "i32", "i64", "b8"};
    fprintf(f, "/* The loops of the pointwise rows; included by src/engine/level/pointwise_kernels.c once for each compute type (WN_CT_f32 ...)\n"
               " * and once for the table (WN_KERNEL_TABLE). Generated by wngen. */\n");
    for (int c = 0; c < 5; c++) {
        fprintf(f, "#ifdef WN_CT_%s\n", cts[c]);
        for (int i = 0; i < nops; i++) {
            const op *o = &ops[i];
            const char *expr;
            if (o->row->cls != WN__POINTWISE || !has_kernel(o, cts[c], &expr)) continue;
            emit_loops(f, o, "", cts[c], expr, o->noperands);
            if (o->unit >= 0) emit_loops(f, o, "__unit", cts[c], o->unit_expr, o->noperands - 1);
        }
        fprintf(f, "#endif\n");
    }
    fprintf(f, "#ifdef WN_KERNEL_TABLE\n");
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        const char *expr;
        if (o->row->cls != WN__POINTWISE) continue;
        for (int unit = 0; unit < (o->unit >= 0 ? 2 : 1); unit++) {
            fprintf(f, "{");
            for (int c = 0; c < 5; c++) {
                if (has_kernel(o, cts[c], &expr)) fprintf(f, "k_%s%s_%s, ", o->cname, unit ? "__unit" : "", cts[c]);
                else fprintf(f, "0, ");
            }
            fprintf(f, "},\n");
        }
    }
    fprintf(f, "#endif\n");
    emit_singles(f);
    emit_constants(f);
    emit_narrow(f);
    emit_halves(f);
}
