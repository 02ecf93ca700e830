/* Problem strings: `name dtype operands options...`, for example
 *     matmul f32 512x512,512x512t          conv2d f32 64x1x28x28 w=32x1x3x3 pad=1 bwd
 * Operands are separated by commas: a shape (1000, 64x784, 0d), t behind it: transposed in memory, :i64 behind it: another
 * dtype, =2.5: a number. Options are words or key=value. */
#include "bench.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fail(char *why, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(why, MAX_WHY, format, list);
    va_end(list);
    return false;
}

static const struct {
    const char *name;
    wn_dtype dtype;
} dtypes[] = {{"f32", WN_F32}, {"f64", WN_F64}, {"f16", WN_F16}, {"bf16", WN_BF16}, {"i8", WN_I8},
              {"i16", WN_I16}, {"i32", WN_I32}, {"i64", WN_I64}, {"u8", WN_U8},     {"bool", WN_BOOL}};
enum { NDTYPES = sizeof dtypes / sizeof *dtypes };

bool parse_dtype(const char *text, wn_dtype *dtype) {
    for (int i = 0; i < NDTYPES; i++)
        if (!strcmp(text, dtypes[i].name)) {
            *dtype = dtypes[i].dtype;
            return true;
        }
    return false;
}

const char *short_dtype(wn_dtype dtype) {
    for (int i = 0; i < NDTYPES; i++)
        if (dtypes[i].dtype == dtype) return dtypes[i].name;
    return "?";
}

bool parse_shape(const char *text, wn_dims *shape, bool *transposed) {
    *shape = WN_0D;
    *transposed = false;
    if (!strcmp(text, "0d")) return true;
    shape->n = 0;
    for (const char *s = text;; s++) {
        if (!isdigit((unsigned char)*s) || shape->n == WN_MAX_DIMS) return false;
        char *end;
        const long long size = strtoll(s, &end, 10);
        if (size > (long long)1 << 40) return false;
        shape->v[shape->n++] = size;
        s = end;
        if (*s == 't' && !s[1] && shape->n >= 2) return *transposed = true;
        if (!*s) return true;
        if (*s != 'x') return false;
    }
}

/* One operand; the text is taken apart in place. */
static bool parse_operand(char *text, wn_dtype dtype, operand *o, char *why) {
    *o = tensor_operand(dtype, WN_0D, 0, 0);
    if (*text == '=') {
        char *end;
        o->number = true;
        o->value = strtod(text + 1, &end);
        return (end > text + 1 && !*end) || fail(why, "'%s' is not a number", text + 1);
    }
    char *colon = strchr(text, ':');
    if (colon) {
        *colon = 0;
        if (!parse_dtype(colon + 1, &o->dtype)) return fail(why, "'%s' is not a dtype", colon + 1);
        o->given_dtype = true;
    }
    return parse_shape(text, &o->shape, &o->transposed) || fail(why, "'%s' is not a shape (write 64x1x28x28)", text);
}

option *find_option(problem *p, const char *key) {
    for (int i = 0; i < p->noptions; i++)
        if (!strcmp(p->options[i].key, key)) {
            p->options[i].used = true;
            return &p->options[i];
        }
    return NULL;
}

bool set_option(problem *p, const char *key, const char *value) {
    for (int i = 0; i < p->noptions; i++)
        if (!strcmp(p->options[i].key, key)) return true;
    if (p->noptions == MAX_OPTIONS) return false;
    option *o = &p->options[p->noptions++];
    *o = (option){.used = false};
    snprintf(o->key, sizeof o->key, "%s", key);
    snprintf(o->value, sizeof o->value, "%s", value);
    return true;
}

static bool parse_option(problem *p, const char *word, char *why) {
    const char *eq = strchr(word, '=');
    const size_t n = eq ? (size_t)(eq - word) : strlen(word);
    option *o = &p->options[p->noptions];
    if (p->noptions == MAX_OPTIONS) return fail(why, "there are more than %d options", MAX_OPTIONS);
    if (!n || n >= sizeof o->key || (eq && strlen(eq + 1) >= sizeof o->value)) return fail(why, "'%s' is not an option", word);
    *o = (option){.used = false};
    memcpy(o->key, word, n);
    if (eq) strcpy(o->value, eq + 1);
    p->noptions++;
    return true;
}

/* Words of a line, at most `max`; the text is taken apart in place. */
static int split(char *text, char **words, int max) {
    int n = 0;
    for (char *s = strtok(text, " \t\r\n"); s; s = strtok(NULL, " \t\r\n")) {
        if (n == max) return -1;
        words[n++] = s;
    }
    return n;
}

/* `op` and `step` problems name something else first: "op add_ f32 1" is kept as the name "op" and options. */
static bool is_special(const char *name) { return !strcmp(name, "op") || !strcmp(name, "step"); }

bool parse_problem(const char *text, problem *p, char *why) {
    char copy[MAX_TEXT], *words[MAX_OPTIONS + 3];
    memset(p, 0, sizeof *p);
    if (strlen(text) >= sizeof copy) return fail(why, "the text is longer than %d bytes", MAX_TEXT - 1);
    strcpy(copy, text);
    const int n = split(copy, words, MAX_OPTIONS + 3);
    if (n < 0) return fail(why, "there are too many words");
    if (!n) return fail(why, "it is empty");
    for (int i = 0; i < n; i++) {
        if (i) strcat(p->text, " ");
        strcat(p->text, words[i]);
    }
    if (strlen(words[0]) >= sizeof p->name) return fail(why, "'%s' is too long for a name", words[0]);
    strcpy(p->name, words[0]);
    int first = 1;
    if (!is_special(p->name)) {
        if (n < 3) return fail(why, "a problem is a name, a dtype and shapes, as in 'add f32 1000x1000,1000'");
        if (!parse_dtype(words[1], &p->dtype)) return fail(why, "'%s' is not a dtype (f32 f64 f16 bf16 i8 ... bool)", words[1]);
        for (char *s = words[2], *next; s; s = next) {
            next = strchr(s, ',');
            if (next) *next++ = 0;
            if (p->noperands == MAX_OPERANDS) return fail(why, "there are more than %d operands", MAX_OPERANDS);
            if (!parse_operand(s, p->dtype, &p->operands[p->noperands++], why)) return false;
        }
        first = 3;
    }
    for (int i = first; i < n; i++)
        if (!parse_option(p, words[i], why)) return false;
    const option *bwd = is_special(p->name) ? NULL : find_option(p, "bwd");
    p->bwd = bwd != NULL;
    p->bwd_rest = bwd && !strcmp(bwd->value, "rest");
    if (bwd && *bwd->value && !p->bwd_rest) return fail(why, "it is 'bwd' or 'bwd=rest', not 'bwd=%s'", bwd->value);
    return true;
}
