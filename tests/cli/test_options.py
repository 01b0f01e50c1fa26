"""Options say of themselves what is true elsewhere."""

from typing import get_args

from deniable.cli.options import Decoder
from deniable.estimation.decoders import DECODERS


def test_the_help_names_every_decoder_in_the_order_of_the_table() -> None:
    """It is written out, for help must load nothing heavy."""
    _, option = get_args(Decoder)
    named = [word.strip(",;.") for word in option.help.split() if word.strip(",;.") in DECODERS]
    assert named == list(DECODERS)
