"""The part of llvmlite that the kernels use."""

from llvmlite import ir as ir
