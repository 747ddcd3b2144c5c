"""Kernels that a page can call: numbers and arrays in, nothing out but what is in arrays."""
