def run(x):
    import torch

    @torch.compile
    def inner(y: torch.Tensor):
        print("y", y)
        return y

    return inner(x)
