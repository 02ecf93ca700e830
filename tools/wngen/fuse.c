/* What the expression of a pointwise row says about it and its neighbours in a program, and the numbers that make another row of it. */
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

static wn__fuse fuse_of(const op *o) {
    static const struct {
        const char *expr, *unit;
        wn__fuse fuse;
    } forms[] = {{"a + b * c", "a + b", WN__FUSE_ADD}, {"a - b * c", "a - b", WN__FUSE_SUBTRACT}, {"a * b", NULL, WN__FUSE_MULTIPLY},
                 {"a == b", NULL, WN__FUSE_EQ}, {"a != b", NULL, WN__FUSE_NE}, {"a < b", NULL, WN__FUSE_LT},
                 {"a <= b", NULL, WN__FUSE_LE}, {"a > b", NULL, WN__FUSE_GT}, {"a >= b", NULL, WN__FUSE_GE}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const bool unit = o->unit >= 0, same = unit == (forms[i].unit != NULL) && (!unit || !strcmp(o->unit_expr, forms[i].unit));
        if (same && !strcmp(o->row->expr, forms[i].expr) && (o->row->types == WN__TY_COMPARE) == (forms[i].fuse >= WN__FUSE_EQ)) return forms[i].fuse;
    }
    return WN__FUSE_NOT;
}

/* Reads one "2 square" of .shorter; what follows it, or NULL at the end. */
static const char *one_shorter(const op *o, const char *s, double *number, int *kernel) {
    char *end, name[64];
    *number = strtod(s, &end);
    int used = 0;
    if (end == s || sscanf(end, " %63[a-z0-9_]%n", name, &used) != 1) fatal(o, ".shorter: a number and a row are missing at '%s'", s);
    const int id = find_op(name);
    if (id < 0 || ops[id].row->cls != WN__POINTWISE || ops[id].noperands != o->noperands - 1) fatal(o, ".shorter: '%s' is no pointwise row of the operands before", name);
    *kernel = kernel_number(id, false);
    end += used;
    return *end == ',' ? end + 1 : NULL;
}

/* Where the numbers begin; NULL: the row has none. */
static const char *numbers_of(const op *o) {
    const char *s = o->row->shorter, *colon = s ? strchr(s, ':') : NULL;
    if (!s) return NULL;
    char name[64];
    if (!colon || (size_t)(colon - s) >= sizeof name) fatal(o, ".shorter: \"operand: number row, ...\"");
    snprintf(name, sizeof name, "%.*s", (int)(colon - s), s);
    if (find_param(o, name) != o->operands[o->noperands - 1] || o->unit >= 0) fatal(o, ".shorter: '%s' is not the last operand", name);
    return colon + 1;
}

void emit_shorter(FILE *f, const op *o) {
    double number;
    int kernel;
    const char *s = numbers_of(o);
    if (!s) return;
    fprintf(f, "static const wn__shorter shorter_%d[] = {", o->id);
    while (s) {
        s = one_shorter(o, s, &number, &kernel);
        fprintf(f, "{%.17g, %d}%s", number, kernel, s ? ", " : "};\n");
    }
}

void emit_fuse(FILE *f, const op *o) {
    const wn__fuse fuse = fuse_of(o);
    if (fuse) fprintf(f, "     .fuse = %d,\n", (int)fuse);
    if (o->row->shorter) fprintf(f, "     .shorter = shorter_%d, .nshorter = sizeof shorter_%d / sizeof *shorter_%d,\n", o->id, o->id, o->id);
}
