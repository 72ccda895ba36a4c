"""Names of version 1 of the residual networks."""
from .nets_resnet import bottleneck_v1 as bottleneck, resnet_v1, resnet_v1_block  # noqa: F401
