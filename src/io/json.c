/* The strict JSON reader (RFC 8259, without the values that file headers never hold). */
#include "io/json.h"

#include <string.h>

bool wn__json_fail(wn__json *j, const char *message) {
    if (!j->error) {
        j->error = message;
        j->error_at = j->pos;
    }
    return false;
}

static void skip_space(wn__json *j) {
    while (j->pos < j->length && strchr(" \t\n\r", j->text[j->pos]) && j->text[j->pos]) j->pos++;
}

bool wn__json_take(wn__json *j, char c) {
    skip_space(j);
    if (j->error || j->pos >= j->length || j->text[j->pos] != c) return false;
    j->pos++;
    return true;
}

bool wn__json_expect(wn__json *j, char c, const char *message) {
    return wn__json_take(j, c) || wn__json_fail(j, message);
}

bool wn__json_more(wn__json *j, char close, bool *first) {
    if (j->error || wn__json_take(j, close)) return false;
    if (*first) {
        *first = false;
        return true;
    }
    return wn__json_expect(j, ',', "expected a comma or the closing bracket");
}

bool wn__json_end(wn__json *j) {
    skip_space(j);
    return !j->error && (j->pos == j->length || wn__json_fail(j, "text after the end of the header's object"));
}

bool wn__json_int(wn__json *j, int64_t *value) {
    skip_space(j);
    size_t start = j->pos;
    int64_t v = 0;
    for (; j->pos < j->length && j->text[j->pos] >= '0' && j->text[j->pos] <= '9'; j->pos++) {
        int digit = j->text[j->pos] - '0';
        if (v > (INT64_MAX - digit) / 10) return wn__json_fail(j, "the number is too large");
        v = v * 10 + digit;
    }
    size_t digits = j->pos - start;
    if (digits == 0) return wn__json_fail(j, "expected a whole number that is not negative");
    if (digits > 1 && j->text[start] == '0') return wn__json_fail(j, "a number with leading zeros");
    if (j->pos < j->length && strchr(".eE", j->text[j->pos])) return wn__json_fail(j, "expected a whole number");
    *value = v;
    return true;
}

/* ------------------------------------------------------------------ strings */

/* The length of the well-formed UTF-8 sequence at p (n bytes are there), or 0. */
static size_t utf8_sequence(const unsigned char *p, size_t n) {
    if (p[0] < 0x80) return 1;
    size_t len = p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
    if (len == 0 || len > n) return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (p[0] == 0xe0 && p[1] < 0xa0) return 0;  /* longer than needed */
    if (p[0] == 0xed && p[1] >= 0xa0) return 0; /* a surrogate */
    if (p[0] == 0xf0 && p[1] < 0x90) return 0;
    if (p[0] == 0xf4 && p[1] >= 0x90) return 0; /* beyond U+10FFFF */
    return len;
}

bool wn__utf8_valid(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    size_t n = strlen(text);
    while (n > 0) {
        size_t len = utf8_sequence(p, n);
        if (len == 0) return false;
        p += len;
        n -= len;
    }
    return true;
}

static bool hex4(wn__json *j, uint32_t *value) {
    uint32_t v = 0;
    if (j->length - j->pos < 4) return wn__json_fail(j, "the string does not end");
    for (int i = 0; i < 4; i++, j->pos++) {
        char c = j->text[j->pos];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            digit = (uint32_t)((c | 32) - 'a') + 10;
        else
            return wn__json_fail(j, "expected four hexadecimal digits");
        v = v * 16 + digit;
    }
    *value = v;
    return true;
}

static char *put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (char)(0xc0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            *out++ = (char)(0xe0 | (c >> 12));
        } else {
            *out++ = (char)(0xf0 | (c >> 18));
            *out++ = (char)(0x80 | ((c >> 12) & 0x3f));
        }
        *out++ = (char)(0x80 | ((c >> 6) & 0x3f));
    }
    *out++ = (char)(0x80 | (c & 0x3f));
    return out;
}

/* After "\u": one character, or a pair of surrogates. */
static char *unicode_escape(wn__json *j, char *out) {
    uint32_t c, low;
    if (!hex4(j, &c)) return NULL;
    if (c == 0) return wn__json_fail(j, "a string with a zero byte"), NULL;
    if (c >= 0xdc00 && c < 0xe000) return wn__json_fail(j, "a low surrogate without a high one"), NULL;
    if (c >= 0xd800 && c < 0xdc00) {
        if (j->length - j->pos < 6 || j->text[j->pos] != '\\' || j->text[j->pos + 1] != 'u')
            return wn__json_fail(j, "a high surrogate without a low one"), NULL;
        j->pos += 2;
        if (!hex4(j, &low)) return NULL;
        if (low < 0xdc00 || low >= 0xe000) return wn__json_fail(j, "a high surrogate without a low one"), NULL;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    return put_utf8(out, c);
}

static char *escape(wn__json *j, char *out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = j->pos < j->length ? j->text[j->pos++] : 0;
    if (c == 'u') return unicode_escape(j, out);
    const char *at = c ? strchr(from, c) : NULL;
    if (!at) return wn__json_fail(j, "an unknown escape in a string"), NULL;
    *out++ = to[at - from];
    return out;
}

char *wn__json_string(wn__json *j) {
    if (!wn__json_expect(j, '"', "expected a string")) return NULL;
    char *start = j->text + j->pos, *out = start;
    while (j->pos < j->length) {
        unsigned char c = (unsigned char)j->text[j->pos];
        if (c == '"') {
            *out = 0; /* the decoded text is never longer than the encoded one */
            j->pos++;
            return start;
        }
        if (c == '\\') {
            j->pos++;
            out = escape(j, out);
            if (!out) return NULL;
            continue;
        }
        if (c < 0x20) return wn__json_fail(j, "a control character in a string"), NULL;
        size_t len = utf8_sequence((const unsigned char *)j->text + j->pos, j->length - j->pos);
        if (len == 0) return wn__json_fail(j, "invalid UTF-8"), NULL;
        memmove(out, j->text + j->pos, len);
        out += len;
        j->pos += len;
    }
    return wn__json_fail(j, "the string does not end"), NULL;
}
