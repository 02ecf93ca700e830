"""Parameters as one vector, and back."""
import winnow
from winnow import Tensor


def parameters_to_vector(parameters):
    """All elements of the parameters, one after the other."""
    return winnow.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Gives the parameters the vector's elements: they become views of it."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {winnow.typename(vec)}")
    begin = 0
    for p in parameters:
        n = p.numel()
        p.data = vec[begin:begin + n].view_as(p).data
        begin += n
