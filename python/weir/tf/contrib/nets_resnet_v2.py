"""Names of version 2 of the residual networks."""
from .nets_resnet import bottleneck_v2 as bottleneck, resnet_v2, resnet_v2_block  # noqa: F401
