from .checks import require as check
from .model import Net

__all__ = ["Net", "check"]
