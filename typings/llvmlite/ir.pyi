"""The two names of LLVM's representation that the kernels use."""

class IntType:
    def __init__(self, bits: int) -> None: ...

class Constant:
    def __init__(self, kind: IntType, value: int) -> None: ...
