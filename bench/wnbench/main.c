/* wnbench [options] [problem...]: one JSON line for each problem. */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const help =
    "wnbench [--threads N] [--time SECONDS] [--cpu] [--quick] [problem...]\n"
    "    times each problem (none given: those of --list) and prints one JSON line for it\n"
    "    --cpu: processor time instead of wall time (one thread, on a busy machine)\n"
    "wnbench --list [--quick]       the problems, one a line, after their family and a tab\n"
    "wnbench --runs N problem       runs it N times and prints nothing: for callgrind\n"
    "wnbench --serve                commands on standard input, for versus_torch.py\n"
    "A problem is one argument: 'matmul f32 512x512,512x512t'. bench/README.md describes them.\n";

static bool is_optim(const char *name) { return !strcmp(name, "adam") || !strcmp(name, "adamw") || !strcmp(name, "sgd"); }

job *job_new(const char *text, char *why) {
    job *j = calloc(1, sizeof *j);
    *why = 0;
    if (!j) {
        fail(why, "there is no memory");
        return NULL;
    }
    problem *p = &j->problem;
    const bool good = parse_problem(text, p, why) && (!strcmp(p->name, "op")     ? percall_job(j, why)
                                                      : !strcmp(p->name, "step") ? step_job(j, why)
                                                      : is_optim(p->name)        ? optim_job(j, why)
                                                      : !strncmp(p->name, "fused_", 6) ? fused_job(j, why)
                                                                                 : row_job(j, why));
    if (good) return j;
    job_free(j);
    wn_clear();
    return NULL;
}

void job_free(job *j) {
    if (j && j->free) j->free(j);
    free(j);
}

/* ------------------------------------------------------------------------------------------------------ JSON */

static void json_text(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') putchar('\\');
        putchar((unsigned char)*s < 32 ? ' ' : *s);
    }
    putchar('"');
}

static void json_number(const char *key, bool known, double v) {
    if (known && isfinite(v)) printf(", \"%s\": %.6g", key, v);
    else printf(", \"%s\": null", key);
}

static void print_measurement(const job *j, const measurement *m) {
    printf("{\"problem\": ");
    json_text(j->problem.text);
    printf(", \"median_ns\": %.7g, \"min_ns\": %.7g, \"spread\": %.3g", m->median_ns, m->min_ns, m->spread);
    json_number("gbps", j->bytes > 0, j->bytes / m->median_ns);
    json_number("gflops", j->flops > 0, j->flops / m->median_ns);
    json_number("instructions", m->instructions >= 0, m->instructions);
    printf(", \"elements\": %.10g, \"faults\": %.4g, \"system_allocations\": %.4g, \"runs\": %lld, \"level\": \"%s\", \"threads\": %d}\n", m->elements,
           m->faults, m->blocks, (long long)m->runs, wn_level(), wn_num_threads());
    fflush(stdout);
}

/* ----------------------------------------------------------------------------------------------------- serve */

static void serve_error(const char *why) {
    printf("{\"error\": ");
    json_text(why);
    printf("}\n");
}

/* As Python's json reads and writes what is no number of JSON's. */
static void json_value(double x) {
    if (isfinite(x)) printf("%.17g", x);
    else printf(isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity");
}

static void serve_one(job **current, char *line) {
    char why[MAX_WHY] = "", command[16] = "";
    double seconds = 0, sums[2];
    int at = 0;
    measurement m;
    if (sscanf(line, "%15s %n", command, &at) < 1) return;
    char *text = line + at;
    if (!strcmp(command, "threads")) {
        wn_set_num_threads(atoi(text));
        printf("{\"threads\": %d, \"level\": \"%s\"}\n", wn_num_threads(), wn_level());
        return;
    }
    if (!strcmp(command, "clock")) {
        measure_cpu_time(!strcmp(text, "cpu"));
        printf("{}\n");
        return;
    }
    if (!strcmp(command, "time")) { /* time SECONDS problem */
        char *end;
        seconds = strtod(text, &end);
        text = end + strspn(end, " ");
    }
    if (!*current || strcmp((*current)->problem.text, text)) {
        job_free(*current);
        *current = job_new(text, why);
        if (!*current) {
            serve_error(why);
            return;
        }
    }
    job *j = *current;
    if (!strcmp(command, "time")) {
        if (measure(j, seconds, &m)) print_measurement(j, &m);
        else serve_error(wn_error_message());
    } else if (!strcmp(command, "tally")) {
        tally t;
        if (tally_run(j, &t))
            printf("{\"peak\": %lld, \"programs\": %lld, \"instr_elements\": %lld, \"skipped\": %lld, \"stored\": %lld, \"recomputed\": %lld, \"pinned_peak\": %lld}\n",
                   (long long)t.peak, (long long)t.programs, (long long)t.instr_elements, (long long)t.skipped, (long long)t.stored, (long long)t.recomputed,
                   (long long)t.pinned_peak);
        else serve_error(wn_error_message());
    } else if (!strcmp(command, "check") && j->check) {
        if (j->check(j, sums)) {
            printf("{\"sum\": ");
            json_value(sums[0]);
            printf(", \"magnitude\": ");
            json_value(sums[1]);
            printf("}\n");
        } else {
            serve_error(wn_error_message());
        }
    } else if (!strcmp(command, "check")) {
        printf("{}\n");
    } else if (!strcmp(command, "spec")) {
        printf("{\"problem\": ");
        json_text(text);
        json_number("bytes", j->bytes > 0, j->bytes);
        json_number("flops", j->flops > 0, j->flops);
        if (j->spec) j->spec(j);
        printf("}\n");
    } else serve_error("the commands are: spec P, check P, tally P, time SECONDS P, threads N, clock cpu|wall");
    wn_clear();
}

/* One command a line, one JSON line for each; the last problem stays ready. */
static int serve(void) {
    static char line[MAX_TEXT + 64];
    job *current = NULL;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        serve_one(&current, line);
        fflush(stdout);
    }
    job_free(current);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ main */

static int wrong(const char *text, const char *why) {
    fflush(stdout);
    fprintf(stderr, "wnbench: '%s': %s\n", text, why);
    return 2;
}

/* 0, or 2 for a problem that is none; 1 when it failed later. */
static int one(const char *text, double seconds, int64_t runs) {
    char why[MAX_WHY];
    measurement m;
    job *j = job_new(text, why);
    if (!j) return wrong(text, why);
    bool good = true;
    if (runs >= 0)
        while (good && runs-- > 0) good = j->run(j);
    else {
        good = measure(j, seconds, &m);
        if (good) print_measurement(j, &m);
    }
    if (!good) fprintf(stderr, "wnbench: '%s': %s\n", text, wn_error_message());
    job_free(j);
    return !good;
}

int main(int argc, char **argv) {
    double seconds = 0.5;
    int64_t runs = -1;
    bool list = false, quick = false, served = false;
    int first = argc, status = 0;
    counters_open();
    wn_set_error_hook(NULL);
    for (int i = 1; i < argc && first == argc; i++) {
        const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(a, "--list")) list = true;
        else if (!strcmp(a, "--quick")) quick = true;
        else if (!strcmp(a, "--serve")) served = true;
        else if (!strcmp(a, "--cpu")) measure_cpu_time(true);
        else if (!strcmp(a, "--help") || !strcmp(a, "-h")) return fputs(help, stdout) < 0;
        else if (!strcmp(a, "--threads") && value && atoi(value) > 0) wn_set_num_threads(atoi(argv[++i]));
        else if (!strcmp(a, "--time") && value && atof(value) > 0) seconds = atof(argv[++i]);
        else if (!strcmp(a, "--runs") && value) runs = atoll(argv[++i]);
        else if (*a == '-') return wrong(a, "is not an option, or its number is missing; --help lists them");
        else first = i;
    }
    if (served) return serve();
    for (int i = first; i < argc; i++) {
        const int s = one(argv[i], seconds, runs);
        if (s > status) status = s;
    }
    for (int i = 0; first == argc && i < problem_list_n; i++) {
        const listed *p = &problem_list[i];
        if (quick && !p->quick) continue;
        if (list) printf("%s\t%s\n", p->family, p->text);
        else if (one(p->text, seconds, runs)) status = 1; /* the others still run */
    }
    return status;
}
