/* What rows say of their operands' roles: .selects, .support, .zero. */
#include <string.h>
#include "text.h"

bool is_tensor_operand(const op *o, int parameter) {
    for (int i = 0; i < o->noperands; i++)
        if (o->operands[i] == parameter) return !(o->bool_operands >> i & 1) && tensor_index(o, parameter) >= 0;
    return false;
}

/* The words of text as parameters, `most` of them. */
static void parameters(const op *o, const char *attribute, const char *text, int most, int *p) {
    char word[40];
    int n = 0, used;
    for (; sscanf(text, "%39s%n", word, &used) == 1; text += used) {
        if (n == most) fatal(o, "%s: too many words", attribute);
        if ((p[n++] = find_param(o, word)) < 0) fatal(o, "%s: '%s' is no argument", attribute, word);
    }
    if (n != most) fatal(o, "%s needs %d arguments", attribute, most);
}

/* "condition self other": the mask, what is taken where it is true, and where it is false, as operands. */
static void selects(op *o) {
    if (!o->row->selects) return;
    int p[3];
    parameters(o, ".selects", o->row->selects, 3, p);
    for (int k = 0; k < 3; k++) {
        o->selects[k] = -1;
        for (int i = 0; i < o->noperands; i++)
            if (o->operands[i] == p[k]) o->selects[k] = i;
        if (o->selects[k] < 0) fatal(o, ".selects: '%s' is no operand", o->p[p[k]].name);
    }
    if (!(o->bool_operands >> o->selects[0] & 1)) fatal(o, ".selects: '%s' is no mask", o->p[p[0]].name);
}

/* "above self threshold": it is the first tensor where !(self <= threshold), 0 elsewhere. "clean mask": 0 where mask is false. */
static void exists(op *o) {
    const char *s = o->row->support;
    if (!s) return;
    const bool above = !strncmp(s, "above ", 6);
    if (!above && strncmp(s, "clean ", 6)) fatal(o, ".support says neither 'above' nor 'clean'");
    o->support = above ? SUPPORT_ABOVE : SUPPORT_TRUE;
    o->exists[1] = -1;
    parameters(o, ".support", s + 6, above ? 2 : 1, o->exists);
    if (tensor_index(o, o->exists[0]) < 0) fatal(o, ".support: '%s' is no tensor argument", o->p[o->exists[0]].name);
}

static void zero(const op *o) {
    int tensors = 0;
    for (int i = 0; i < o->np; i++) tensors += is_tensor_operand(o, i);
    if (tensors == 1 && !o->row->zero)
        fatal(o, "say in .zero whether a zero of its tensor gives a zero (KEEPS), or NOT");
    if (o->row->zero && o->row->cls != WN__POINTWISE && o->row->cls != WN__COMPOSITE) fatal(o, ".zero is for rows that compute element by element");
    if (o->row->zero == WN__ZERO_MEETS && tensors < 2) fatal(o, ".zero = MEETS is for POINTWISE rows with several tensors");
}

void resolve_roles(void) {
    for (int i = 0; i < nops; i++) {
        selects(&ops[i]);
        exists(&ops[i]);
        zero(&ops[i]);
    }
}

void emit_roles(FILE *f, const op *o) {
    if (o->row->selects) fprintf(f, "     .selecting = true, .selects = {%d, %d, %d},\n", o->selects[0], o->selects[1], o->selects[2]);
    if (o->row->zero) fprintf(f, "     .zero = %d,\n", o->row->zero == WN__ZERO_KEEPS && o->row->support ? WN__ZERO_PICKS : o->row->zero);
}

/* The kernel that selects among its operands in their order: every row with .selects is computed by it, on the sides that are needed. */
int selecting_kernel(void) {
    int found = -1;
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        if (!o->row->selects || o->selects[0] != 0 || o->selects[1] != 1 || o->selects[2] != 2) continue;
        if (found >= 0) fatal(o, ".selects: two rows select among their operands in order");
        found = i;
    }
    if (found < 0) fatal(NULL, ".selects: no row selects among its operands in order");
    return kernel_number(found, false);
}
