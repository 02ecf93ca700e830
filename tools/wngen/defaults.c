/* Attributes that nobody may forget: a row says them itself, or the heading of its family says them for it; what neither says is an error, and
 * what a row says that means nothing in it is one, too. */
#include <stddef.h>
#include <string.h>
#include "wngen.h"

static bool always(const op *o) { return o != NULL; }

static bool is_tuple(const op *o) { return o->places && o->nresults > 1; }

/* Is a call possible in which no operand is a tensor? */
static bool takes_numbers(const op *o) {
    int values = 0;
    for (int i = 0; i < o->np; i++) {
        const param *p = &o->p[i];
        if (p->kind == WN_K_TENSOR || (p->kind == WN_K_VALUE && !p->number && !p->optional)) return false;
        values += p->kind == WN_K_VALUE;
    }
    return o->places && values > 1;
}

/* What functions of the mathematics files cost nobody can read from the expression. */
static bool calls_functions(const op *o) {
    const wn__row *r = o->row;
    return r->cls == WN__POINTWISE && (strstr(r->expr, "FN(") || strstr(o->unit_expr, "FN(") || (r->iexpr && strstr(r->iexpr, "FN(")));
}

static const struct {
    const char *name;
    size_t offset; /* of its byte in a row */
    const char *words[5]; /* of its values; none: a number */
    bool (*concerns)(const op *o); /* must the row decide? */
} attributes[] = {{"autocast", offsetof(wn__row, autocast), {"", "KEEP", "NARROW", "FLOAT32", "WIDEST"}, always},
                  {"results", offsetof(wn__row, results), {"", "NAMED", "PLAIN"}, is_tuple},
                  {"numbers_only", offsetof(wn__row, numbers_only), {"", "TAKEN", "REFUSED"}, takes_numbers},
                  {"cost", offsetof(wn__row, cost), {NULL}, calls_functions}};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

void decide(op *o, wn__row *row, const wn__row *heading) {
    for (int i = 0; i < ATTRIBUTES; i++) {
        uint8_t *own = (uint8_t *)row + attributes[i].offset, family = ((const uint8_t *)heading)[attributes[i].offset];
        if (!attributes[i].concerns(o) && *own) fatal(o, ".%s means nothing in this row", attributes[i].name);
        if (!attributes[i].concerns(o) || *own) continue;
        if (!family) fatal(o, ".%s is said by neither the row nor its family, \"%s\"", attributes[i].name, heading->family);
        *own = family;
        o->defaults |= 1u << i;
    }
}

/* "autocast: KEEP, of its family", behind the row's name where many are told. */
static void print_decision(const op *o, int k, const char *indent) {
    const uint8_t value = ((const uint8_t *)o->row)[attributes[k].offset];
    if (!*indent) printf("%s: ", o->cname);
    printf("%s%s%s = ", indent, *indent ? "" : ".", attributes[k].name);
    if (attributes[k].words[0]) printf("%s", attributes[k].words[value]);
    else printf("%d", value);
    if (o->defaults >> k & 1) printf(", of \"%s\"", o->family);
    printf("\n");
}

void print_defaults(void) {
    for (int i = 0; i < nops; i++)
        for (int k = 0; k < ATTRIBUTES; k++)
            if (ops[i].defaults >> k & 1) print_decision(&ops[i], k, "");
}

void print_decisions(const op *o) {
    for (int k = 0; k < ATTRIBUTES; k++)
        if (attributes[k].concerns(o)) print_decision(o, k, "  ");
}

unsigned traits_of(const op *o) {
    const uint32_t flags = o->row->flags;
    return (o->row->results == NAMED ? WN_NAMES_RESULTS : 0u) | (o->row->numbers_only == REFUSED ? WN_WANTS_TENSOR : 0u) |
           (flags & WN__F_SIZE_ROUNDS ? WN_SIZE_ROUNDS : 0u) | (flags & WN__F_OUT_EXACT ? WN_OUT_EXACT : 0u) | (flags & WN__F_UNSET ? WN_LEAVES_UNSET : 0u) |
           (o->row->zero == WN__ZERO_KEEPS && o->ntensors == 1 ? WN_KEEPS_ZERO : 0u);
}
