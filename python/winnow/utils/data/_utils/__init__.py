"""What DataLoader is made of."""
from . import collate, fetch, worker
