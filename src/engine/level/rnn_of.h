/* Recurrent cells of type T, one row at a time: included by rnn_kernels.c behind as_f32.h or as_f64.h. */

static void OF(plain)(int64_t h, void *x, int relu) {
    T *p = x;
    if (relu)
        WN__IVDEP for (int64_t j = 0; j < h; j++) p[j] = p[j] < 0 ? 0 : p[j];
    else
        WN__IVDEP for (int64_t j = 0; j < h; j++) p[j] = OF(wn__tanh)(p[j]);
}

static void OF(plain_back)(int64_t h, const void *y, const void *dh, void *d, int relu) {
    const T *p = y, *g = dh;
    T *to = d;
    if (relu)
        WN__IVDEP for (int64_t j = 0; j < h; j++) to[j] = p[j] <= 0 ? 0 : g[j];
    else
        WN__IVDEP for (int64_t j = 0; j < h; j++) to[j] = g[j] * (1 - p[j] * p[j]);
}

static void OF(lstm)(int64_t h, const void *input, const void *hidden, const void *before, void *saved, void *out) {
    T *i = saved, *f = i + h, *g = f + h, *o = g + h, *c = o + h, *y = out;
    const T *x = input, *p = hidden, *b = before;
    WN__IVDEP for (int64_t j = 0; j < 2 * h; j++) i[j] = OF(wn__sigmoid)(x[j] + p[j]);
    x += 2 * h, p += 2 * h;
    WN__IVDEP for (int64_t j = 0; j < h; j++) g[j] = OF(wn__tanh)(x[j] + p[j]);
    x += h, p += h;
    WN__IVDEP for (int64_t j = 0; j < h; j++) {
        o[j] = OF(wn__sigmoid)(x[j] + p[j]);
        c[j] = f[j] * b[j] + i[j] * g[j];
    }
    WN__IVDEP for (int64_t j = 0; j < h; j++) y[j] = o[j] * OF(wn__tanh)(c[j]);
}

static void OF(lstm_back)(int64_t h, const void *gates, const void *before, const void *cell, const void *dh, void *dc,
                          void *d, void *out) {
    const T *i = gates, *f = i + h, *g = f + h, *o = g + h, *b = before, *c = cell, *dy = dh;
    T *di = d, *df = di + h, *dg = df + h, *dout = dg + h, *z = dc, *y = out;
    WN__IVDEP for (int64_t j = 0; j < h; j++) {
        const T t = OF(wn__tanh)(c[j]), w = z[j] + dy[j] * o[j] * (1 - t * t);
        dout[j] = dy[j] * t * o[j] * (1 - o[j]);
        di[j] = w * g[j] * i[j] * (1 - i[j]);
        df[j] = w * b[j] * f[j] * (1 - f[j]);
        dg[j] = w * i[j] * (1 - g[j] * g[j]);
        z[j] = w * f[j];
    }
    if (y)
        WN__IVDEP for (int64_t j = 0; j < h; j++) y[j] = o[j] * OF(wn__tanh)(c[j]);
}

static void OF(gru)(int64_t h, void *saved, const void *hidden, const void *before, void *out) {
    T *r = saved, *n = r + 2 * h, *hn = n + h, *y = out;
    const T *p = hidden, *pn = p + 2 * h, *b = before, *z = r + h;
    WN__IVDEP for (int64_t j = 0; j < 2 * h; j++) r[j] = OF(wn__sigmoid)(r[j] + p[j]);
    WN__IVDEP for (int64_t j = 0; j < h; j++) {
        hn[j] = pn[j];
        n[j] = OF(wn__tanh)(n[j] + r[j] * pn[j]);
        y[j] = n[j] + z[j] * (b[j] - n[j]);
    }
}

static void OF(gru_back)(int64_t h, const void *saved, const void *before, const void *dh, void *dx, void *dhid,
                         void *direct) {
    const T *r = saved, *z = r + h, *n = z + h, *hn = n + h, *b = before, *dy = dh;
    T *dr = dx, *dz = dr + h, *dn = dz + h, *er = dhid, *ez = er + h, *en = ez + h, *u = direct;
    WN__IVDEP for (int64_t j = 0; j < h; j++) {
        const T g = dy[j], m = g * (1 - z[j]) * (1 - n[j] * n[j]);
        dn[j] = m;
        en[j] = m * r[j];
        dr[j] = er[j] = m * hn[j] * r[j] * (1 - r[j]);
        dz[j] = ez[j] = g * (b[j] - n[j]) * z[j] * (1 - z[j]);
        u[j] = g * z[j];
    }
}

static void OF(add)(int64_t n, void *to, const void *from) {
    T *p = to;
    const T *q = from;
    WN__IVDEP for (int64_t j = 0; j < n; j++) p[j] += q[j];
}
