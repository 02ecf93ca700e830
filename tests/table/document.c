/* docs/operations.md: the table of rows. What a row supports is found by running its samples, not by what it declares. */
#include "table.h"

/* Does some sample of this dtype run? */
static bool supports(const wn_op *op, wn_dtype dtype) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        WN_SCOPE(scope);
        sample s;
        spec sp = {.dtype = dtype, .domain = seed % 2 ? UNIT : POSITIVE, .seed = seed};
        if (!sample_make(&s, op, sp)) continue;
        result r = op->flags & WN__F_INPLACE_ONLY ? run_row_inplace(&s) : run_row(&s);
        bool ok = !r.status;
        result_free(&r);
        sample_free(&s);
        if (ok) return true;
    }
    return false;
}

/* "all", "float", "all but bool" ...: the set in words, so that the column stays narrow. */
static void dtypes(const wn_op *op, char *text, size_t cap) {
    static const struct {
        unsigned set;
        const char *word;
    } words[] = {{0x3ff, "all"}, {0x1ff, "all but bool"}, {0xf, "floating"}, {0x3f0, "integers, bool"}, {0x1f0, "integers"}, {0x200, "bool"}, {0, "-"}};
    unsigned set = 0;
    bool any = false;
    for (int k = 0; k < op->ntensors; k++) any |= op->fields[op->tensors[k]].kind != WN_K_SCALAR;
    for (int d = WN_F32; d <= WN_BOOL && any; d++)
        if (supports(op, (wn_dtype)d)) set |= 1u << (d - WN_F32);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].set == set) {
            snprintf(text, cap, "%s", words[i].word);
            return;
        }
    size_t at = 0;
    for (int d = WN_F32; d <= WN_BOOL; d++)
        if (set >> (d - WN_F32) & 1 && at < cap) at += (size_t)snprintf(text + at, cap - at, "%s%s", at ? ", " : "", wn_dtype_name((wn_dtype)d));
}

static const char *derivative(const wn_op *op) {
    if (op->cls == WN__COMPOSITE) return "of its parts";
    return op->grad ? "yes" : "-";
}
static const char *deferral(const wn_op *op) {
    if (op->cls == WN__POINTWISE) return op->flags & WN__F_MAY_RAISE ? "-" : "deferred";
    if (op->cls == WN__COMPOSITE) return "its parts";
    if (op->cls == WN__VIEW) return "view";
    return op->flags & WN__F_WAITS ? "takes in what follows" : op->flags & WN__F_LAZY ? "takes in its operands" : "-";
}

/* | would end the cell, < begin a tag, * and _ may begin emphasis */
static void cell(FILE *f, const char *s) {
    for (; *s; s++) {
        if (strchr("|<*_\\", *s)) fputc('\\', f);
        fputc(*s, f);
    }
}

static void rows(FILE *f) {
    const char *family = "";
    int n = 0;
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        char types[200] = "";
        if (strcmp(family, op->family)) {
            family = op->family;
            fprintf(f, "\n## %s\n\n| signature | what | dtypes | derivative | in place | deferral |\n|---|---|---|---|---|---|\n", family);
        }
        dtypes(op, types, sizeof types);
        fprintf(f, "| `%s`", op->signature);
        const bool only = op->flags & WN__F_INPLACE_ONLY;
        char name[128];
        snprintf(name, sizeof name, "%s%s", op->cname, only ? "_" : "");
        if (strcmp(op->name, name)) fprintf(f, " C: `wn_%s`", name);
        fprintf(f, " | ");
        cell(f, op->doc ? op->doc : "");
        fprintf(f, " | %s | %s | %s | %s |\n", types, derivative(op), only ? "only" : op->flags & WN__F_INPLACE ? "yes" : "-", deferral(op));
        n++;
    }
    fprintf(f, "\n%d rows.\n", n);
}

int document(const char *path, bool only_check) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f) return 2;
    fprintf(f, "# The operations\n\n"
               "Written by `make header` (`test_table --document docs/operations.md`), which runs every row with samples of every dtype;\n"
               "`make test` fails when it is stale. A row is torch's operation of that name; in C it is `wn_<name>`, or what stands behind `C:`.\n"
               "Deferral: *deferred*: recorded, and run with its neighbours in one pass; *takes in its operands*: computes pending operands\n"
               "while it reads them; *takes in what follows*: pointwise operations on its result join its pass (docs/deferred.md).\n");
    rows(f);
    fclose(f);
    FILE *old = fopen(path, "rb");
    char *before = calloc(1, n + 2);
    size_t got = old && before ? fread(before, 1, n + 1, old) : 0;
    bool same = got == n && !memcmp(before, text, n);
    if (old) fclose(old);
    int rc = 0;
    if (!same && only_check) {
        fprintf(stderr, "%s is stale: run `make header` and commit it\n", path);
        rc = 1;
    } else if (!same) {
        FILE *now = fopen(path, "wb");
        if (!now || fwrite(text, 1, n, now) != n || fclose(now)) {
            perror(path);
            rc = 2;
        }
    }
    free(before);
    free(text);
    return rc;
}
