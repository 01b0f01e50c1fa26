"""The names of LLVM's representation that the kernels use."""

from typing import Any

Undefined: object

class Type:
    def __call__(self, value: Any) -> Constant: ...
    def as_pointer(self) -> Type: ...

class IntType(Type):
    def __init__(self, bits: int) -> None: ...

class VectorType(Type):
    def __init__(self, element: Type, count: int) -> None: ...

class VoidType(Type):
    def __init__(self) -> None: ...

class FunctionType(Type):
    def __init__(self, result: Type, arguments: list[Type]) -> None: ...

class Constant:
    def __init__(self, kind: Type, value: object) -> None: ...
