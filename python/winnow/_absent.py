"""What torch has and winnow has not: the reason that errors give, and the names that programs import from there. Those can be imported, subclassed
and compared with; whoever calls one is told the reason."""
import contextlib
import shutil
import sys
from types import ModuleType

from ._stand_in import refusing

_COMPLEX = "it needs complex numbers, which winnow has not"
_GRAPHS = "winnow runs programs, it does not turn them into graphs"
_QUANTIZED = "winnow has no quantized tensors"
_GROUPS = "winnow computes in one process and has no process groups; check torch.distributed.is_available() or is_initialized() before"

REASONS = {
    **dict.fromkeys(("fft", "complex", "polar", "view_as_complex", "view_as_real", "stft", "istft", "angle"), _COMPLEX),
    **dict.fromkeys(("fx", "export", "onnx", "_dynamo", "_inductor", "_export", "_functorch", "_higher_order_ops", "mobile"), _GRAPHS),
    **dict.fromkeys(("ao", "quantization", "quantize_per_tensor", "quantize_per_channel", "quantize_per_tensor_dynamic", "dequantize"), _QUANTIZED),
    "distributed": _GROUPS,
    "classes": "winnow's operations are functions of torch, and others cannot be registered",
    "nn.parallel": "winnow has one device",
    **dict.fromkeys(("PyTorchFileReader", "PyTorchFileWriter"), "winnow reads and writes files by torch.load and torch.save"),
    **dict.fromkeys(("SymInt", "SymFloat", "SymBool"), "sizes are numbers here"),
    **dict.fromkeys(("TensorType", "Graph"), "winnow has no TorchScript"),
    "nested": "winnow has no nested tensors; masks (torch.masked) say which elements count",
    "nn.attention": "winnow has no kernels made of a score's function; scaled_dot_product_attention takes masks",
    "package": "winnow has no archives of code",
    "monitor": "winnow has no monitoring",
    "utils.flop_counter": "winnow does not count operations",
    "utils.cpp_extension": "winnow's extensions are written against winnow.h",
}

# Of torch itself: functions and classes.
FUNCTIONS = {"complex", "polar", "view_as_complex", "view_as_real", "stft", "istft", "angle", "quantize_per_tensor", "quantize_per_channel",
             "quantize_per_tensor_dynamic", "dequantize", "PyTorchFileReader", "PyTorchFileWriter", "SymInt", "SymFloat", "SymBool", "TensorType", "Graph"}

_COMMUNICATION = """all_gather all_gather_coalesced all_gather_into_tensor all_gather_object all_reduce all_reduce_coalesced all_to_all all_to_all_single barrier
    broadcast broadcast_object_list gather gather_object reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list send recv isend irecv"""

# Modules, and what programs name of them.
NAMES = {name: words.split() for name, words in {
    "fft": """fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft rfft2 rfftfreq
        rfftn""",
    "_dynamo._trace_wrapped_higher_order_op": "",
    "fx": "Graph GraphModule Interpreter Node Proxy Tracer Transformer has_side_effect map_arg replace_pattern symbolic_trace",
    "fx.node": "Node Target Argument map_arg map_aggregate",
    "fx.graph": "Graph CodeGen",
    "fx.graph_module": "GraphModule",
    "fx.proxy": "Proxy GraphAppendingTracer",
    "fx.experimental": "",
    "fx.experimental.proxy_tensor": "make_fx get_proxy_mode PythonKeyTracer",
    "fx.experimental.symbolic_shapes": "ShapeEnv guard_size_oblivious is_symbolic",
    "fx.passes": "",
    "fx.passes.shape_prop": "ShapeProp TensorMetadata",
    "onnx": "ONNXProgram OnnxExporterError export is_in_onnx_export register_custom_op_symbolic",
    "onnx.operators": "shape_as_tensor reshape_from_tensor_shape",
    "onnx.symbolic_helper": "parse_args",
    "export": "Dim ExportedProgram ShapesCollection default_decompositions draft_export export load register_dataclass save unflatten",
    "_inductor": "compile",
    "_inductor.config": "",
    "_functorch": "",
    "_functorch.aot_autograd": "aot_function aot_module aot_module_simplified aot_export_module",
    "_higher_order_ops": "",
    "_higher_order_ops.associative_scan": "associative_scan",
    "ao": "",
    "ao.quantization": """DeQuantStub FakeQuantize HistogramObserver MinMaxObserver MovingAverageMinMaxObserver ObserverBase PerChannelMinMaxObserver QConfig
        QConfigMapping QuantStub QuantWrapper convert default_qconfig fuse_modules fuse_modules_qat get_default_qat_qconfig get_default_qconfig
        get_default_qconfig_mapping prepare prepare_qat quantize quantize_dynamic""",
    "quantization": """DeQuantStub HistogramObserver ObserverBase QConfig QuantStub QuantWrapper convert default_qconfig fuse_modules get_default_qat_qconfig
        get_default_qconfig prepare prepare_qat quantize quantize_dynamic quantize_qat""",
    "nested": "as_nested_tensor narrow nested_tensor nested_tensor_from_jagged to_padded_tensor",
    "nn.attention.flex_attention": "AuxRequest BlockMask and_masks create_block_mask create_mask flex_attention noop_mask or_masks",
    "nn.parallel.comm": "broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter",
    "nn.parallel.parallel_apply": "get_a_var parallel_apply",
    "nn.parallel.replicate": "replicate",
    "nn.parallel.scatter_gather": "gather is_namedtuple scatter scatter_kwargs",
    "package": "PackageExporter PackageImporter",
    "monitor": "Aggregation Event Stat log_event register_event_handler",
    "utils.cpp_extension": """BuildExtension CUDAExtension CppExtension SyclExtension check_compiler_abi_compatibility include_paths library_paths load
        load_inline verify_ninja_availability""",
    "utils.flop_counter": "FlopCounterMode register_flop_formula",
    "distributed.algorithms": "Join JoinHook Joinable",
    "distributed.algorithms.join": "Join JoinHook Joinable",
    "distributed.algorithms.ddp_comm_hooks": "default_hooks",
    "distributed.algorithms.ddp_comm_hooks.default_hooks": "allreduce_hook bf16_compress_hook fp16_compress_hook",
    "distributed.algorithms._checkpoint": "",
    "distributed.algorithms._checkpoint.checkpoint_wrapper": """CheckpointImpl CheckpointWrapper apply_activation_checkpointing checkpoint_wrapper
        offload_wrapper""",
    "distributed.checkpoint": """DefaultLoadPlanner DefaultSavePlanner FileSystemReader FileSystemWriter LoadPlanner SavePlanner async_save load load_state_dict
        save save_state_dict""",
    "distributed.checkpoint.state_dict": """StateDictOptions get_model_state_dict get_optimizer_state_dict get_state_dict set_model_state_dict
        set_optimizer_state_dict set_state_dict""",
    "distributed.checkpoint.stateful": "Stateful",
    "distributed.device_mesh": "DeviceMesh init_device_mesh",
    "distributed.distributed_c10d": "Backend P2POp PrefixStore ProcessGroup ReduceOp Store Work new_group " + _COMMUNICATION,
    "distributed.elastic": "",
    "distributed.elastic.multiprocessing": "",
    "distributed.elastic.multiprocessing.errors": "ChildFailedError ErrorHandler ProcessFailure get_error_handler",
    "distributed.fsdp": """BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig FullStateDictConfig FullyShardedDataParallel
        LocalStateDictConfig MixedPrecision MixedPrecisionPolicy OffloadPolicy ShardedOptimStateDictConfig ShardedStateDictConfig ShardingStrategy StateDictType
        fully_shard""",
    "distributed.fsdp.fully_sharded_data_parallel": """BackwardPrefetch CPUOffload FullOptimStateDictConfig FullStateDictConfig FullyShardedDataParallel MixedPrecision
        ShardedOptimStateDictConfig ShardedStateDictConfig ShardingStrategy StateDictType""",
    "distributed.fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "distributed.fsdp.wrap": """CustomPolicy ModuleWrapPolicy always_wrap_policy enable_wrap lambda_auto_wrap_policy size_based_auto_wrap_policy
        transformer_auto_wrap_policy wrap""",
    "distributed.nn": "RemoteModule " + _COMMUNICATION,
    "distributed.nn.functional": _COMMUNICATION,
    "distributed.optim": "DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer",
    "distributed.pipelining": "PipelineStage Schedule1F1B ScheduleGPipe SplitPoint pipe_split pipeline",
    "distributed.rpc": "RRef init_rpc remote rpc_async rpc_sync shutdown",
    "distributed.tensor": "DTensor Partial Placement Replicate Shard distribute_module distribute_tensor",
    "distributed.tensor.parallel": """ColwiseParallel ParallelStyle PrepareModuleInput PrepareModuleOutput RowwiseParallel SequenceParallel loss_parallel
        parallelize_module""",
}.items()}


def _unchanged(function):
    """The function itself: outside of graphs the decorator does nothing."""
    return function


_unchanged.__name__ = _unchanged.__qualname__ = "wrap"

# What does in winnow what it does in torch outside of what is absent.
def _associative_scan(*args, **kwargs):
    from ._scan import associative_scan

    return associative_scan(*args, **kwargs)


_PRESENT = {"_higher_order_ops.associative_scan.associative_scan": _associative_scan,
            "fx.wrap": _unchanged, "distributed.elastic.multiprocessing.errors.record": _unchanged, "onnx.is_in_onnx_export": lambda: False,
            "_dynamo._trace_wrapped_higher_order_op.TransformGetItemToIndex": contextlib.nullcontext,  # samples of vmap are indexed as they are
            "nn.attention.flex_attention._DEFAULT_SPARSE_BLOCK_SIZE": 128}

# Of a machine without CUDA, ROCm and SYCL, as PyTorch says it there.
_ABOUT_COMPILERS = {**dict.fromkeys(("CUDA_HOME", "CUDNN_HOME", "ROCM_HOME", "HIP_HOME", "ROCM_VERSION", "SYCL_HOME"), None), "IS_HIP_EXTENSION": False,
                    "IS_WINDOWS": False, "IS_MACOS": False, "IS_LINUX": True, "LIB_EXT": ".so", "EXEC_EXT": "", "CLIB_PREFIX": "lib", "CLIB_EXT": ".so",
                    "is_ninja_available": lambda: shutil.which("ninja") is not None}

_FFT = {"fft.fftshift", "fft.ifftshift", "fft.fftfreq", "fft.rfftfreq"}


def reason(path):
    """Why torch.<path> is absent; None: there is none known."""
    while path:
        if path in REASONS:
            return REASONS[path]
        path = path.rpartition(".")[0]
    return None


def refused(path):
    """What stands for torch.<path>: a class, if its name begins as classes' do, or a function; called, it raises."""
    name, text = path.rpartition(".")[2], f"torch.{path}: {reason(path)}"
    if not name[0].isupper():
        function = refusing(name, NotImplementedError, text, f"Not in winnow: {reason(path)}.")
        function.refused = text  # so can be told from what is there
        return function

    def __new__(cls, *args, **kwargs):
        raise NotImplementedError(text)
    return type(name, (), {"__new__": __new__, "__doc__": f"Not in winnow: {reason(path)}.", "__module__": f"torch.{path}".rpartition(".")[0], "refused": text})


class _Absent(ModuleType):
    """A module of torch's that winnow has not."""

    def __getattr__(self, name):
        path = f"{self._path}.{name}"
        if path in NAMES:
            return module(path)
        if self._path == "utils.cpp_extension" and name in _ABOUT_COMPILERS:
            return _ABOUT_COMPILERS[name]
        value = _PRESENT.get(path)
        if path in _FFT:
            from . import _fft

            value = getattr(_fft, name)
        if value is None:
            if name not in NAMES[self._path]:
                from ._hook import missing

                raise missing(self.__name__, name, NAMES[self._path], reason(path))
            value = refused(path)
        setattr(self, name, value)
        return value

    def __dir__(self):
        return sorted({*super().__dir__(), *NAMES[self._path]})


def module(path):
    """The module that stands for torch.<path>, one of NAMES."""
    own = f"{__package__}.{path}"
    if own not in sys.modules:
        stand_in = sys.modules[own] = _Absent(own, f"Not in winnow: {reason(path)}. Its names can be imported; called, they raise.")
        stand_in._path, stand_in.__path__, stand_in.__all__ = path, [], NAMES[path]
    return sys.modules[own]
