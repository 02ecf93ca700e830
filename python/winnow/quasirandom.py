"""torch.quasirandom: Sobol sequences from the direction numbers of Joe and Kuo (2008), with random linear scrambling and a digital shift.

The numbers of the first dimensions stand here; those of all 21201 are read from SciPy's table, where SciPy is installed."""
import winnow as torch

__all__ = ["SobolEngine"]

# Of dimensions 2, 3, ...: the primitive polynomial's bits and the first odd numbers m_1, m_2, ..., as many as its degree.
_TABLE = """3 1, 7 1 3, 11 1 3 1, 13 1 1 1, 19 1 1 3 3, 25 1 3 5 13, 37 1 1 5 5 17, 41 1 1 5 5 5, 47 1 1 7 11 19, 55 1 1 5 1 1, 59 1 1 1 3 11, 61 1 3 5
    5 31, 67 1 3 3 9 7 49, 91 1 1 1 15 21 21, 97 1 3 1 13 27 49, 103 1 1 1 15 7 5, 109 1 3 1 15 13 25, 115 1 1 5 5 19 61, 131 1 3 7 11 23 15
    103, 137 1 3 7 13 13 15 69, 143 1 1 3 13 7 35 63, 145 1 3 5 9 1 25 53, 157 1 3 1 13 9 35 107, 167 1 3 1 5 27 61 31, 171 1 1 5 11 19 41 61,
    185 1 3 5 3 3 13 69, 191 1 1 7 13 1 19 1, 193 1 3 7 5 13 19 59, 203 1 1 3 9 25 29 41, 211 1 3 5 13 23 1 55, 213 1 3 7 3 13 59 17, 229 1 3 1
    3 5 53 69, 239 1 1 5 5 23 33 13, 241 1 1 7 7 1 61 123, 247 1 1 7 9 13 61 49, 253 1 3 3 5 3 55 33, 285 1 3 1 15 31 13 49 245, 299 1 3 5 15 31
    59 63 97, 301 1 3 1 11 11 11 77 249, 333 1 3 1 11 27 43 71 9, 351 1 1 7 15 21 11 81 45, 355 1 3 7 3 25 31 65 79, 357 1 3 1 1 19 11 3 205,
    361 1 1 5 9 19 21 29 157, 369 1 3 7 11 1 33 89 185, 391 1 3 3 3 15 9 79 71, 397 1 3 7 11 15 39 119 27, 425 1 1 3 1 11 31 97 225, 451 1 1 1 3
    23 43 57 177"""


def _first_numbers(dimension):
    """The (polynomial, numbers) of dimensions 2 to `dimension`."""
    rows = [[int(word) for word in line.split()] for line in _TABLE.split(",")]
    if dimension - 1 <= len(rows):
        return [(row[0], row[1:]) for row in rows[:dimension - 1]]
    try:
        import os

        import numpy
        from scipy import stats

        with numpy.load(os.path.join(os.path.dirname(stats.__file__), "_sobol_direction_numbers.npz")) as file:
            polynomials, numbers = file["poly"][1:dimension].tolist(), file["vinit"][1:dimension].tolist()
    except (ImportError, OSError, KeyError) as error:
        raise NotImplementedError(f"torch.quasirandom.SobolEngine: winnow brings the direction numbers of {len(rows) + 1} dimensions; for {dimension} it "
                                  f"reads SciPy's, which could not be had ({error})") from error
    return [(p, row[:p.bit_length() - 1]) for p, row in zip(polynomials, numbers)]


def _directions(polynomial, numbers, bits):
    """The direction numbers of one dimension, as integers of `bits` binary places: v_j = m_j 2^(bits - j) with the recurrence that the polynomial gives."""
    degree, m = polynomial.bit_length() - 1, list(numbers)
    for j in range(degree, bits):
        new = m[j - degree] ^ (m[j - degree] << degree)
        for k in range(1, degree):
            if polynomial >> (degree - k) & 1:
                new ^= m[j - k] << k
        m.append(new)
    return [n << (bits - 1 - j) for j, n in enumerate(m[:bits])]


class SobolEngine:
    """Points of [0, 1)^dimension that fill it more evenly than random ones. scramble: a random lower triangular matrix of bits and a random shift for
    each dimension, drawn from seed (None: the default generator)."""
    MAXBIT, MAXDIM = 30, 21201

    def __init__(self, dimension, scramble=False, seed=None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.dimension, self.scramble, self.seed, bits = dimension, scramble, seed, self.MAXBIT
        rows = [[1 << (bits - 1 - j) for j in range(bits)]] + [_directions(*first, bits) for first in _first_numbers(dimension)]
        self.sobolstate = torch.tensor(rows, dtype=torch.int64)
        self.shift = torch.zeros(dimension, dtype=torch.int64)
        if scramble:
            self._scramble()
        self.reset()

    def _scramble(self):
        generator = None if self.seed is None else torch.Generator().manual_seed(self.seed)
        bits = self.MAXBIT
        shift = torch.randint(2, (self.dimension, bits), generator=generator)
        self.shift = (shift << torch.arange(bits)).sum(-1)
        matrix = torch.randint(2, (self.dimension, bits, bits), generator=generator).tril(-1) + torch.eye(bits, dtype=torch.int64)
        places = torch.arange(bits - 1, -1, -1)
        digits = self.sobolstate.unsqueeze(-1) >> places & 1  # [dimension, number, binary place]
        mixed = (digits.unsqueeze(-2) * matrix.unsqueeze(1)).sum(-1) % 2
        self.sobolstate = (mixed << places).sum(-1)

    def _points(self, first, n):
        """The integers of points first to first + n - 1: point i joins by XOR the direction numbers at the bits of i's Gray code."""
        i = torch.arange(first, first + n)
        code = (i ^ (i >> 1)).unsqueeze(-1)
        points = self.shift.expand(n, -1)
        for j in range((first + n).bit_length()):
            points = points ^ (code >> j & 1) * self.sobolstate[:, j]
        return points

    def draw(self, n=1, out=None, dtype=None):
        """The next n points, [n, dimension]."""
        if self.num_generated + n > 1 << self.MAXBIT:
            raise ValueError(f"SobolEngine: the sequence has 2^{self.MAXBIT} points")
        dtype = torch.get_default_dtype() if dtype is None else dtype
        points = self._points(self.num_generated, n)
        self.num_generated += n
        if n:
            self.quasi = points[-1].clone()
        result = points.to(dtype) * 2.0**-self.MAXBIT
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """The next 2^m points; as many as there were before must be a multiple of it together."""
        n = 1 << m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError("The balance properties of Sobol' points require that n be a power of 2. "
                             f"{self.num_generated} points have been previously generated, then: n={self.num_generated}+2**{m}={total}. "
                             "If you still want to do this, please use 'SobolEngine.draw()' instead.")
        return self.draw(n, out, dtype)

    def reset(self):
        """Back to the first point."""
        self.quasi, self.num_generated = self.shift.clone(), 0
        return self

    def fast_forward(self, n):
        """n points further."""
        self.num_generated += n
        if self.num_generated:
            self.quasi = self._points(self.num_generated - 1, 1)[0].clone()
        return self

    def __repr__(self):
        texts = [f"dimension={self.dimension}"] + ["scramble=True"] * bool(self.scramble) + [f"seed={self.seed}"] * (self.seed is not None)
        return f"{type(self).__name__}({', '.join(texts)})"
