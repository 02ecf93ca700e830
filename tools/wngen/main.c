/* wngen --gen DIR        writes rows.c, express.c, builders.c, kernels.inc, reference.inc into DIR
 * wngen --uses DIR HEADER ROOT SOURCE...  winnow_base.h, winnow.h without its operation section, and uses/ (uses.c)
 * wngen --header FILE    rewrites the operation section of winnow.h in place
 * wngen --check FILE     exit status 1 when that section is stale
 * wngen --hpp FILE       the same two for the C++ overlay, winnow.hpp
 * wngen --check-hpp FILE
 * wngen --explain ROW... says in words what rows' texts mean (explain.c)
 * wngen --defaults       which rows have which attribute from their family */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

static const char BEGIN[] = "/* BEGIN GENERATED (make header) */\n", END[] = "/* END GENERATED */";

char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) fatal(NULL, "%s: %s", path, strerror(errno));
    size_t n = 0, cap = 1 << 16;
    char *buf = malloc(cap);
    for (size_t got; buf && (got = fread(buf + n, 1, cap - n - 1, f)) > 0;) {
        n += got;
        if (cap - n < 4096) buf = realloc(buf, cap *= 2);
    }
    fclose(f);
    if (!buf) fatal(NULL, "out of memory");
    buf[n] = 0;
    return buf;
}

/* Leaves a file untouched when its text would not change, so that nothing is rebuilt for nothing. */
static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "rb");
    if (f) {
        fclose(f);
        char *old = read_file(path);
        bool same = !strcmp(old, text);
        free(old);
        if (same) return;
    }
    f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) fatal(NULL, "%s: %s", path, strerror(errno));
}

void generate(const char *dir, const char *name, void (*emit)(FILE *)) {
    char *text = NULL, path[4096];
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) fatal(NULL, "out of memory");
    emit(f);
    fclose(f);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    write_file(path, text);
    free(text);
}

/* The part of winnow.h that no row changes. */
static const char *base_text;
static void emit_base(FILE *f) { fputs(base_text, f); }
static void base(const char *dir, const char *path) {
    char *text = read_file(path), *end = strstr(text, "#ifndef WINNOW_OPERATIONS_H");
    if (!end) fatal(NULL, "%s: the operation section has no guard", path);
    *end = 0;
    base_text = text;
    generate(dir, "winnow_base.h", emit_base);
    free(text);
}

static int header(const char *path, void (*emit)(FILE *), bool check) {
    char *old = read_file(path), *begin = strstr(old, BEGIN), *end = strstr(old, END), *text = NULL;
    if (!begin || !end) fatal(NULL, "%s: the markers of the generated section are missing", path);
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) fatal(NULL, "out of memory");
    fwrite(old, 1, (size_t)(begin - old) + strlen(BEGIN), f);
    emit(f);
    fputs(end, f);
    fclose(f);
    bool same = !strcmp(old, text);
    if (check && !same) fprintf(stderr, "%s: the operation section is stale: run `make header` and commit it\n", path);
    if (!check) write_file(path, text);
    free(text);
    free(old);
    return check && !same;
}

int main(int argc, char **argv) {
    const bool uses = argc > 4 && !strcmp(argv[1], "--uses"), explains = argc > 2 && !strcmp(argv[1], "--explain");
    const bool defaults = argc == 2 && !strcmp(argv[1], "--defaults");
    if (argc != 3 && !uses && !explains && !defaults) {
        fprintf(stderr, "usage: wngen --gen DIR | --uses DIR HEADER ROOT SOURCE... | --header FILE | --check FILE | --hpp FILE | --check-hpp FILE | --explain ROW... | --defaults\n");
        return 2;
    }
    parse_rows();
    if (defaults) return print_defaults(), 0;
    if (uses) {
        base(argv[2], argv[3]);
        write_uses(argv[2], argv[4], argv + 5, argc - 5);
        return 0;
    }
    resolve_roles();
    analyse_gradients();
    if (explains) return explain(argv + 2, argc - 2);
    if (!strcmp(argv[1], "--header")) return header(argv[2], emit_header_section, false);
    if (!strcmp(argv[1], "--check")) return header(argv[2], emit_header_section, true);
    if (!strcmp(argv[1], "--hpp")) return header(argv[2], emit_hpp_section, false);
    if (!strcmp(argv[1], "--check-hpp")) return header(argv[2], emit_hpp_section, true);
    if (strcmp(argv[1], "--gen")) fatal(NULL, "unknown option %s", argv[1]);
    generate(argv[2], "rows.c", emit_rows);
    generate(argv[2], "express.c", emit_express);
    generate(argv[2], "builders.c", emit_builders);
    generate(argv[2], "kernels.inc", emit_kernels);
    generate(argv[2], "reference.inc", emit_reference);
    return 0;
}
