"""Helpers of the code between the stages, which is NumPy code: vendored by `--stage functional`."""
