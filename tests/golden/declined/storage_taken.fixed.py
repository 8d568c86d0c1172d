# A tensor gets the storage of another one: what is made there is no longer its own. By itself, by a function, under another name;
# where none does, what is made is changed as ever.
import torch
from torch import nn
from graphmend import runtime as _graphmend

def take(to, of):
    to.set_(of)


def hands_on(to, of):
    return take(to, of)


class Net(nn.Module):
    def in_an_arm(self, x):
        y = x * 2
        if x.sum() > 0:
            h = x.clone()
            h.set_(x)
            h.add_(1)
            y = h * 1
        return y

    def by_keyword(self, x):
        y = x * 2
        if x.sum() > 0:
            h = x.clone()
            h.copy_(h.set_(source=x) + 1)
            y = h * 1
        return y

    def before_the_arm(self, x):
        h = x * 2
        h.set_(x)
        if x.sum() > 0:
            h[0] = 0
        return h * 1

    def of_what_is_selected(self, x):
        h = x * 2
        k = x * 3
        if x.sum() > 0:
            k = x * 1
        h.set_(k)
        h.add_(1)
        return k * 1

    def after_a_guard(self, x):
        if x.sum() < 0:
            raise ValueError("x")
        h = x.clone()
        h.set_(x)
        h.add_(1)
        return h * 1

    def before_a_guard(self, x):
        h = x.clone()
        k = h
        k.set_(x)
        if x.sum() < 0:
            raise ValueError("x")
        h[0] = 0
        return h * 1

    def by_functions(self, x):
        h = x.clone()
        hands_on(h, x)
        if x.sum() < 0:
            raise ValueError("x")
        h.add_(1)
        return h * 1

    def inside_of_one(self, x):
        h = x.clone()

        def exchange():
            h.data = x

        if x.sum() < 0:
            raise ValueError("x")
        exchange()
        k = h.view(-1)
        k.add_(1)
        return h * 1

    def by_name(self, x):
        h = x.clone()
        getattr(h, "set_")(x)
        if x.sum() < 0:
            raise ValueError("x")
        h.add_(1)
        return h * 1

    def sets_data(self, x):
        h = x.clone()
        setattr(h, "data", x)
        if x.sum() < 0:
            raise ValueError("x")
        h.add_(1)
        return h * 1

    def swapped(self, x):
        h = x.clone()
        torch.utils.swap_tensors(h, x)
        if x.sum() < 0:
            raise ValueError("x")
        h.add_(1)
        return h * 1

    def metadata(self, x):
        y = x * 2
        if x.sum() > 0:
            h = x * 3
            h.resize_(2)
            y = h.sum() + y
        return y

    def forward(self, x):
        self.in_an_arm(x), self.by_keyword(x), self.before_the_arm(x), self.of_what_is_selected(x)
        self.after_a_guard(x), self.before_a_guard(x), self.by_functions(x), self.inside_of_one(x)
        self.by_name(x), self.sets_data(x), self.swapped(x)
        return self.metadata(x)


class Other(nn.Module):
    def forward(self, x):
        _graphmend.raise_if(x.sum() < 0,
            lambda: ValueError("x"))
        y = x * 2
        def _if_true(y):
            h = x.clone()
            h.add_(1).mul_(2)
            y = h * 1
            return y
        y = _graphmend.select(x.sum() > 1, _if_true, lambda y: y, y)
        k = x.clone()
        k.data.mul_(2)
        k.data *= 2
        return y + k
