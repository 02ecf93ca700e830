/* Modules one after the other. */
#include <stdio.h>
#include "tensor/tensor.h"

static wn_tensor *forward(wn_module *m, wn_tensor *x) { return wn_sequential_forward((wn_sequential *)m, x); }

void wn_sequential_add(wn_sequential *s, wn_module *owned) {
    char name[16];
    s->module.forward = forward;
    snprintf(name, sizeof name, "%d", s->module.count);
    wn_add_owned(&s->module, name, owned);
}
wn_status wn_sequential_init_x(wn_sequential *s, int64_t n, wn_module *const *owned) {
    s->module.forward = forward;
    for (int64_t i = 0; i < n; i++) wn_sequential_add(s, owned[i]);
    return wn_module_status(&s->module);
}
wn_module *wn_sequential_at(wn_sequential *s, int64_t i) {
    if (i < 0) i += s->module.count;
    return i >= 0 && i < s->module.count ? s->module.entries[i].child : NULL;
}
wn_tensor *wn_sequential_forward(wn_sequential *s, wn_tensor *x) {
    for (int i = 0; i < s->module.count; i++)
        if (s->module.entries[i].child) x = wn_forward(s->module.entries[i].child, x);
    return x;
}
