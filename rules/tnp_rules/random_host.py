"""Distributions that TensorFlow cannot draw: NumPy draws them, from a seed that TensorFlow's generator gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.random_arguments import for_caller


class HostDraws:
    """These take rejection loops or give no array, so NumPy draws on the host: numbers cross to the device."""

    generator: Any

    def _on_host(self, name: str, *arguments: Any) -> Any:
        if not tf.executing_eagerly():
            raise TypeError(f"{name} is drawn by NumPy, on the host: draw outside tf.function and pass the numbers in")
        seed = int(self.generator.make_seeds()[0, 0]) % 2**64
        given = [one.numpy() if tf.is_tensor(one) else one for one in arguments]
        drawn = getattr(np.random.default_rng(seed), name)(*given)
        return for_caller(tf.constant(drawn)) if isinstance(drawn, np.ndarray) else drawn

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """TensorFlow has no von Mises numbers."""
        return self._on_host("vonmises", mu, kappa, size)

    def zipf(self, a: Any, size: Any = None) -> Any:
        """TensorFlow has no Zipf numbers."""
        return self._on_host("zipf", a, size)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """TensorFlow has no hypergeometric numbers."""
        return self._on_host("hypergeometric", ngood, nbad, nsample, size)

    def multivariate_hypergeometric(self, colors: Any, nsample: Any, size: Any = None) -> Any:
        """TensorFlow has no hypergeometric numbers."""
        return self._on_host("multivariate_hypergeometric", colors, nsample, size)

    def bytes(self, length: Any) -> Any:
        """Python's bytes are on the host."""
        return self._on_host("bytes", length)
