/* Steps of optimisers for parameters of type T: included by optim_kernels.c behind as_f32.h or as_f64.h. */

static void OF(sgd)(const wn__sgd *o, int64_t n, T *restrict p, const T *restrict g, T *restrict buf) {
    const T lr = (T)o->lr, mu = (T)o->momentum, keep = (T)(1 - o->dampening), wd = (T)o->weight_decay;
    const T sign = o->maximize ? (T)-1 : (T)1;
    if (!buf) {
        for (int64_t i = 0; i < n; i++) p[i] -= lr * (sign * g[i] + WN_DECAY(p[i]));
    } else if (o->first) {
        for (int64_t i = 0; i < n; i++) {
            T d = sign * g[i] + WN_DECAY(p[i]);
            buf[i] = d;
            p[i] -= lr * (o->nesterov ? d + mu * d : d);
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            T d = sign * g[i] + WN_DECAY(p[i]), b = mu * buf[i] + keep * d;
            buf[i] = b;
            p[i] -= lr * (o->nesterov ? d + mu * b : b);
        }
    }
}

static void OF(adam)(const wn__adam *o, int64_t n, T *restrict p, const T *restrict g, T *restrict m, T *restrict v,
                     T *restrict vmax) {
    const T b1 = (T)(1 - o->beta1), b2 = (T)o->beta2, c2 = (T)(1 - o->beta2), eps = (T)o->eps;
    const T shrink = o->decoupled ? (T)(1 - o->lr * o->weight_decay) : (T)1;
    const T wd = o->decoupled ? (T)0 : (T)o->weight_decay;
    const T size = (T)o->step_size, root = (T)o->root_correction2, sign = o->maximize ? (T)-1 : (T)1;
    for (int64_t i = 0; i < n; i++) {
        T x = p[i] * shrink, d = sign * g[i] + WN_DECAY(x);
        T a = m[i] + b1 * (d - m[i]), b = b2 * v[i] + c2 * d * d, top = b;
        m[i] = a;
        v[i] = b;
        if (vmax) vmax[i] = top = b > vmax[i] ? b : vmax[i];
        p[i] = x - size * a / (OF(wn__sqrt)(top) / root + eps);
    }
}
