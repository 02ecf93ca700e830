/* The text that help() shows, from the rows: how Python calls the function, then each overload in torch's notation with what
 * it computes. Written when the module is loaded.
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>
#include "wnpy.h"

typedef struct Text {
    char *at;      /* NULL: nothing yet, or no memory */
    size_t length, room;
    bool failed;
} Text;

static void put_n(Text *t, const char *s, size_t n) {
    if (t->failed) return;
    if (t->length + n + 1 > t->room) {
        size_t room = 2 * (t->length + n + 1);
        char *more = PyMem_Realloc(t->at, room);
        if (!more) {
            t->failed = true;
            return;
        }
        t->at = more;
        t->room = room;
    }
    memcpy(t->at + t->length, s, n);
    t->length += n;
    t->at[t->length] = 0;
}

static void put(Text *t, const char *s) { put_n(t, s, strlen(s)); }

/* Puts s, with the word "self" replaced by torch's "input" if `rename`. */
static void put_renamed(Text *t, const char *s, bool rename) {
    const char *from = s, *hit = s;
    while (rename && (hit = strstr(hit, "self"))) {
        bool word = (hit == s || (!isalnum((unsigned char)hit[-1]) && hit[-1] != '_')) && !isalnum((unsigned char)hit[4]) && hit[4] != '_';
        if (word) {
            put_n(t, from, (size_t)(hit - from));
            put(t, "input");
            from = hit + 4;
        }
        hit += 4;
    }
    put(t, from);
}

static bool is_keyword(const char *name) { return !strcmp(name, "from") || !strcmp(name, "lambda") || !strcmp(name, "in"); }

/* Does torch document out=? Ours take it wherever results are made; torch shows it unless the function is a view. */
static bool takes_out(const Function *f, const Signature *s) {
    return !f->method && !f->inplace && s->nresults > 0 && !strstr(wn_op_signature(s->op), "-> Tensor(a)");
}

static void put_fallback(Text *t, const wn_field *field) {
    if (!field->fallback) return;
    put(t, "=");
    put(t, field->fallback);
}

/* "name(input, other, *, alpha=1, out=None)\n--\n\n", CPython's form of a signature; nothing if it has no such form. */
static void put_call(Text *t, const Function *f, const Signature *s) {
    int n, shown = 0;
    const wn_field *field = wn_op_fields(s->op, &n);
    for (int i = 0; i < n; i++)
        if (is_keyword(field[i].torch)) return;
    put(t, f->name);
    put(t, "(");
    bool star = false;
    for (int i = 0; i < n; i++) {
        if (!strcmp(field[i].torch, "out") || (s->creates && field[i].kind == WN_K_DEVICE)) continue; /* written below */
        put(t, shown++ ? ", " : "");
        if (f->method && i == 0) {
            put(t, "$self");
            continue;
        }
        if (field[i].keyword_only && !star) put(t, "*, ");
        star |= field[i].keyword_only;
        if (s->loose_dims && i == (f->method ? 1 : 0)) { /* several ints or one tuple */
            put(t, "*");
            put(t, field[i].torch);
            star = true;
            continue;
        }
        put_renamed(t, field[i].torch, !f->method);
        put_fallback(t, &field[i]);
    }
    if (takes_out(f, s)) put(t, star ? ", out=None" : shown ? ", *, out=None" : "*, out=None");
    if (s->creates && !f->method) put(t, ", layout=None, device=None, pin_memory=False, requires_grad=False");
    put(t, ")\n--\n\n");
}

/* The same for a function whose overloads differ only in types. */
static void put_common_call(Text *t, const Function *f) {
    put_call(t, f, f->sig[0]);
    for (int i = 1; i < f->n; i++) {
        Text other = {0};
        put_call(&other, f, f->sig[i]);
        bool same = other.length == t->length && (!t->length || (other.at && !memcmp(other.at, t->at, t->length)));
        t->failed |= other.failed;
        PyMem_Free(other.at);
        if (!same) {
            t->length = 0;
            return;
        }
    }
}

/* "add.Tensor(Tensor self, ...) -> Tensor"; of an in-place form "add_.Tensor(Tensor(a!) self, ...) -> Tensor(a!)". */
static void put_schema(Text *t, const Function *f, const wn_op *op) {
    const char *schema = wn_op_signature(op);
    size_t name = strcspn(schema, ".(");
    if (!f->inplace || schema[name - 1] == '_') {
        put_renamed(t, schema, !f->method);
        return;
    }
    const char *open = strchr(schema, '('), *rest = open + 1 + strlen("Tensor");
    const char *arrow = strstr(rest, " -> ");
    put_n(t, schema, name);
    put(t, "_");
    put_n(t, schema + name, (size_t)(open - schema) - name);
    put(t, "(Tensor(a!)");
    Text middle = {0};
    put_n(&middle, rest, (size_t)(arrow - rest));
    if (middle.at) put_renamed(t, middle.at, !f->method);
    t->failed |= middle.failed;
    PyMem_Free(middle.at);
    put(t, " -> Tensor(a!)");
}

char *wnpy_document(const Function *f) {
    Text t = {0};
    put_common_call(&t, f);
    for (int i = 0; i < f->n; i++) {
        const wn_op *op = f->sig[i]->op;
        if (i) put(&t, "\n\n");
        put_schema(&t, f, op);
        put(&t, "\n\n");
        put_renamed(&t, wn_op_doc(op), !f->method);
    }
    if (f->inplace && f->sig[0]->nresults == 1) put(&t, f->method ? "\n\nself takes the result, and is returned." : "\n\ninput takes the result, and is returned.");
    if (t.failed) {
        PyMem_Free(t.at);
        PyErr_NoMemory();
        return NULL;
    }
    return t.at;
}
