"""Strings that look like code, raw and concatenated ones, and braces in f-strings."""
import torch


@torch.compile
def run(x: torch.Tensor):
    print("print('x') # no comment", r"\d", b"bytes", u"u")
    print("a" "b" f"{x}" 'c')
    print(f"{{{x.mean()}}} {x!r:>{10}} {'nested'}")
    print(f'''{
        x.mean()
    } lines''')
    print("""three
    lines""", x)
    print("%(a)s" % {"a": x})
    return x
