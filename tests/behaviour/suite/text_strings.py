"""Text: triple-quoted strings with odd indentation, nested f-strings, braces, raw and joined strings."""

import torch

ENTRY = "describe_logits"
EXPECT = "fixed"


def describe_logits(logits, names=("cat", "dog")):
    '''Docstring
    indented less
              and more, with a quote: """ and a # sign.
    '''
    print(
        f"""shape {tuple(logits.shape)!r}
  {{braces}} {f"{names[0]:>{6}}"} \t{"nested " + f"{len(names):03d}"}
if True: raise ValueError("only text")
""",
        end="",
    )
    scale = logits.abs().amax()
    if scale > 50:
        raise ValueError(
            f"""
scale {f"{scale.item():.{len(names)}f}"} over {50}
        for {names!r:>20}"""
            r"\d\n"
            "and more"
        )
    print(r"raw \n {no}" f" {names[-1]!s:*^9}" """ # not a comment""")
    probabilities = logits.softmax(dim=-1)
    text = f"""
{probabilities.shape=}
"""
    print(text.strip(), end=f"{'|' * 3}\n")
    return probabilities


compiled = torch.compile(describe_logits)


def cases():
    g = torch.Generator().manual_seed(55)
    x = torch.randn(2, 2, generator=g)
    return [((x,), {}), ((x * 1000,), {}), ((x, ["a", "b", "c"]), {})]
