"""torch.utils.collect_env: what a report of a problem should say about the machine."""
import platform
import sys

import winnow

__all__ = ["get_pretty_env_info", "main"]


def get_pretty_env_info():
    """The versions, the processor and the engine's settings as a text."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            processor = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.processor())
    except OSError:
        processor = platform.processor()
    numpy = sys.modules.get("numpy")
    lines = [("winnow version", winnow._winnow), ("as PyTorch", winnow.__version__), ("Is debug build", False), ("CUDA used to build", None), ("OS", platform.platform()),
             ("libc", " ".join(platform.libc_ver())), ("Python version", sys.version.replace("\n", " ")), ("Is CUDA available", False), ("CPU", processor),
             ("Level of kernels", winnow.backends.cpu.get_cpu_capability()), ("Threads", winnow.get_num_threads()),
             ("numpy", numpy.__version__ if numpy else "not loaded")]
    return "\n".join(f"{name}: {value}" for name, value in lines)


def main():
    """Prints it."""
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
