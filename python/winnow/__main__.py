"""python -m winnow script.py: see _run.py."""
from ._run import main

main()
