"""What importlib.metadata finds under the name torch while `import torch` is winnow: programs ask for its version before they import it."""
from importlib.metadata import Distribution

from .version import __version__


class TorchDistribution(Distribution):
    """Metadata without files."""

    def read_text(self, filename):
        return f"Metadata-Version: 2.1\nName: torch\nVersion: {__version__}\n" if filename == "METADATA" else None

    def locate_file(self, path):
        return path
