"""Weir: runs programs written for TensorFlow 1.x, without TensorFlow.

    python -m weir train.py --steps 100

The API itself is weir.tf; weir.hook lets `import tensorflow` find it.
"""
__version__ = '0.1.0'
