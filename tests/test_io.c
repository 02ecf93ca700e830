/* Files: round trips, the very bytes that the Python packages write, damaged and hostile files, interrupted and failing saves,
 * allocation failures. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "data/io_files.h"
#include "winnow.h"

static int passed, failed;
static char dir[64];

__attribute__((format(printf, 2, 3))) static bool check(bool ok, const char *fmt, ...) {
    if (ok) {
        passed++;
        return true;
    }
    failed++;
    va_list ap;
    va_start(ap, fmt);
    printf("FAILED ");
    vprintf(fmt, ap);
    va_end(ap);
    printf(" [record: %d %s]\n", (int)wn_error(), wn_error_message());
    return false;
}

/* ------------------------------------------------------------------ helpers */

static const char *in_dir(const char *name) {
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

static void write_file(const char *path, const void *data, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f) != 0) {
        printf("cannot write %s\n", path);
        exit(1);
    }
}

static unsigned char *read_file(const char *path, size_t *n) {
    FILE *f = fopen(path, "rb");
    unsigned char *p = NULL;
    *n = 0;
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    p = malloc(*n + 1);
    if (!p || fread(p, 1, *n, f) != *n) exit(1);
    fclose(f);
    return p;
}

static bool file_is(const char *path, const void *expected, size_t n) {
    size_t got;
    unsigned char *p = read_file(path, &got);
    bool ok = p && got == n && memcmp(p, expected, n) == 0;
    free(p);
    return ok;
}

/* Is there nothing in the directory but `expected` files? */
static int count_files(const char *path) {
    DIR *d = opendir(path);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    if (d) closedir(d);
    return n;
}

/* The last call failed with a record that says where (a part of it) and why. */
static void expect_error(const char *what, const char *part, const char *why) {
    const char *m = wn_error_message();
    check(wn_error() != WN_OK && strstr(m, part) && strstr(m, why), "%s: message lacks \"%s\" or \"%s\"", what, part, why);
    wn_clear();
}

static bool bytes_are(wn_tensor *t, const void *expected, size_t n) {
    static unsigned char buf[1 << 16];
    if (!wn_ok(t) || n > sizeof buf || (size_t)wn_numel(t) * wn_dtype_size(wn_dtype_of(t)) != n) return false;
    return wn_to_memory(t, buf, n, wn_dtype_of(t)) == WN_OK && memcmp(buf, expected, n) == 0;
}

/* The numbers -1, 0, 1 (u8, bool: 0 1 2, 1 0 1) as bytes of each dtype. */
static const unsigned char *three(wn_dtype d, size_t *n) {
    static const float f32[] = {-1, 0, 1};
    static const double f64[] = {-1, 0, 1};
    static const uint16_t f16[] = {0xbc00, 0, 0x3c00}, bf16[] = {0xbf80, 0, 0x3f80};
    static const int8_t i8[] = {-1, 0, 1};
    static const int16_t i16[] = {-1, 0, 1};
    static const int32_t i32[] = {-1, 0, 1};
    static const int64_t i64[] = {-1, 0, 1};
    static const uint8_t u8[] = {0, 1, 2}, flags[] = {1, 0, 1};
    static const void *const all[] = {NULL, f32, f64, f16, bf16, i8, i16, i32, i64, u8, flags};
    *n = 3 * wn_dtype_size(d);
    return all[d];
}

static wn_tensor *vector3(wn_dtype d) {
    size_t n;
    const void *p = three(d, &n);
    return wn_from_data(p, WN_DIMS(3), d);
}

/* ------------------------------------------------------------------ safetensors */

static void test_safetensors_bytes(void) {
    WN_SCOPE(s);
    const char *path = in_dir("a.safetensors");
    float values[6] = {0, 1, 2, 3, 4, 5}, scalar = 2.5f;
    uint8_t seven = 7;
    const char *odd = "a\"b\\c\n\x01\xc3\xa9/\xf0\x9f\x98\x80";
    wn_list l = WN_LIST(vector3(WN_BOOL), vector3(WN_U8), vector3(WN_I8), vector3(WN_I16), vector3(WN_F16), vector3(WN_BF16),
                        vector3(WN_I32), vector3(WN_F32), vector3(WN_F64), vector3(WN_I64),
                        wn_from_data(&scalar, WN_0D, WN_F32), wn_from_data(NULL, WN_DIMS(0, 3), WN_F32),
                        wn_from_data(values, WN_DIMS(2, 3), WN_F32), wn_from_data(&seven, WN_DIMS(1), WN_U8));
    const char *const *names = WN_NAMES("b", "u8", "i8", "i16", "f16", "bf16", "i32", "f32", "f64", "i64", "scalar", "empty",
                                        "matrix", odd);
    check(wn_save_safetensors(path, names, l, .metadata = WN_NAMES("k\"ey", "v\n\xc3\xa9", NULL)) == WN_OK, "save");
    check(file_is(path, file_safetensors, sizeof file_safetensors), "the bytes of the Python package");
    check(wn_save_safetensors(path, NULL, WN_NO_LIST) == WN_OK, "save nothing");
    check(file_is(path, file_safetensors_empty, sizeof file_safetensors_empty), "the bytes of an empty file");

    write_file(path, file_safetensors, sizeof file_safetensors);
    wn_archive *a = wn_load_safetensors(path);
    check(a && wn_archive_count(a) == l.n, "load what Python wrote");
    for (int64_t i = 0; a && i < l.n; i++) {
        wn_tensor *t = wn_archive_find(a, names[i]);
        size_t n = (size_t)wn_numel(l.v[i]) * wn_dtype_size(wn_dtype_of(l.v[i]));
        check(t && wn_dtype_of(t) == wn_dtype_of(l.v[i]) && bytes_are(t, wn_data(l.v[i]), n), "tensor %s", names[i]);
        check(t && wn_ndim(t) == wn_ndim(l.v[i]), "dimensions of %s", names[i]);
    }
    const char *value = NULL, *meta = wn_archive_metadata(a, "k\"ey");
    check(meta && strcmp(meta, "v\n\xc3\xa9") == 0, "metadata");
    check(wn_archive_metadata_at(a, 0, &value) && value == meta && !wn_archive_metadata_at(a, 1, &value), "metadata by number");
    check(wn_archive_find(a, "nothing") == NULL && !wn_archive_metadata(a, "nothing") && wn_error() == WN_OK, "absent names");
    check(!wn_ok(wn_archive_at(a, l.n)), "out of range");
    expect_error("archive_at", "14 is out of range", "14 tensors");
    wn_tensor *first = wn_archive_at(a, 0), *last = wn_archive_at(a, -1);
    check(wn_archive_name(a, 0) && !wn_archive_name(a, l.n), "names by number");
    wn_archive_free(a);
    check(wn_ok(first) && bytes_are(last, "\1\0\1", 3), "tensors outlive the archive");
}

/* Every dtype, shape and layout survives. */
static void round_trip(wn_dtype d, wn_dims shape, wn_dims strides, const char *what) {
    WN_SCOPE(s);
    static unsigned char data[4096], plain[4096], flags[4096];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (unsigned char)(i * 37 + i / 256);
        flags[i] = data[i] & 1;
    }
    wn_tensor *t = wn_from_memory(d == WN_BOOL ? flags : data, shape, strides, d, NULL, NULL);
    size_t n = (size_t)wn_numel(t) * wn_dtype_size(d);
    if (!check(wn_ok(t) && wn_to_memory(t, plain, n, d) == WN_OK, "%s", what)) return;
    const char *st = in_dir("r.safetensors"), *npy = in_dir("r.npy");
    check(wn_save_safetensors(st, WN_NAMES("t"), WN_LIST(t)) == WN_OK, "save %s %s", wn_dtype_name(d), what);
    wn_archive *a = wn_load_safetensors(st);
    wn_tensor *u = wn_archive_find(a, "t");
    check(u && wn_dtype_of(u) == d && wn_ndim(u) == wn_ndim(t) && bytes_are(u, plain, n), "load %s %s", wn_dtype_name(d), what);
    for (int i = 0; u && i < wn_ndim(t); i++) check(wn_size(u, i) == wn_size(t, i), "size %d of %s", i, what);
    wn_archive_free(a);
    a = wn_map_safetensors(st);
    u = wn_archive_find(a, "t");
    wn_archive_free(a); /* the tensor holds the mapping */
    check(u && wn_dtype_of(u) == d && wn_ndim(u) == wn_ndim(t) && bytes_are(u, plain, n), "map %s %s", wn_dtype_name(d), what);
    if (d == WN_BF16) return;
    check(wn_save_npy(t, npy) == WN_OK, "save npy %s %s", wn_dtype_name(d), what);
    u = wn_load_npy(npy);
    check(wn_ok(u) && wn_dtype_of(u) == d && wn_ndim(u) == wn_ndim(t) && bytes_are(u, plain, n), "load npy %s %s",
          wn_dtype_name(d), what);
    for (int i = 0; wn_ok(u) && i < wn_ndim(t); i++) check(wn_size(u, i) == wn_size(t, i), "npy size %d of %s", i, what);
    u = wn_map_npy(npy);
    check(wn_ok(u) && wn_dtype_of(u) == d && wn_ndim(u) == wn_ndim(t) && bytes_are(u, plain, n), "map npy %s %s", wn_dtype_name(d), what);
}

static void test_round_trips(void) {
    for (int d = WN_F32; d <= WN_BOOL; d++) {
        wn_dims row_major = WN_UNSET;
        round_trip((wn_dtype)d, WN_0D, row_major, "0-d");
        round_trip((wn_dtype)d, WN_DIMS(7), row_major, "vector");
        round_trip((wn_dtype)d, WN_DIMS(0), row_major, "empty");
        round_trip((wn_dtype)d, WN_DIMS(3, 0, 2), row_major, "no elements");
        round_trip((wn_dtype)d, WN_DIMS(2, 3, 4), row_major, "3-d");
        round_trip((wn_dtype)d, WN_DIMS(1, 1, 1), row_major, "ones");
        round_trip((wn_dtype)d, WN_DIMS(3, 4), WN_DIMS(1, 3), "transposed");
        round_trip((wn_dtype)d, WN_DIMS(2, 3, 4), WN_DIMS(1, 8, 2), "permuted");
        round_trip((wn_dtype)d, WN_DIMS(4, 3, 2), WN_DIMS(1, 4, 12), "Fortran order");
        round_trip((wn_dtype)d, WN_DIMS(3, 5), WN_DIMS(20, 3), "sliced");
        round_trip((wn_dtype)d, WN_DIMS(3, 5), WN_DIMS(0, 1), "expanded");
        round_trip((wn_dtype)d, WN_DIMS(4, 1, 3), WN_DIMS(9, 77, 2), "a one between");
        round_trip((wn_dtype)d, WN_DIMS(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2), row_major, "16-d");
    }
}

/* Larger than all buffers, strided: the pieces meet where they should. */
static void test_large(void) {
    WN_SCOPE(s);
    int64_t rows = 701, cols = 333;
    size_t n = (size_t)(rows * cols);
    int32_t *data = malloc(n * 4), *got = malloc(n * 4);
    for (size_t i = 0; i < n; i++) data[i] = (int32_t)i;
    wn_tensor *t = wn_from_memory(data, WN_DIMS(cols, rows), WN_DIMS(1, cols), WN_I32, NULL, NULL);
    wn_tensor *gap = wn_from_memory(data, WN_DIMS(rows, cols / 2), WN_DIMS(cols, 2), WN_I32, NULL, NULL);
    check(wn_save_safetensors(in_dir("l"), WN_NAMES("t", "gap"), WN_LIST(t, gap)) == WN_OK, "save large");
    wn_archive *a = wn_load_safetensors(in_dir("l"));
    bool ok = a && wn_to_memory(wn_archive_find(a, "t"), got, n * 4, WN_I32) == WN_OK;
    for (int64_t c = 0; ok && c < cols; c++)
        for (int64_t r = 0; ok && r < rows; r++) ok = got[c * rows + r] == r * cols + c;
    check(ok, "large transposed");
    ok = a && wn_to_memory(wn_archive_find(a, "gap"), got, (size_t)(rows * (cols / 2)) * 4, WN_I32) == WN_OK;
    for (int64_t r = 0; ok && r < rows; r++)
        for (int64_t c = 0; ok && c < cols / 2; c++) ok = got[r * (cols / 2) + c] == r * cols + 2 * c;
    check(ok, "large with gaps");
    wn_archive_free(a);
    free(data);
    free(got);
}

/* Mapped tensors can be written, the file stays as it is; what cannot lie in the file is read. */
static void test_mapped(void) {
    WN_SCOPE(s);
    static float values[3000];
    const char *st = in_dir("mapped"), *npy = in_dir("mapped.npy");
    wn_tensor *t = wn_from_memory(values, WN_DIMS(3000), WN_DIMS(1), WN_F32, NULL, NULL);
    check(wn_save_safetensors(st, WN_NAMES("t"), WN_LIST(t)) == WN_OK && wn_save_npy(t, npy) == WN_OK, "save");
    for (int k = 0; k < 2; k++) {
        wn_archive *a = k ? NULL : wn_map_safetensors(st);
        wn_tensor *u = k ? wn_map_npy(npy) : wn_archive_find(a, "t");
        wn_archive_free(a);
        check(wn_ok(wn_fill_(u, 7)) && wn_item_f64(wn_sum(u)) == 21000, "a mapped tensor is written");
        a = k ? NULL : wn_load_safetensors(st);
        u = k ? wn_load_npy(npy) : wn_archive_find(a, "t");
        check(wn_item_f64(wn_sum(u)) == 0, "the file is not");
        wn_archive_free(a);
    }
    static const char odd[] = "{\"b\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[0,3]},"
                              "\"f\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[3,7]}}";
    unsigned char file[sizeof odd + 16] = {sizeof odd - 1};
    memcpy(file + 8, odd, sizeof odd - 1);
    memcpy(file + 8 + sizeof odd - 1, "\0\7\1\0\0\x80\x3f", 7);
    write_file(st, file, 8 + sizeof odd - 1 + 7);
    wn_archive *a = wn_map_safetensors(st);
    check(bytes_are(wn_archive_find(a, "b"), "\0\1\1", 3), "bools become 0 and 1");
    check(wn_item_f64(wn_archive_find(a, "f")) == 1, "what is not aligned is read");
    wn_archive_free(a);
    write_file(npy, npy_big_f4, sizeof npy_big_f4);
    check(wn_item_f64(wn_sum(wn_map_npy(npy))) == wn_item_f64(wn_sum(wn_load_npy(npy))), "the other byte order is read");
}

static void test_save_refusals(void) {
    WN_SCOPE(s);
    const char *path = in_dir("refused");
    wn_tensor *t = vector3(WN_F32);
    check(wn_save_safetensors(path, WN_NAMES("a", "a"), WN_LIST(t, t)) != WN_OK, "duplicate names");
    expect_error("duplicate names", path, "two tensors are called \"a\"");
    check(wn_save_safetensors(path, WN_NAMES("__metadata__"), WN_LIST(t)) != WN_OK, "reserved name");
    expect_error("reserved name", path, "__metadata__");
    check(wn_save_safetensors(path, WN_NAMES("\xff"), WN_LIST(t)) != WN_OK, "bad UTF-8");
    expect_error("bad UTF-8", path, "\\xff\" is not UTF-8");
    check(wn_save_safetensors(path, WN_NAMES("a"), WN_LIST(t), .metadata = WN_NAMES("k", "\xc0\x80", NULL)) != WN_OK, "metadata");
    expect_error("bad metadata", path, "not UTF-8");
    check(wn_save_safetensors(path, WN_NAMES("a"), WN_LIST(t), .metadata = WN_NAMES("k", NULL)) != WN_OK, "no value");
    expect_error("no value", path, "has no value");
    check(wn_save_safetensors(path, WN_NAMES("a"), WN_LIST(NULL)) != WN_OK, "absent tensor");
    expect_error("absent tensor", path, "absent");
    check(wn_save_safetensors(path, NULL, WN_LIST(t)) != WN_OK, "no names");
    expect_error("no names", "names", "missing");
    check(wn_save_safetensors(NULL, WN_NAMES("a"), WN_LIST(t)) != WN_OK, "no path");
    expect_error("no path", "path", "no path");
    check(wn_save_npy(vector3(WN_BF16), path) != WN_OK, "bf16 npy");
    expect_error("bf16", path, "bfloat16");
    check(wn_save_npy(NULL, path) != WN_OK, "NULL npy");
    expect_error("NULL", path, "absent");
    check(access(path, F_OK) != 0, "nothing was written");
}

/* A header as text (length and data put around it) and what the message must say. */
static void hostile(const char *header, size_t data, const char *why) {
    static unsigned char file[70000];
    size_t n = strlen(header);
    const char *path = in_dir("hostile.safetensors");
    memset(file, 0, sizeof file);
    for (int i = 0; i < 8; i++) file[i] = (unsigned char)((uint64_t)n >> (8 * i));
    memcpy(file + 8, header, n);
    write_file(path, file, 8 + n + data);
    wn_archive *a = wn_load_safetensors(path);
    check(a == NULL, "hostile header accepted: %.200s", header);
    wn_archive_free(a);
    expect_error(header, path, why);
    a = wn_map_safetensors(path);
    check(a == NULL, "hostile header accepted and mapped: %.200s", header);
    wn_archive_free(a);
    expect_error(header, path, why);
}

#define ENTRY(name, dtype, shape, begin, end)                                                                          \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" #begin "," #end "]}"

static void test_hostile_safetensors(void) {
    hostile("", 0, "expected an object");
    hostile("[]", 0, "expected an object");
    hostile("{", 0, "expected a string");
    hostile("{}x", 0, "text after the end");
    hostile("{} {}", 0, "text after the end");
    hostile("{}", 1, "belong to no tensor");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "}", 3, "offsets [0, 4] of 3 bytes");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "}", 5, "1 bytes at the end belong to no tensor");
    hostile("{" ENTRY("a", "F32", "1", 4, 8) "}", 8, "leaves a hole");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "," ENTRY("b", "F32", "1", 2, 6) "}", 6, "overlaps");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "," ENTRY("b", "F32", "1", 0, 4) "}", 4, "overlaps");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "," ENTRY("b", "F32", "1", 8, 12) "}", 12, "leaves a hole");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "," ENTRY("a", "F32", "1", 4, 8) "}", 8, "occurs twice");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) "," ENTRY("\\u0061", "F32", "1", 4, 8) "}", 8, "\"a\" occurs twice");
    hostile("{" ENTRY("a", "F32", "2", 0, 4) "}", 4, "8 bytes by its shape");
    hostile("{" ENTRY("a", "F32", "1", 4, 0) "}", 4, "offsets [4, 0]");
    hostile("{" ENTRY("a", "F32", "9223372036854775807,9223372036854775807", 0, 4) "}", 4, "too large");
    hostile("{" ENTRY("a", "F32", "9223372036854775807", 0, 4) "}", 4, "too large");
    hostile("{" ENTRY("a", "F32", "4294967296,4294967296", 0, 0) "}", 0, "too large");
    hostile("{" ENTRY("a", "F32", "1", 0, 18446744073709551616) "}", 4, "number is too large");
    hostile("{" ENTRY("a", "F32", "1", 0, 9223372036854775808) "}", 4, "number is too large");
    hostile("{" ENTRY("a", "F32", "-1", 0, 4) "}", 4, "whole number");
    hostile("{" ENTRY("a", "F32", "1.0", 0, 4) "}", 4, "whole number");
    hostile("{" ENTRY("a", "F32", "1e0", 0, 4) "}", 4, "whole number");
    hostile("{" ENTRY("a", "F32", "01", 0, 4) "}", 4, "leading zeros");
    hostile("{" ENTRY("a", "F32", "1,", 0, 4) "}", 4, "whole number");
    hostile("{" ENTRY("a", "F32", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", 0, 4) "}", 4, "16 dimensions");
    hostile("{" ENTRY("a", "F8_E4M3", "4", 0, 4) "}", 4, "\"F8_E4M3\" is not supported");
    hostile("{" ENTRY("a", "f32", "1", 0, 4) "}", 4, "not supported");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) ",}", 4, "expected a string");
    hostile("{" ENTRY("a", "F32", "1", 0, 4) " " ENTRY("b", "F32", "1", 4, 8) "}", 8, "comma");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "is missing");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "two offsets");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4, "two offsets");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "occurs twice");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":[[[]]]}}", 4, "unknown key");
    hostile("{\"a\":[[[[[[[[[[", 0, "expected an object");
    hostile("{\"a\":{\"dtype\":\"F32\",\"shape\":[[[[[[[[1]]]]]]]]}}", 0, "whole number");
    hostile("{\"__metadata__\":{\"a\":1}}", 0, "expected a string");
    hostile("{\"__metadata__\":{},\"__metadata__\":{}}", 0, "occurs twice");
    hostile("{\"__metadata__\":{\"a\":\"\\ud800\"}}", 0, "surrogate");
    hostile("{\"__metadata__\":{\"a\":\"\\udc00\"}}", 0, "surrogate");
    hostile("{\"__metadata__\":{\"a\":\"\\ud800\\u0041\"}}", 0, "surrogate");
    hostile("{\"__metadata__\":{\"a\":\"\\u0000\"}}", 0, "zero byte");
    hostile("{\"__metadata__\":{\"a\":\"\\u12g4\"}}", 0, "hexadecimal");
    hostile("{\"__metadata__\":{\"a\":\"\\x\"}}", 0, "unknown escape");
    hostile("{\"__metadata__\":{\"a\":\"\\", 0, "unknown escape");
    hostile("{\"__metadata__\":{\"a\":\"\\u", 0, "does not end");
    hostile("{\"__metadata__\":{\"a\":\"\n\"}}", 0, "control character");
    hostile("{\"__metadata__\":{\"a\":\"", 0, "does not end");
    static const char *const utf8[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                                       "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82", "\xf0\x9f\x98"};
    for (size_t i = 0; i < sizeof utf8 / sizeof *utf8; i++) {
        char header[64];
        snprintf(header, sizeof header, "{\"%s\":", utf8[i]);
        hostile(header, 0, "invalid UTF-8");
    }
    static char deep[60001];
    memset(deep, '[', sizeof deep - 1);
    hostile(deep, 0, "expected an object");
    memset(deep, '{', sizeof deep - 1);
    hostile(deep, 0, "expected a string");
}

static void test_header_lengths(void) {
    static const uint64_t lengths[] = {3, 100, 1u << 31, (uint64_t)1 << 40, INT64_MAX, UINT64_MAX, UINT64_MAX - 7};
    const char *path = in_dir("length.safetensors");
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        unsigned char file[10] = {0, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
        for (int i = 0; i < 8; i++) file[i] = (unsigned char)(lengths[k] >> (8 * i));
        write_file(path, file, sizeof file);
        check(wn_load_safetensors(path) == NULL, "length %llu", (unsigned long long)lengths[k]);
        expect_error("length", path, "is more than the 2 bytes that follow");
    }
    /* 20,000 tensors without elements, then one twice. */
    size_t cap = 20001 * 80, n = 8;
    char *text = malloc(cap);
    text[n++] = '{';
    for (int i = 0; i < 20001; i++)
        n += (size_t)snprintf(text + n, cap - n, "%s\"t%d\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
                              i ? "," : "", i == 20000 ? 777 : i);
    text[n++] = '}';
    for (int i = 0; i < 8; i++) text[i] = (char)((n - 8) >> (8 * i));
    write_file(path, text, n);
    check(wn_load_safetensors(path) == NULL, "one name twice among many");
    expect_error("many", path, "\"t777\" occurs twice");
    free(text);
}

/* ------------------------------------------------------------------ npy, npz, IDX */

#define LOAD_NPY(bytes) (write_file(in_dir("x.npy"), (bytes), sizeof(bytes)), wn_load_npy(in_dir("x.npy")))
#define SAME_NPY(t, bytes)                                                                                             \
    check(wn_save_npy((t), in_dir("x.npy")) == WN_OK && file_is(in_dir("x.npy"), (bytes), sizeof(bytes)), "bytes of " #bytes)

static void test_npy(void) {
    WN_SCOPE(s);
    static const float m[] = {-1, 0, 1, 2, 3, 4}, mt[] = {-1, 2, 0, 3, 1, 4};
    static const int16_t m16[] = {-1, 0, 1, 2, 3, 4};
    wn_tensor *t = wn_from_data(m, WN_DIMS(2, 3), WN_F32);
    check(bytes_are(LOAD_NPY(npy_f4), m, sizeof m), "f4");
    check(bytes_are(LOAD_NPY(npy_v2), m, sizeof m), "version 2");
    check(bytes_are(LOAD_NPY(npy_v3), m, sizeof m), "version 3");
    check(bytes_are(LOAD_NPY(npy_fortran), m, sizeof m), "Fortran order");
    check(bytes_are(LOAD_NPY(npy_big_f4), m, sizeof m), "big-endian f4");
    check(bytes_are(LOAD_NPY(npy_big_i2_fortran), m16, sizeof m16), "big-endian Fortran i2");
    SAME_NPY(t, npy_f4);
    SAME_NPY(wn_from_memory((void *)(uintptr_t)mt, WN_DIMS(2, 3), WN_DIMS(1, 2), WN_F32, NULL, NULL), npy_fortran);
    SAME_NPY(LOAD_NPY(npy_f2), npy_f2);
    SAME_NPY(LOAD_NPY(npy_f8), npy_f8);
    SAME_NPY(LOAD_NPY(npy_i1), npy_i1);
    SAME_NPY(LOAD_NPY(npy_i2), npy_i2);
    SAME_NPY(LOAD_NPY(npy_i4), npy_i4);
    SAME_NPY(LOAD_NPY(npy_i8), npy_i8);
    SAME_NPY(LOAD_NPY(npy_u1), npy_u1);
    SAME_NPY(LOAD_NPY(npy_b1), npy_b1);
    SAME_NPY(LOAD_NPY(npy_scalar), npy_scalar);
    SAME_NPY(LOAD_NPY(npy_empty), npy_empty);
    SAME_NPY(LOAD_NPY(npy_vector), npy_vector);
    check(wn_item_f64(LOAD_NPY(npy_scalar)) == 2.5, "0-d");
    check(!wn_ok(LOAD_NPY(npy_complex)), "complex");
    expect_error("complex", "x.npy: byte 20", "\"<c16\" are not supported");
    check(!wn_ok(LOAD_NPY(npy_u2)), "u2");
    expect_error("u2", "x.npy", "\"<u2\" are not supported");
    check(!wn_ok(LOAD_NPY(npy_record)), "record");
    expect_error("record", "x.npy", "records");
    check(!wn_ok(LOAD_NPY(npy_object_free_text)), "text");
    expect_error("text", "x.npy", "\"<U2\" are not supported");
    check(!wn_ok(LOAD_NPY(idx_u8)), "wrong magic");
    expect_error("wrong magic", "x.npy: byte 0", "wrong magic");
}

/* A version 1 file with this header and n bytes of data. */
static void write_npy(const char *header, const char *data, size_t n) {
    unsigned char file[600] = "\x93NUMPY\x01";
    size_t length = strlen(header);
    file[8] = (unsigned char)length;
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 10, header, length);
    memcpy(file + 10 + length, data, n);
    write_file(in_dir("bad.npy"), file, 10 + length + n);
}

static void bad_npy(const char *header, size_t data, const char *why) {
    write_npy(header, "123456789", data);
    check(!wn_ok(wn_load_npy(in_dir("bad.npy"))), "accepted: %s", header);
    expect_error(header, in_dir("bad.npy"), why);
    check(!wn_ok(wn_map_npy(in_dir("bad.npy"))), "accepted and mapped: %s", header);
    expect_error(header, in_dir("bad.npy"), why);
}

static void test_bad_npy(void) {
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 7, "ends early");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 9, "more data");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", 8, "tuple");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", 8, "size");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}", 8, "too large");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", 8, "too large");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,4294967296,)}", 8, "too large");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", 8, "ends early");
    bad_npy("{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}", 8, "True or False");
    bad_npy("{'descr': '<f4', 'fortran_order': False}", 8, "missing");
    bad_npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 8, "twice");
    bad_npy("{'x': '<f4', 'fortran_order': False, 'shape': (2,)}", 8, "unknown key");
    bad_npy("{'descr': '|f4', 'fortran_order': False, 'shape': (2,)}", 8, "not supported");
    bad_npy("{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}", 8, "not supported");
    bad_npy("{'descr': '', 'fortran_order': False, 'shape': (2,)}", 8, "not supported");
    bad_npy("{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}", 8, "not supported");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", 8, "text after");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", 8, "end of the header");
    bad_npy("{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}", 8, "comma");
    bad_npy("{'descr' '<f4'}", 8, "colon");
    bad_npy("{'descr", 8, "does not end");
    bad_npy("", 8, "dictionary");
    bad_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", 4, "16 dimensions");
    WN_SCOPE(s);
    write_npy("{\"shape\": (2L, 1L),'fortran_order':False, 'descr': '=i1' , } \n", "\x01\xff", 2);
    check(bytes_are(wn_load_npy(in_dir("bad.npy")), "\x01\xff", 2), "as Python 2 wrote it");
    write_npy("{'shape': (2,), 'fortran_order':True, 'descr': '|b1'}", "\x07", 2);
    check(bytes_are(wn_load_npy(in_dir("bad.npy")), "\x01\0", 2), "bools become 0 and 1");
}

#define LOAD_NPZ(bytes) (write_file(in_dir("x.npz"), (bytes), sizeof(bytes)), wn_load_npz(in_dir("x.npz")))

static void test_npz(void) {
    WN_SCOPE(s);
    static const float m[] = {-1, 0, 1, 2, 3, 4};
    static const int64_t v[] = {-1, 0, 1};
    wn_archive *a = LOAD_NPZ(npz_stored);
    check(a && wn_archive_count(a) == 2 && bytes_are(wn_archive_find(a, "a"), m, sizeof m) &&
              bytes_are(wn_archive_find(a, "b"), v, sizeof v), "stored");
    wn_archive_free(a);
    a = LOAD_NPZ(npz_deflated);
    check(a && wn_archive_count(a) == 3 && bytes_are(wn_archive_find(a, "a"), m, sizeof m), "deflated");
    check(a && wn_numel(wn_archive_find(a, "long")) == 100 && wn_item_f64(wn_archive_find(a, "\xc3\xa9")) == 1.5, "deflated");
    wn_archive_free(a);
    check(!LOAD_NPZ(zip_other), "another zip");
    expect_error("another zip", "x.npz", "no .npy file");
    check(!LOAD_NPZ(npy_f4), "no zip");
    expect_error("no zip", "x.npz", "not a zip archive");
}

#define LOAD_IDX(bytes) (write_file(in_dir("x.idx"), (bytes), sizeof(bytes)), wn_load_idx(in_dir("x.idx")))

static void bad_idx(const void *bytes, size_t n, const char *why) {
    write_file(in_dir("bad.idx"), bytes, n);
    check(!wn_ok(wn_load_idx(in_dir("bad.idx"))), "accepted: %s", why);
    expect_error("bad IDX", in_dir("bad.idx"), why);
}

static void test_idx(void) {
    WN_SCOPE(s);
    size_t n;
    unsigned char twelve[12], file[64];
    for (int i = 0; i < 12; i++) twelve[i] = (unsigned char)i;
    check(bytes_are(LOAD_IDX(idx_u8), twelve, 12) && wn_ndim(LOAD_IDX(idx_u8)) == 3, "u8");
    check(bytes_are(LOAD_IDX(idx_u8_gz), twelve, 12), "gzip");
    check(bytes_are(LOAD_IDX(idx_gz_two_members), twelve, 12), "two gzip members");
    check(bytes_are(LOAD_IDX(idx_i8), three(WN_I8, &n), 3), "i8");
    check(bytes_are(LOAD_IDX(idx_i16), three(WN_I16, &n), 6), "i16");
    check(bytes_are(LOAD_IDX(idx_i32), three(WN_I32, &n), 12), "i32");
    check(bytes_are(LOAD_IDX(idx_f32), three(WN_F32, &n), 12), "f32");
    check(bytes_are(LOAD_IDX(idx_f64), three(WN_F64, &n), 24), "f64");
    bad_idx("", 0, "ends early");
    bad_idx("\0\0\x08", 3, "ends early");
    bad_idx("\1\0\x08\1\0\0\0\0", 8, "not an IDX file");
    bad_idx("\0\0\x0a\1\0\0\0\0", 8, "not an IDX file");
    bad_idx("\0\0\xf8\1\0\0\0\0", 8, "not an IDX file");
    bad_idx("\0\0\x08\x11", 4, "17 dimensions");
    bad_idx("\0\0\x08\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16, "too large");
    bad_idx("\0\0\x08\2\xff\xff\xff\xff\xff\xff\xff\xff", 12, "too large");
    bad_idx("\0\0\x0e\2\x80\0\0\0\x40\0\0\0", 12, "too large");
    bad_idx("\0\0\x08\2\0\x0f\xff\xff\0\x0f\xff\xff", 12, "ask for");
    bad_idx("\0\0\x08\1\0\0\0\1ab", 10, "more data");
    memcpy(file, idx_u8_gz, sizeof idx_u8_gz);
    memcpy(file + sizeof idx_u8_gz, "rubbish", 7);
    bad_idx(file, sizeof idx_u8_gz + 7, "garbage follows");
    file[sizeof idx_u8_gz - 8] ^= 1;
    bad_idx(file, sizeof idx_u8_gz, "incorrect data check");
}

/* ------------------------------------------------------------------ damage */

typedef enum kind { SAFETENSORS, NPY, NPZ, IDX, MAPPED_SAFETENSORS, MAPPED_NPY } kind;

/* Loads and frees; whether it worked. */
static bool load(kind k, const char *path) {
    WN_SCOPE(s);
    if (k == NPY) return wn_ok(wn_load_npy(path));
    if (k == MAPPED_NPY) return wn_ok(wn_map_npy(path));
    if (k == IDX) return wn_ok(wn_load_idx(path));
    wn_archive *a = k == NPZ ? wn_load_npz(path) : k == SAFETENSORS ? wn_load_safetensors(path) : wn_map_safetensors(path);
    bool ok = a != NULL;
    for (int64_t i = 0; i < wn_archive_count(a); i++) ok = ok && wn_ok(wn_archive_at(a, i)) && wn_archive_name(a, i);
    wn_archive_free(a);
    return ok;
}

static void damage(kind k, const char *what, const unsigned char *bytes, size_t n) {
    static const unsigned char flips[] = {0x01, 0x02, 0x10, 0x20, 0x80, 0xff};
    const char *path = in_dir("damaged");
    unsigned char file[2048];
    int64_t handles = wn_get_stats().handles;
    int bad = 0;
    write_file(path, bytes, n);
    check(load(k, path), "%s undamaged", what);
    for (size_t cut = 0; cut < n; cut++) {
        write_file(path, bytes, cut);
        bool ok = load(k, path);
        bad += ok || wn_error() == WN_OK || !strstr(wn_error_message(), path);
        wn_clear();
    }
    check(bad == 0, "%s: %d truncations without an error that names the file", what, bad);
    bad = 0;
    for (size_t at = 0; at < n; at++)
        for (size_t f = 0; f < sizeof flips; f++) {
            memcpy(file, bytes, n);
            file[at] ^= flips[f];
            write_file(path, file, n);
            bool ok = load(k, path);
            bad += ok ? wn_error() != WN_OK : wn_error() == WN_OK || !strstr(wn_error_message(), path);
            wn_clear();
        }
    check(bad == 0, "%s: %d corruptions without an error that names the file", what, bad);
    check(wn_get_stats().handles == handles, "%s: handles leaked", what);
}

static void test_damage(void) {
    damage(SAFETENSORS, "safetensors", file_safetensors, sizeof file_safetensors);
    damage(MAPPED_SAFETENSORS, "mapped safetensors", file_safetensors, sizeof file_safetensors);
    damage(MAPPED_NPY, "mapped npy", npy_f4, sizeof npy_f4);
    damage(NPY, "npy", npy_f4, sizeof npy_f4);
    damage(NPY, "npy v3", npy_v3, sizeof npy_v3);
    damage(NPZ, "npz stored", npz_stored, sizeof npz_stored);
    damage(NPZ, "npz deflated", npz_deflated, sizeof npz_deflated);
    damage(IDX, "idx", idx_u8, sizeof idx_u8);
    damage(IDX, "idx.gz", idx_u8_gz, sizeof idx_u8_gz);
}

/* ------------------------------------------------------------------ saving under difficulties */

static void test_unreadable(void) {
    WN_SCOPE(s);
    check(!wn_ok(wn_load_npy(in_dir("absent"))), "absent file");
    expect_error("absent file", in_dir("absent"), strerror(ENOENT));
    check(!wn_load_safetensors(dir), "a directory");
    expect_error("a directory", dir, "is a directory");
    check(mkfifo(in_dir("pipe"), 0600) == 0 && !wn_ok(wn_load_idx(in_dir("pipe"))), "a pipe");
    expect_error("a pipe", "pipe", "not a regular file");
    unlink(in_dir("pipe"));
    check(!wn_load_npz(NULL), "no path");
    expect_error("no path", "path", "no path given");
}

static void test_unwritable(void) {
    WN_SCOPE(s);
    static float big[100000];
    wn_tensor *t = vector3(WN_F32), *large = wn_from_data(big, WN_DIMS(100000), WN_F32);
    check(wn_save_npy(t, in_dir("no/such/dir.npy")) != WN_OK, "absent directory");
    expect_error("absent directory", "no/such/dir.npy", strerror(ENOENT));
    check(wn_save_npy(t, dir) != WN_OK, "a directory");
    expect_error("a directory", dir, strerror(EISDIR));
    write_file(in_dir("plain"), "x", 1);
    check(wn_save_npy(t, in_dir("plain/x.npy")) != WN_OK, "a file as directory");
    expect_error("a file as directory", "plain/x.npy", strerror(ENOTDIR));
    struct stat st;
    if (stat("/dev/full", &st) == 0 && S_ISCHR(st.st_mode)) {
        check(wn_save_npy(t, "/dev/full") != WN_OK, "a full disk, buffered");
        expect_error("a full disk", "/dev/full", strerror(ENOSPC));
        check(wn_save_npy(large, "/dev/full") != WN_OK, "a full disk, direct");
        expect_error("a full disk", "/dev/full", strerror(ENOSPC));
        check(wn_save_safetensors("/dev/full", WN_NAMES("a"), WN_LIST(large)) != WN_OK, "a full disk, safetensors");
        expect_error("a full disk", "/dev/full", strerror(ENOSPC));
        check(stat("/dev/full", &st) == 0 && S_ISCHR(st.st_mode), "the device is still there");
    }
    check(wn_save_npy(t, "/dev/null") == WN_OK, "to a device");
}

/* Runs fn in a child; true if it returned 0. */
static bool in_child(int (*fn)(void)) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) _exit(fn());
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *limited_path;
static int files_before;

static int save_beyond_limit(void) {
    static float big[100000];
    struct rlimit limit = {50000, 50000};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    WN_SCOPE(s);
    wn_tensor *large = wn_from_data(big, WN_DIMS(100000), WN_F32);
    if (wn_save_safetensors(limited_path, WN_NAMES("big"), WN_LIST(large)) == WN_OK) return 2;
    if (!strstr(wn_error_message(), limited_path) || !strstr(wn_error_message(), strerror(EFBIG))) return 3;
    return count_files(dir) == files_before ? 0 : 4; /* no temporary file is left */
}

static int save_read_only(void) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 0; /* cannot be tried here */
    WN_SCOPE(s);
    if (wn_save_npy(vector3(WN_F32), limited_path) == WN_OK) return 2;
    return strstr(wn_error_message(), limited_path) && strstr(wn_error_message(), strerror(EACCES)) ? 0 : 3;
}

static void test_failing_saves(void) {
    limited_path = in_dir("limited");
    write_file(limited_path, "the old file", 12);
    files_before = count_files(dir);
    check(in_child(save_beyond_limit), "a save that runs into a limit reports it and removes its temporary file");
    check(file_is(limited_path, "the old file", 12), "the old file is whole");
    char locked[128];
    snprintf(locked, sizeof locked, "%s", in_dir("locked"));
    check(mkdir(locked, 0555) == 0, "mkdir");
    limited_path = in_dir("locked/x.npy");
    check(chmod(dir, 0755) == 0 && in_child(save_read_only), "a directory without permission");
    rmdir(locked);
}

static void test_replacing(void) {
    WN_SCOPE(s);
    struct stat st;
    wn_tensor *t = vector3(WN_I64);
    write_file(in_dir("target"), "old", 3);
    check(chmod(in_dir("target"), 0640) == 0 && symlink("target", in_dir("link")) == 0, "set up");
    check(wn_save_npy(t, in_dir("link")) == WN_OK, "save through a link");
    check(lstat(in_dir("link"), &st) == 0 && S_ISLNK(st.st_mode), "the link stays");
    check(stat(in_dir("target"), &st) == 0 && (st.st_mode & 0777) == 0640, "the mode stays");
    check(file_is(in_dir("target"), npy_vector, sizeof npy_vector), "the target is replaced");
    char name[256], old[256];
    memset(name, 'n', sizeof name);
    name[255] = 0;
    check(getcwd(old, sizeof old) && chdir(dir) == 0, "chdir");
    check(wn_save_npy(t, name) == WN_OK && wn_ok(wn_load_npy(name)), "the longest name there is, without a directory");
    unlink(name);
    check(chdir(old) == 0, "chdir back");
}

/* A child saves one of two files over and over; killed at any moment it leaves one of them whole. */
static void test_kill(void) {
    enum { N = 30000 };
    static int32_t ones[N], twos[N];
    const char *path = in_dir("killed.safetensors");
    for (int i = 0; i < N; i++) {
        ones[i] = 1;
        twos[i] = 2;
    }
    WN_SCOPE(s);
    wn_tensor *a = wn_from_data(ones, WN_DIMS(N), WN_I32), *b = wn_from_data(twos, WN_DIMS(N / 2, 2), WN_I32);
    check(wn_save_safetensors(path, WN_NAMES("t"), WN_LIST(a)) == WN_OK, "first save");
    int broken = 0, seen[3] = {0};
    for (int round = 0; round < 60; round++) {
        pid_t pid = fork();
        if (pid == 0)
            for (int k = 0;; k++)
                if (wn_save_safetensors(path, WN_NAMES("t"), WN_LIST(k & 1 ? a : b)) != WN_OK) _exit(1);
        usleep((useconds_t)(300 + round * 211 % 7000));
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        WN_SCOPE(inner);
        wn_archive *file = wn_load_safetensors(path);
        wn_tensor *t = wn_archive_find(file, "t");
        int which = t && wn_ndim(t) == 1 ? 1 : 2;
        const int32_t *v = wn_data(t);
        bool whole = v && wn_numel(t) == N;
        for (int i = 0; whole && i < N; i++) whole = v[i] == which;
        broken += !whole;
        seen[which]++;
        wn_archive_free(file);
        wn_clear();
    }
    check(broken == 0, "%d of 60 killed saves left a broken file", broken);
    printf("killed saves: %d left one file, %d the other\n", seen[1], seen[2]);
}

/* ------------------------------------------------------------------ memory is short */

static bool short_load_st(void) { return load(SAFETENSORS, in_dir("m.st")); }
static bool short_load_npy(void) { return load(NPY, in_dir("m.npy")); }
static bool short_map_st(void) { return load(MAPPED_SAFETENSORS, in_dir("m.st")); }
static bool short_map_npy(void) { return load(MAPPED_NPY, in_dir("m.npy")); }
static bool short_load_npz(void) { return load(NPZ, in_dir("m.npz")); }
static bool short_load_idx(void) { return load(IDX, in_dir("m.idx")); }
static wn_tensor *strided;
static bool short_save_st(void) {
    return wn_save_safetensors(in_dir("m.out"), WN_NAMES("t", "u"), WN_LIST(strided, strided),
                               .metadata = WN_NAMES("a", "b", NULL)) == WN_OK;
}
static bool short_save_npy(void) { return wn_save_npy(strided, in_dir("m.out")) == WN_OK; }

static void sweep(const char *what, bool (*fn)(void)) {
    int64_t handles = wn_get_stats().handles, storages = wn_get_stats().storages;
    int n = 0, silent = 0;
    bool hit = true, ok = false;
    for (; hit && n < 1000; n++) {
        wn_fail_allocation(n);
        ok = fn();
        hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (hit) silent += ok || wn_error() != WN_E_MEMORY;
        wn_clear();
    }
    check(!hit && ok && n > 1, "%s succeeds in the end (after %d)", what, n);
    check(silent == 0, "%s: %d failed allocations without a memory error", what, silent);
    wn_stats now = wn_get_stats();
    check(now.handles == handles && now.storages == storages, "%s leaks", what);
}

static void test_memory(void) {
    static float data[60];
    WN_SCOPE(s);
    write_file(in_dir("m.st"), file_safetensors, sizeof file_safetensors);
    write_file(in_dir("m.npy"), npy_fortran, sizeof npy_fortran);
    write_file(in_dir("m.npz"), npz_deflated, sizeof npz_deflated);
    write_file(in_dir("m.idx"), idx_u8_gz, sizeof idx_u8_gz);
    strided = wn_from_memory(data, WN_DIMS(10, 2), WN_DIMS(5, 2), WN_F32, NULL, NULL);
    int files = count_files(dir);
    sweep("load safetensors", short_load_st);
    sweep("load npy", short_load_npy);
    sweep("map safetensors", short_map_st);
    sweep("map npy", short_map_npy);
    sweep("load npz", short_load_npz);
    sweep("load idx.gz", short_load_idx);
    sweep("save safetensors", short_save_st);
    sweep("save npy", short_save_npy);
    check(count_files(dir) == files + 1, "no temporary files are left");
}

int main(void) {
    /* In memory where there is such a place: hundreds of saves, each of which is synced. */
    snprintf(dir, sizeof dir, "%s/wn-test-io-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(dir)) return 1;
    wn_set_error_hook(NULL);
    test_safetensors_bytes();
    test_round_trips();
    test_large();
    test_mapped();
    test_save_refusals();
    test_hostile_safetensors();
    test_header_lengths();
    test_npy();
    test_bad_npy();
    test_npz();
    test_idx();
    test_unreadable();
    test_unwritable();
    test_replacing();
    test_failing_saves();
    test_damage();
    test_kill();
    test_memory();
    check(wn_get_stats().handles == 0, "%lld handles leaked", (long long)wn_get_stats().handles);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    if (system(command) != 0) puts("cannot clean up");
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
