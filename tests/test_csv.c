/* CSV files: what is read, numbers to the last bit and in any locale, missing values, and what is wrong with the place where. */
#include <dirent.h>
#include <locale.h>
#include <stdint.h>
#include <unistd.h>
#include <zlib.h>
#include "check.h"

static char path[] = "/tmp/winnow-csv-XXXXXX";

static const char *file_of(const char *text, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, n, f) != n || fclose(f)) exit(1);
    return path;
}
#define FILE_OF(text) file_of("" text, sizeof(text) - 1)

static bool shape_is(wn_tensor *t, int64_t rows, int64_t columns) {
    return wn_ok(t) && wn_ndim(t) == 2 && wn_size(t, 0) == rows && wn_size(t, 1) == columns;
}

/* ------------------------------------------------------------------ what is read */

static void test_tables(void) {
    WN_SCOPE(s);
    wn_tensor *t = wn_load_csv(FILE_OF("a,b,c\n1,2,3\n4,5.5,-6e1\n"));
    CHECK(shape_is(t, 2, 3) && wn_dtype_of(t) == WN_F32);
    IS(t, 1, 2, 3, 4, 5.5, -60);
    IS(wn_load_csv(FILE_OF("1,2\n3,4")), 1, 2, 3, 4);                                  /* no names, no end of the last line */
    IS(wn_load_csv(FILE_OF("\xef\xbb\xbfx;y\r\n 1 ;\t2\r\n\r\n3;4\r\n\r\n"), .delimiter = ";"), 1, 2, 3, 4);
    IS(wn_load_csv(FILE_OF("x\ty\n1\t2\n"), .delimiter = "\t"), 1, 2);
    IS(wn_load_csv(FILE_OF("\"a, b\",\"c \"\"d\"\"\ne\"\n\"1\", \"2\" \n")), 1, 2); /* quotes, a line's end between them */
    IS(wn_load_csv(FILE_OF("made by us\n\na,b\n1,2\n"), .skip = 2), 1, 2);
    IS(wn_load_csv(FILE_OF("1,2\n3,4\n"), .header = WN_ON), 3, 4);
    t = wn_load_csv(FILE_OF("a,b\n"));
    CHECK(shape_is(t, 0, 2));
    t = wn_load_csv(FILE_OF("a,b,c,d\n1,x,3,4\n5,y,7,8\n"), .columns = WN_DIMS(-1, 0));
    CHECK(shape_is(t, 2, 2));
    IS(t, 4, 1, 8, 5);
    t = wn_load_csv(FILE_OF("1,0\n0,1\n"), .dtype = WN_BOOL);
    CHECK(wn_ok(t) && wn_dtype_of(t) == WN_BOOL);
    IS(wn_to(t, WN_F64), 1, 0, 0, 1);
    gzFile z = gzopen(path, "wb");
    CHECK(z && gzputs(z, "a,b\n1,2\n") > 0 && gzclose(z) == Z_OK);
    IS(wn_load_csv(path), 1, 2);
}

static void test_columns(void) {
    WN_SCOPE(s);
    wn_archive *a = wn_load_csv_columns(FILE_OF("age,size,member\n41,1.75,true\n-7,.5,FALSE\n"), .dtypes = WN_DTYPES(WN_I64, WN_F32, WN_BOOL));
    CHECK(a && wn_archive_count(a) == 3);
    wn_tensor *age = wn_archive_find(a, "age"), *size = wn_archive_find(a, "size"), *member = wn_archive_find(a, "member");
    CHECK(age && size && member && wn_dtype_of(age) == WN_I64 && wn_dtype_of(size) == WN_F32 && wn_dtype_of(member) == WN_BOOL);
    IS(age, 41, -7);
    IS(size, 1.75, 0.5);
    IS(member, 1, 0);
    wn_archive_free(a);
    a = wn_load_csv_columns(FILE_OF("1,2,3\n"), .columns = WN_DIMS(2, 0), .dtypes = WN_DTYPES(WN_I8, WN_F64));
    CHECK(a && wn_archive_count(a) == 2 && !strcmp(wn_archive_name(a, 0), "2") && !strcmp(wn_archive_name(a, 1), "0"));
    IS(wn_archive_at(a, 0), 3);
    IS(wn_archive_at(a, 1), 1);
    wn_archive_free(a);
}

static void test_missing(void) {
    WN_SCOPE(s);
    IS(wn_load_csv(FILE_OF("a,b\n1,\n,2\nNA,\"\"\n"), .missing = "NA"), 1, NAN, NAN, 2, NAN, NAN);
    IS(wn_load_csv(FILE_OF("1,?\n,2\n"), .missing = "?", .fill = WN_VAL(-1), .dtype = WN_I32), 1, -1, -1, 2);
    IS(wn_load_csv(FILE_OF("1,\n,2\n"), .fill = WN_VAL(0.5)), 1, 0.5, 0.5, 2);
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n3,\n"), .dtype = WN_I32)), path, "line 2, column 2", "missing", ".fill");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,\n"), .dtype = WN_U8, .fill = WN_VAL(300))), "line 1, column 2", ".fill does not fit");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,NA\n"), .header = WN_OFF)), "\"NA\" is no number", "line 1, column 2");
}

/* ------------------------------------------------------------------ numbers */

/* The text as f64 and as f32 against the C library's functions in the locale "C". */
static void same_number(const char *text) {
    WN_SCOPE(s);
    char line[600];
    const double d = strtod(text, NULL);
    const float f = strtof(text, NULL);
    double have_d = 0;
    float have_f = 0;
    const int n = snprintf(line, sizeof line, "%s\n", text);
    wn_tensor *wide = wn_load_csv(file_of(line, (size_t)n), .header = WN_OFF, .dtype = WN_F64), *narrow = wn_load_csv(path, .header = WN_OFF, .dtype = WN_F32);
    const bool read = wn_ok(wide) && wn_ok(narrow) && !wn_to_memory(wide, &have_d, sizeof d, WN_F64) && !wn_to_memory(narrow, &have_f, sizeof f, WN_F32);
    const bool ok = read && !memcmp(&d, &have_d, sizeof d) && !memcmp(&f, &have_f, sizeof f);
    if (!ok) printf("    %s: %a and %a, expected %a and %a\n", text, have_d, (double)have_f, d, (double)f);
    check_(ok, "a number read to the last bit", __LINE__);
}

static uint64_t state = 88172645463325252u;
static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void test_numbers(void) {
    static const char *const hard[] = {"0", "-0", "+5", ".5", "5.", "1e5", "1E+5", "1e-5", "inf", "-INF", "infinity", "0.1", "1e22", "1e23", "9007199254740993", "1e400", "-1e-400",
                                       "4.9e-324", "2.4703282292062327e-324", "2.2250738585072011e-308", "1.7976931348623159e308", "123456789012345678901234567890",
                                       "16777217", "16777219", "1.00000005960464477539062500000000001", "1.000000059604644775390625", "7.0064923216240853546186479164495807e-46",
                                       "1.4e-45", "3.4028235677973366e38", "3.40282356779733623858e38", "1.17549429e-38", "0.30000001192092896", "8.589973e9", "0000000000000000000000000000001.5",
                                       "0.000000000000000000000000000000000000001", "1e0000000000000000000001", "1e-99999999999999999999", "1e99999999999999999999"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) same_number(hard[i]);
    for (int i = 0; i < 3000; i++) {
        char text[64];
        const uint64_t bits = draw();
        double any;
        memcpy(&any, &bits, sizeof any);
        if (i % 3 == 0 && isfinite(any)) snprintf(text, sizeof text, "%.*g", 1 + (int)(draw() % 20), any);
        else if (i % 3 == 1) snprintf(text, sizeof text, "%.*f", (int)(draw() % 12), (double)(int64_t)bits / 1e13);
        else snprintf(text, sizeof text, "%llue%d", (unsigned long long)(bits >> draw() % 60), (int)(draw() % 60) - 40);
        same_number(text);
    }
}

static void test_locales(void) {
    WN_SCOPE(s);
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i])) i++;
    if (i == sizeof names / sizeof *names) printf("no locale with a decimal comma on this machine\n");
    IS(wn_load_csv(FILE_OF("1.5,2.123456789012345678901\n"), .dtype = WN_F64), 1.5, 2.1234567890123457);
    FAILS(wn_ok(wn_load_csv(FILE_OF("1;2,5\n"), .delimiter = ";", .header = WN_OFF)), "\"2,5\" is no number");
    setlocale(LC_ALL, "C");
}

static void test_integers(void) {
    WN_SCOPE(s);
    wn_tensor *t = wn_load_csv(FILE_OF("9223372036854775807,-9223372036854775808\n"), .dtype = WN_I64);
    CHECK(wn_ok(t) && wn_item_i64(wn_max(t)) == INT64_MAX && wn_item_i64(wn_min(t)) == INT64_MIN);
    IS(wn_load_csv(FILE_OF("127,-128,+5\n"), .dtype = WN_I8), 127, -128, 5);
    IS(wn_load_csv(FILE_OF("255,0\n"), .dtype = WN_U8), 255, 0);
    static const struct { const char *text; wn_dtype dtype; const char *why; } bad[] = {
        {"128", WN_I8, "does not fit into int8"}, {"-129", WN_I8, "does not fit"}, {"256", WN_U8, "does not fit into uint8"}, {"-1", WN_U8, "does not fit"},
        {"9223372036854775808", WN_I64, "does not fit"}, {"99999999999999999999999", WN_I64, "does not fit"}, {"32768", WN_I16, "does not fit"}, {"2147483648", WN_I32, "does not fit"},
        {"1.0", WN_I32, "no whole number"}, {"nan", WN_I32, "no whole number"}, {"1x", WN_I32, "no number"}, {"-", WN_I32, "no number"}, {"2", WN_BOOL, "no bool"},
        {"0x10", WN_F32, "no number"}, {"1e", WN_F32, "no number"}, {".", WN_F32, "no number"}, {"1 2", WN_F64, "no number"}, {"--1", WN_F64, "no number"}, {"infx", WN_F64, "no number"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAILS(wn_ok(wn_load_csv(file_of(bad[i].text, strlen(bad[i].text)), .dtype = bad[i].dtype, .header = WN_OFF)), "line 1, column 1", bad[i].why);
}

/* ------------------------------------------------------------------ what is wrong */

static void test_errors(void) {
    WN_SCOPE(s);
    FAILS(wn_ok(wn_load_csv(FILE_OF("a,b\n1,2\n3\n"))), path, "line 3, column 1", "ends after 1 fields", "first one has 2");
    FAILS(wn_ok(wn_load_csv(FILE_OF("a,b\n1,2,3\n"))), "line 2, column 3", "more fields than the 2");
    FAILS(wn_ok(wn_load_csv(FILE_OF("a,b\n1,2\n\"3\n,4"))), "line 3, column 1", "a quote is not closed");
    FAILS(wn_ok(wn_load_csv(FILE_OF("a,b\n1,\"2\"x\n"))), "line 2, column 2", "text behind a closing quote");
    FAILS(wn_ok(wn_load_csv(FILE_OF("a,b\n1,2\0\n"))), "line 2, column 2", "a byte 0");
    FAILS(wn_ok(wn_load_csv(FILE_OF("sepal,1\n2,3\n"))), "line 1", ".header");
    FAILS(wn_ok(wn_load_csv(FILE_OF(""))), path, "no lines");
    FAILS(wn_ok(wn_load_csv(FILE_OF("\n \n\r\n"))), path, "no lines");
    FAILS(wn_ok(wn_load_csv(FILE_OF("a\n\xff\xfe\n"))), "line 2, column 1", "\\xff\\xfe");
    FAILS(wn_ok(wn_load_csv("/nonexistent.csv")), "/nonexistent.csv");
    FAILS(wn_ok(wn_load_csv("/tmp")), "directory");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .delimiter = ",,")), "delimiter");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .delimiter = "")), "delimiter");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .columns = WN_DIMS(2))), path, ".columns has 2", "2 columns");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .columns = WN_DIMS(1, -1))), "column 1 twice");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .dtypes = WN_DTYPES(WN_F32))), ".dtypes has 1", "2 columns");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .dtypes = WN_DTYPES(WN_F32, WN_I64))), "float32 and int64", "wn_load_csv_columns");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .dtype = WN_F16)), "float16", "f32");
    FAILS(wn_ok(wn_load_csv(FILE_OF("1,2\n"), .dtype = (wn_dtype)77)), "77 is no dtype");
    FAILS(wn_load_csv_columns(FILE_OF("x,y,x\n1,2,3\n")), "two columns have the name \"x\"");
    FAILS(wn_load_csv_columns(FILE_OF("x,\xff\n1,2\n")), "line 1, column 2", "UTF-8");
    FAILS(wn_ok(wn_load_csv(FILE_OF("\x1f\x8b\x08 no gzip"))), path);
}

/* A field, and a line, that do not end. */
static void test_hostile(void) {
    WN_SCOPE(s);
    const size_t n = (size_t)3 << 20;
    char *text = malloc(n);
    if (!text) exit(1);
    memset(text, '7', n);
    FAILS(wn_ok(wn_load_csv(file_of(text, n))), "line 1, column 1", "longer than");
    memset(text, ',', n);
    FAILS(wn_ok(wn_load_csv(file_of(text, n))), "more than", "columns");
    memset(text, '"', n);
    FAILS(wn_ok(wn_load_csv(file_of(text, n))), "line 1, column 1");
    memset(text, '\n', n);
    FAILS(wn_ok(wn_load_csv(file_of(text, n))), "no lines");
    for (size_t i = 0; i < n; i++) text[i] = i % 2 ? '\n' : '1';
    CHECK(shape_is(wn_load_csv(file_of(text, n), .dtype = WN_U8), (int64_t)n / 2, 1));
    free(text);
}

static int open_files(void) {
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n;
}

/* Each allocation fails once: an error record, and nothing is lost. */
static void test_memory(void) {
    FILE_OF("a,b\n1,2\n3,4\n5,6\n");
    wn_set_error_hook(NULL);
    const int64_t handles = wn_get_stats().handles;
    const int files = open_files();
    bool hit = true;
    for (int64_t i = 0; hit && i < 100; i++) {
        WN_SCOPE(s);
        wn_fail_allocation(i);
        wn_tensor *t = wn_load_csv(path);
        wn_archive *a = wn_load_csv_columns(path);
        hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        CHECK(hit ? wn_error() == WN_E_MEMORY && (!wn_ok(t) || !a) : wn_ok(t) && a != NULL);
        wn_archive_free(a);
        wn_clear();
    }
    CHECK(!hit && wn_get_stats().handles == handles && open_files() == files);
}

int main(void) {
    const int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    wn_set_error_hook(NULL);
    test_tables();
    test_columns();
    test_missing();
    test_numbers();
    test_locales();
    test_integers();
    test_errors();
    test_hostile();
    test_memory();
    unlink(path);
    return report();
}
