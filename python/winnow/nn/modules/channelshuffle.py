"""ChannelShuffle."""
from ._of_functions import define

__all__ = ["ChannelShuffle"]

define(globals(), [("ChannelShuffle", None, "groups", "channel_shuffle(input, groups)", "Takes channels from the groups in turn.")])
