"""What comes after the guard changes a tensor of the caller."""
import torch


@torch.compile
def run(x: torch.Tensor, total: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    total.add_(x.sum())
    return x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(2))
        self.table = {"a": torch.zeros(2)}

    def same(self, x):
        return x

    def forward(self, x: torch.Tensor):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.same(self.state)
        y.add_(1)
        return x + y

    def by_get(self, x: torch.Tensor):
        if x.sum() > 4:
            raise ValueError("large")
        self.table.get("a").add_(1)
        return x

    def by_function(self, x: torch.Tensor):
        if x.sum() > 5:
            raise ValueError("large")
        torch.atleast_2d(self.state).add_(1)
        return x


net = Net()
compiled = [torch.compile(net), torch.compile(net.by_get), torch.compile(net.by_function)]
