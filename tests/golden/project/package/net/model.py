from torch import nn

from ..log import get

logger = get(__name__)


class Base(nn.Module):
    def report(self, x):
        logger.info("%s: %s", type(self).__name__, x.shape)


class Net(Base):
    def forward(self, x):
        self.report(x)
        return x * 2
