"""Code that no entry point reaches stays, the same line as in code that one does."""
import torch

if torch.cuda.is_available():
    print("module level")


@torch.compile
def run(x: torch.Tensor):
    def inner():
        print("inner")

    def never():
        print("never called")

    inner()
    print("run")
    return x


def callback(x: torch.Tensor):
    print("callback")
    return x


def main():
    print("main", run(torch.ones(1)))


if __name__ == "__main__":
    print("script")
    main()
