from torch import nn

from ..log import get
from .. import _graphmend_runtime as _graphmend

logger = get(__name__)


class Base(nn.Module):
    def report(self, x):
        _graphmend.defer(lambda value, x_shape: logger.info("%s: %s", value, x_shape), type(self).__name__, x.shape)


class Net(Base):
    def forward(self, x):
        self.report(x)
        return x * 2
