"""SummaryWriter: scalars, histograms, images, texts and graphs into event files that TensorBoard reads."""
import os
import time

import winnow as torch
from .. import _png
from . import _events
from ._events import message

__all__ = ["FileWriter", "SummaryWriter"]


class FileWriter:
    """The event files of one folder: flushed after max_queue events or flush_secs seconds, at flush() and at close()."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        self.log_dir, self.max_queue, self.flush_secs = str(log_dir), max_queue, flush_secs
        self.events = _events.EventFile(self.log_dir, filename_suffix)
        self.waiting, self.flushed = 0, time.monotonic()

    def get_logdir(self):
        return self.log_dir

    def add_summary(self, summary, global_step=None, walltime=None):
        self.events.add(summary, global_step, walltime)
        self.waiting += 1
        if self.waiting >= self.max_queue or time.monotonic() - self.flushed > self.flush_secs:
            self.flush()

    def add_graph(self, graph_profile, walltime=None):
        """A graph, and on which devices it ran, as _graph.graph makes them."""
        definition, run = graph_profile
        self.events.add_field(4, definition, None, walltime)
        self.events.add_field(8, message(1, "step1") + message(2, run), None, walltime)
        self.flush()

    def flush(self):
        self.events.file.flush()
        self.waiting, self.flushed = 0, time.monotonic()

    def close(self):
        self.events.file.close()


def _number(x):
    """A number of a number, or of an array or tensor with one element."""
    if isinstance(x, torch.Tensor) or hasattr(x, "squeeze"):
        if (x.numel() if isinstance(x, torch.Tensor) else x.size) != 1:
            raise AssertionError(f"Tensor should contain one element (0 dimensions). Was given size: {tuple(x.shape)}")
        x = x.item()
    elif isinstance(x, (str, bytes)) or not hasattr(x, "__float__"):
        raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")
    return float(x)


def _tensor(x):
    return torch.as_tensor(x).detach()


def _default_bins():
    """torch's: 0 and 1e-12 * 1.1^i of both signs, up to 1e20."""
    positive, x = [], 1e-12
    while x < 1e20:
        positive.append(x)
        x *= 1.1
    return [-v for v in reversed(positive)] + [0.0] + positive


class SummaryWriter:
    """Writes what a program wants to see; a context manager. log_dir: runs/<time>_<host> unless given."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            import socket

            log_dir = os.path.join("runs", time.strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment)
        self.log_dir, self.purge_step, self.max_queue, self.flush_secs, self.filename_suffix = log_dir, purge_step, max_queue, flush_secs, filename_suffix
        self.file_writer, self.all_writers, self._bins = None, None, None
        self._get_file_writer()

    def _get_file_writer(self):
        if self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
        return self.file_writer

    def get_logdir(self):
        return self.log_dir

    def _add(self, summary, step, walltime):
        self._get_file_writer().add_summary(summary, step, walltime)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """new_style: as a tensor, of float64 with double_precision."""
        number = _number(scalar_value)
        self._add(_events.scalar_tensor(tag, number, double_precision) if new_style else _events.scalar(tag, number), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Several scalars in one picture: each in a folder of its own, as torch does it."""
        self._get_file_writer()
        for tag, value in tag_scalar_dict.items():
            folder = os.path.join(str(self.log_dir), main_tag.replace("/", "_") + "_" + tag)
            if folder not in self.all_writers:
                self.all_writers[folder] = FileWriter(folder, self.max_queue, self.flush_secs, self.filename_suffix)
            self.all_writers[folder].add_summary(_events.scalar(main_tag, _number(value)), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """bins: "tensorflow" (growing by a tenth), "auto" (64 equal ones), or limits."""
        x = _tensor(values).reshape(-1).to(torch.float64)
        if x.numel() == 0:
            raise ValueError("The input has no element.")
        low, high = x.min().item(), x.max().item()
        if isinstance(bins, str):
            if bins == "tensorflow":
                self._bins = limits = self._bins or _default_bins()
            else:
                width = (high - low) / 64 or 1.0
                limits = [low + width * i for i in range(65)]
        else:
            limits = [float(b) for b in bins]
        counts = torch.bincount(torch.bucketize(x, torch.tensor(limits, dtype=torch.float64)), minlength=len(limits) + 1).tolist()
        limits = limits + [max(high, limits[-1])]
        used = [i for i, c in enumerate(counts) if c]
        first, last = max(used[0] - 1, 0), used[-1] + 1  # one empty bucket before the first
        self._add(_events.histogram(tag, low, high, x.numel(), x.sum().item(), (x * x).sum().item(), limits[first:last], counts[first:last]),
                  global_step, walltime)

    def add_histogram_raw(self, tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts, global_step=None, walltime=None):
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        self._add(_events.histogram(tag, min, max, num, sum, sum_squares, list(map(float, bucket_limits)), list(map(float, bucket_counts))),
                  global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """An image of uint8, or of floating point in 0 .. 1."""
        image = _tensor(img_tensor)
        if image.dim() != len(dataformats):
            raise AssertionError(f"size of input tensor and input format are different. tensor shape: {tuple(image.shape)}, input_format: {dataformats}")
        order = dataformats.upper()
        if order == "HW":
            image = image.unsqueeze(0)
        else:
            image = image.permute(order.index("C"), order.index("H"), order.index("W"))
        if image.shape[0] == 1:
            image = image.expand(3, *image.shape[1:])
        if image.dtype is not torch.uint8:
            image = (image.to(torch.float32) * 255).clamp(0, 255).to(torch.uint8)
        pixels, h, w, c = _png.pixels_of(image)
        self._add(_events.image(tag, _png.encode(pixels, h, w, c), h, w, c), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Several images as one grid, eight in a row."""
        x = _tensor(img_tensor)
        order = dataformats.upper()
        x = x.permute(order.index("N"), order.index("C"), order.index("H"), order.index("W"))
        n, c, h, w = x.shape
        columns = min(n, 8)
        rows = -(-n // columns)
        x = torch.cat([x, x.new_zeros((rows * columns - n, c, h, w))])
        grid = x.reshape(rows, columns, c, h, w).permute(2, 0, 3, 1, 4).reshape(c, rows * h, columns * w)
        self.add_image(tag, grid, global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        self._add(_events.text(tag + "/text_summary", text_string), global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """The hyperparameters as a table in a text and the metrics as scalars, in a folder of their own. (torch's plugin page of
        hyperparameters is not fed.)"""
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        folder = os.path.join(str(self.log_dir), run_name or str(time.time()))
        with SummaryWriter(folder) as w:
            w.add_text("hparams", "\n".join(["| name | value |", "|---|---|"] + [f"| {k} | {v} |" for k, v in hparam_dict.items()]), global_step)
            for k, v in metric_dict.items():
                w.add_scalar(k, v, global_step)

    def _not_there(self, *args, **kwargs):
        raise NotImplementedError("winnow's SummaryWriter writes scalars, histograms, images, texts and graphs")

    add_video = add_audio = add_figure = add_onnx_graph = add_embedding = add_pr_curve = add_pr_curve_raw = add_mesh = add_custom_scalars = _not_there
    add_tensor = add_image_with_boxes = _not_there

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """Draws what the model does with these inputs (a tensor, or a tuple of arguments): its modules as boxes, in them operations with the shapes
        of their results."""
        from ._graph import graph

        self._get_file_writer().add_graph(graph(model, input_to_model, verbose))

    def flush(self):
        for w in (self.all_writers or {}).values():
            w.flush()

    def close(self):
        for w in (self.all_writers or {}).values():
            w.close()
        self.file_writer = self.all_writers = None

    __enter__ = lambda self: self

    def __exit__(self, *exc):
        self.close()
