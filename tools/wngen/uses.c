/* For each source file, the declarations of those rows that it names, itself or in the headers of src that it includes: the library's
 * files see winnow.h without its operation section, and these (base/api.h). So a new row, or an edit of one, recompiles only what
 * names it. A declaration too many does no harm: words of comments count, too, and a file that pastes
 * names together (wn__op_##name) gets all that begin so. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

enum { USES_ARGS = 1, USES_ID = 2, USES_FN = 4, USES_VJP = 8, USES_TITLE = 16, USES_FACT = 32, MAX_FILES = 2000 };

typedef struct word {
    char text[96];
    int op, what;
} word;
static word *words;
static size_t nwords, words_cap;

typedef struct file {
    char path[256];
    unsigned char *uses; /* of each row; NULL: there is no such file in src */
} file;
static file files[MAX_FILES];
static int nfiles;

static int by_text(const void *a, const void *b) { return strcmp(((const word *)a)->text, ((const word *)b)->text); }

static void add_word(int row, int what, const char *before, const char *name, const char *after) {
    if (nwords == words_cap) {
        words_cap = words_cap ? words_cap * 2 : 8192;
        words = realloc(words, words_cap * sizeof *words);
        if (!words) fatal(NULL, "out of memory");
    }
    word *w = &words[nwords++];
    w->op = row;
    w->what = what;
    if ((size_t)snprintf(w->text, sizeof w->text, "%s%.*s%s", before, (int)strcspn(name, "("), name, after) >= sizeof w->text) fatal(&ops[row], "its names are too long");
}

static void make_words(void) {
    static const char *const ends[] = {"", "_", "_x", "_inplace_x", "_args", "_out"};
    for (int i = 0; i < nops; i++) {
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) add_word(i, USES_ARGS, "wn_", ops[i].cname, ends[e]);
        add_word(i, USES_ID, "WN__OP_", ops[i].cname, "");
        if (ops[i].row->fn) add_word(i, USES_FN, "", ops[i].row->fn, "");
        if (ops[i].row->infer) add_word(i, USES_FN, "", ops[i].row->infer, "");
        if (ops[i].row->run) add_word(i, USES_FN, "", ops[i].row->run, "");
        if (ops[i].row->vjp) add_word(i, USES_VJP, "", ops[i].row->vjp, "");
        if (ops[i].row->fact) add_word(i, USES_FACT, "", ops[i].row->fact, "");
        if (ops[i].row->title_of) add_word(i, USES_TITLE, "", ops[i].row->title_of, "");
    }
    qsort(words, nwords, sizeof *words, by_text);
}

/* The words that are this text, of n letters, or begin with it. Several rows may have one word: wn_x_ is the in-place form of x, and the plain
 * one of a row x_. */
static void note(const char *text, size_t n, bool begin, unsigned char *uses) {
    size_t low = 0, high = nwords;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strncmp(words[middle].text, text, n) < 0) low = middle + 1;
        else high = middle;
    }
    for (; low < nwords && !strncmp(words[low].text, text, n); low++) {
        const word *w = &words[low];
        if (!begin && w->text[n]) continue;
        uses[w->op] |= (unsigned char)w->what;
        if (ops[w->op].row->fewer) uses[find_op(ops[w->op].row->fewer)] |= (unsigned char)(w->what & USES_ARGS); /* its macro may be that one's */
        uses[args_owner(&ops[w->op])->id] |= (unsigned char)(w->what & USES_ARGS);
    }
}

static void note_words(const char *s, unsigned char *uses) {
    while (*s) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
        if (n > strlen("wn_")) note(s, n, false, uses);
        if (n && !strncmp(s + n, "##", 2) && strncmp(s, "wn__##", 6)) note(s, n, true, uses); /* wn__##f: functions of elements */
        s += n ? n : 1;
    }
}

static const unsigned char *uses_of(const char *root, const char *path);

/* Lines `#include "path"`, of paths from src, are read as if their text stood there. */
static void note_includes(const char *root, const char *s, unsigned char *uses) {
    static const char mark[] = "#include \"";
    for (; (s = strstr(s, mark)); s += strlen(mark)) {
        char path[256];
        if (sscanf(s + strlen(mark), "%200[^\"\n]", path) != 1) continue;
        const unsigned char *more = uses_of(root, path);
        for (int i = 0; more && i < nops; i++) uses[i] |= more[i];
    }
}

static const unsigned char *uses_of(const char *root, const char *path) {
    for (int i = 0; i < nfiles; i++)
        if (!strcmp(files[i].path, path)) return files[i].uses;
    if (nfiles == MAX_FILES) fatal(NULL, "%s: too many source files", path);
    file *f = &files[nfiles++];
    char full[4096];
    snprintf(f->path, sizeof f->path, "%s", path);
    snprintf(full, sizeof full, "%s/%s", root, path);
    FILE *there = fopen(full, "rb");
    if (!there) return NULL;
    fclose(there);
    f->uses = calloc((size_t)nops, 1);
    char *text = read_file(full);
    if (!f->uses) fatal(NULL, "out of memory");
    note_words(text, f->uses);
    note_includes(root, text, f->uses);
    free(text);
    return f->uses;
}

static void declare_functions(FILE *f, const op *o) {
    const wn__row *r = o->row;
    const char *const names[] = {r->fn, r->infer, r->run};
    for (int i = 0; i < 3; i++)
        if (names[i]) emit_prototype(f, o, names[i], false);
}

static const unsigned char *emitted;
static void emit(FILE *f) {
    fprintf(f, "/* The rows that one source file names (base/api.h). Generated by wngen. */\n#ifndef WINNOW_OPERATIONS_H\n");
    for (int i = 0; i < nops; i++)
        if (emitted[i] & USES_ARGS) emit_declarations(f, &ops[i]);
    fprintf(f, "#endif\nstruct wn__call;\nstruct wn__gradctx;\nstruct wn_node;\n");
    for (int i = 0; i < nops; i++) {
        if (emitted[i] & USES_ID) fprintf(f, "enum { WN__OP_%s = %d };\n", ops[i].cname, i);
        if (emitted[i] & USES_FN) declare_functions(f, &ops[i]);
        if (emitted[i] & USES_VJP) emit_prototype(f, &ops[i], ops[i].row->vjp, true);
        if (emitted[i] & USES_FACT) fprintf(f, "struct wn_support *%s(const struct wn__call *c);\n", ops[i].row->fact);
        if (emitted[i] & USES_TITLE) fprintf(f, "int %s(const struct wn_node *n, char *buf, size_t cap);\n", ops[i].row->title_of);
    }
}

/* ops/linalg/qr.c gets dir/uses/ops_linalg_qr.c.h; generated files get dir/uses/all.h. They do without winnow.h, which may be stale. */
void write_uses(const char *dir, const char *root, char *const *sources, int n) {
    unsigned char *all = calloc((size_t)nops, 1);
    if (!all) fatal(NULL, "out of memory");
    emitted = memset(all, USES_ARGS, (size_t)nops);
    generate(dir, "uses/all.h", emit);
    free(all);
    make_words();
    for (int i = 0; i < n; i++) {
        char name[300];
        snprintf(name, sizeof name, "uses/%s.h", sources[i]);
        for (char *s = name + strlen("uses/"); *s; s++)
            if (*s == '/') *s = '_';
        emitted = uses_of(root, sources[i]);
        if (!emitted) fatal(NULL, "%s/%s: %s", root, sources[i], strerror(errno));
        generate(dir, name, emit);
    }
}
