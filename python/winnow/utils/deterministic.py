"""torch.utils.deterministic: whether empty memory is to be filled where deterministic algorithms are asked for. winnow leaves it as it is."""
fill_uninitialized_memory = True
