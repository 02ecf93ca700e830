/* .title: what torch calls a row's nodes. Alternatives separated by ';', of which the first counts that fits: "[condition: ][Name][digit]", or "=Name"
 * for a name without Backward. The condition: an argument that is given, and no plain number; behind a '!', one that is not, or is. */
#include <ctype.h>
#include <string.h>
#include "wngen.h"

static bool can_be_told(wn_kind k) { return k == WN_K_VALUE || k == WN_K_SCALAR || k == WN_K_DIMS || k == WN_K_BOOL || k == WN_K_STRING; }

/* The number of the argument before the ':' that ends at `colon`. */
static int condition(const op *o, const char *s, const char *colon, bool *plain) {
    char name[64];
    *plain = *s == '!';
    snprintf(name, sizeof name, "%.*s", (int)(colon - s) - *plain, s + *plain);
    const int p = find_param(o, name);
    if (p < 0) fatal(o, ".title: '%s' is no argument", name);
    if (!can_be_told(o->p[p].kind)) fatal(o, ".title: of '%s' there is nothing to tell: it is always given", name);
    if (o->row->cls == WN__COMPOSITE) fatal(o, ".title: a composite's nodes have other arguments: no conditions");
    return p;
}

/* One alternative, n letters; true: it holds always. */
static bool alternative(FILE *f, const op *o, const char *s, size_t n) {
    const char *colon = memchr(s, ':', n), *end = s + n;
    bool plain = false;
    const int field = colon ? condition(o, s, colon, &plain) : -1;
    for (s = colon ? colon + 1 : s; s < end && *s == ' ';) s++;
    const bool whole = s < end && *s == '=';
    const char *name = s + whole, *name_end = whole ? end : end - 1;
    bool good = name < end && (whole || isdigit((unsigned char)end[-1])) && (name == name_end || isupper((unsigned char)*name));
    for (const char *c = name; c < name_end; c++) good = good && isalnum((unsigned char)*c);
    if (!good) fatal(o, ".title: '%.*s' is neither [Name]digit nor =Name", (int)(end - s), s);
    fprintf(f, "{.field = %d, .plain = %d, ", field, plain);
    if (name < name_end) fprintf(f, ".name = \"%.*s\", ", (int)(name_end - name), name);
    if (whole) fprintf(f, ".end = \"\"}, ");
    else fprintf(f, ".end = \"Backward%c\"}, ", end[-1]);
    return field < 0;
}

void emit_titles(FILE *f, const op *o) {
    const wn__row *r = o->row;
    if (!r->title && !r->title_of) return;
    if (r->cls == WN__COMPOSITE ? !(r->flags & WN__F_TITLED) || r->title_of : !r->grad && !r->vjp) fatal(o, ".title: it has no nodes");
    if (r->title && r->title_of) fatal(o, "both .title and .title_of");
    if (r->title_of) {
        fprintf(f, "int %s(const struct wn_node *n, char *buf, size_t cap);\n", r->title_of);
        return;
    }
    fprintf(f, "static const wn__title titles_%d[] = {", o->id);
    bool always = false;
    for (const char *s = r->title; s; s = *s ? s : NULL) {
        while (*s == ' ') s++;
        const size_t n = strcspn(s, ";");
        if (always) fatal(o, ".title: nothing comes after what has no condition");
        always = alternative(f, o, s, n);
        s += n + (s[n] == ';');
    }
    fprintf(f, always ? "};\n" : "{.field = -1, .end = \"Backward0\"}};\n");
}

void emit_title_fields(FILE *f, const op *o) {
    if (o->row->title) fprintf(f, "     .titles = titles_%d,\n", o->id);
    if (o->row->title_of) fprintf(f, "     .title_of = %s,\n", o->row->title_of);
}
