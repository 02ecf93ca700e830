"""Multi-head attention as a function of its weights, from nn.functional's rows."""
import math
import warnings

from .. import _C

_rows, _torch = _C.functions(4), _C.functions(1)
_linear, _attend, _with_weights = _rows["linear"], _rows["scaled_dot_product_attention"], _C.functions(256)["attention_composed"]

__all__ = ["multi_head_attention_forward"]


def _must(condition, text):
    if not condition:
        raise AssertionError(text)


def _batched(query, key, value, padding, mask, heads):
    """Is the input batched? Checks that everything has the dimensions that go with it."""
    n = query.dim()
    if n not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor")
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    _must(key.dim() == n and value.dim() == n,
          f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively")
    if padding is not None:
        _must(padding.dim() == n - 1, f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found {padding.dim()}-D tensor instead")
    if mask is not None:
        _must(mask.dim() in (2, 3), f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.dim()}-D tensor instead")
        if n == 2 and mask.dim() == 3:
            want = (heads, query.shape[0], key.shape[0])
            _must(tuple(mask.shape) == want, f"Expected `attn_mask` shape to be {want} but got {mask.shape}")
    return n == 3


def _as_bias(mask, name, dtype, other=None):
    """A mask (true: left out) as numbers to add to the scores."""
    if mask is None:
        return None
    import winnow

    floating = mask.is_floating_point()
    _must(floating or mask.dtype is winnow.bool, f"only bool and floating types of {name} are supported")
    if other is not None and mask.dtype is not other:
        warnings.warn(f"Support for mismatched {name} and attn_mask is deprecated. Use same type for both instead.", stacklevel=3)
    return mask if floating else _torch["zeros_like"](mask, dtype=dtype).masked_fill_(mask, -math.inf)


def _project(query, key, value, weight, bias):
    """The three inputs times the parts of one weight; one product where they are one input."""
    n = query.size(-1)
    if key is value and query is key:
        return _linear(query, weight, bias).chunk(3, -1)
    if key is value:
        q, kv = weight.split([n, 2 * n])
        bq, bkv = (None, None) if bias is None else bias.split([n, 2 * n])
        return (_linear(query, q, bq), *_linear(key, kv, bkv).chunk(2, -1))
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return tuple(_linear(x, w, b) for x, w, b in zip((query, key, value), weight.chunk(3), biases))


def _project_apart(inputs, weights, bias):
    n = inputs[0].size(-1)
    for name, x, w in zip(("query", "key", "value"), inputs, weights):
        _must(tuple(w.shape) == (n, x.size(-1)), f"expecting {name} weights shape of {(n, x.size(-1))}, but got {w.shape}")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return tuple(_linear(x, w, b) for x, w, b in zip(inputs, weights, biases))


def _one_more(x, dim, row=None):
    """x with a row of zeros (or `row`) behind its last one."""
    if x is None:
        return None
    if row is None:
        shape = list(x.shape)
        shape[dim] = 1
        row = _torch["zeros"](shape, dtype=x.dtype)
    return _torch["cat"]([x, row], dim)


def _in_heads(x, batch, heads, width):
    """[length, batch, heads * width] as [batch * heads, length, width]."""
    return x.reshape(x.shape[0], batch * heads, width).transpose(0, 1)


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p,
                                 out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
                                 average_attn_weights=True, is_causal=False):
    """Projections of query, key and value [L, N, E] (or [L, E]), attention of each head, and its projection; the weights beside it."""
    batched = _batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same_kv, same_q = key is value, query is key
        query = query.unsqueeze(1)
        key = query if same_q else key.unsqueeze(1)
        value = key if same_kv else value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, embed = query.shape
    sources = key.shape[0]
    padding = _as_bias(key_padding_mask, "key_padding_mask", query.dtype, None if attn_mask is None else attn_mask.dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                           "`generate_square_subsequent_mask` to create this mask.")
    if is_causal and padding is None and not need_weights:
        attn_mask = None  # the hint says it all
    else:
        attn_mask = _as_bias(attn_mask, "attn_mask", query.dtype)
        is_causal = is_causal and padding is None
    _must(embed == embed_dim_to_check, f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed}")
    width = embed // num_heads
    _must(width * num_heads == embed, f"embed_dim {embed} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        _must(key.shape[:2] == value.shape[:2], f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
        for name, w in (("q", q_proj_weight), ("k", k_proj_weight), ("v", v_proj_weight)):
            _must(w is not None, f"use_separate_proj_weight is True but {name}_proj_weight is None")
        q, k, v = _project_apart((query, key, value), (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias)
    else:
        _must(key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}")
        _must(in_proj_weight is not None, "use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _project(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            if tuple(attn_mask.shape) != (length, sources):
                raise RuntimeError(f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {(length, sources)}.")
            attn_mask = attn_mask.unsqueeze(0)
        elif tuple(attn_mask.shape) != (batch * num_heads, length, sources):
            raise RuntimeError(f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be {(batch * num_heads, length, sources)}.")
    _must((bias_k is None) == (bias_v is None), "bias_k is set but bias_v is None" if bias_v is None else "bias_v is set but bias_k is None")
    if bias_k is not None:
        _must(static_k is None, "bias cannot be added to static key.")
        _must(static_v is None, "bias cannot be added to static value.")
        k, v = _one_more(k, 0, bias_k.repeat(1, batch, 1)), _one_more(v, 0, bias_v.repeat(1, batch, 1))
        attn_mask, padding = _one_more(attn_mask, -1), _one_more(padding, -1)
    q = _in_heads(q, batch, num_heads, width)
    for name, given in (("k", static_k), ("v", static_v)):
        if given is not None:
            _must(given.size(0) == batch * num_heads, f"expecting static_{name}.size(0) of {batch * num_heads}, but got {given.size(0)}")
            _must(given.size(2) == width, f"expecting static_{name}.size(2) of {width}, but got {given.size(2)}")
    k = _in_heads(k, batch, num_heads, width) if static_k is None else static_k
    v = _in_heads(v, batch, num_heads, width) if static_v is None else static_v
    if add_zero_attn:
        k, v, attn_mask, padding = _one_more(k, 1), _one_more(v, 1), _one_more(attn_mask, -1), _one_more(padding, -1)
    sources = k.size(1)
    if padding is not None:
        _must(padding.shape[0] == batch, f"Expected key_padded_mask.shape[0] to be {batch}, but got {padding.shape[0]}")
        _must(padding.shape[1] == sources, f"Expected key_padded_mask.shape[1] to be {sources}, but got {padding.shape[1]}")
        padding = padding.view(batch, 1, 1, sources).expand(-1, num_heads, -1, -1).reshape(batch * num_heads, 1, sources)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        output, weights = _with_weights(q * math.sqrt(1.0 / width), k, v, attn_mask, dropout_p, False, 1.0)
        output = output.transpose(0, 1)
    else:
        weights = None
        if attn_mask is not None:
            attn_mask = attn_mask.unsqueeze(0) if attn_mask.size(0) == 1 else attn_mask.reshape(batch, num_heads, -1, sources)
        q, k, v = (x.reshape(batch, num_heads, x.size(1), width) for x in (q, k, v))
        output = _attend(q, k, v, attn_mask, dropout_p, is_causal).permute(2, 0, 1, 3)
    output = _linear(output.reshape(length * batch, embed), out_proj_weight, out_proj_bias)
    output = output.view(length, batch, output.size(1))
    if weights is not None:
        weights = weights.view(batch, num_heads, length, sources)
        weights = weights.mean(dim=1) if average_attn_weights else weights
    if not batched:
        output = output.squeeze(1)
        weights = None if weights is None else weights.squeeze(0)
    return output, weights


multi_head_attention_forward.__module__ = "torch.nn.functional"
