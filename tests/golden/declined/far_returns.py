"""Where, declined: the 106th arm of an if returns what was selected, and a caller changes it in place."""
import torch


def pick(x, k: int):
    y = x
    if x.sum() > 10:
        y = x * 2
    if k == 0: return x * 0
    elif k == 1: return x * 1
    elif k == 2: return x * 2
    elif k == 3: return x * 3
    elif k == 4: return x * 4
    elif k == 5: return x * 5
    elif k == 6: return x * 6
    elif k == 7: return x * 7
    elif k == 8: return x * 8
    elif k == 9: return x * 9
    elif k == 10: return x * 10
    elif k == 11: return x * 11
    elif k == 12: return x * 12
    elif k == 13: return x * 13
    elif k == 14: return x * 14
    elif k == 15: return x * 15
    elif k == 16: return x * 16
    elif k == 17: return x * 17
    elif k == 18: return x * 18
    elif k == 19: return x * 19
    elif k == 20: return x * 20
    elif k == 21: return x * 21
    elif k == 22: return x * 22
    elif k == 23: return x * 23
    elif k == 24: return x * 24
    elif k == 25: return x * 25
    elif k == 26: return x * 26
    elif k == 27: return x * 27
    elif k == 28: return x * 28
    elif k == 29: return x * 29
    elif k == 30: return x * 30
    elif k == 31: return x * 31
    elif k == 32: return x * 32
    elif k == 33: return x * 33
    elif k == 34: return x * 34
    elif k == 35: return x * 35
    elif k == 36: return x * 36
    elif k == 37: return x * 37
    elif k == 38: return x * 38
    elif k == 39: return x * 39
    elif k == 40: return x * 40
    elif k == 41: return x * 41
    elif k == 42: return x * 42
    elif k == 43: return x * 43
    elif k == 44: return x * 44
    elif k == 45: return x * 45
    elif k == 46: return x * 46
    elif k == 47: return x * 47
    elif k == 48: return x * 48
    elif k == 49: return x * 49
    elif k == 50: return x * 50
    elif k == 51: return x * 51
    elif k == 52: return x * 52
    elif k == 53: return x * 53
    elif k == 54: return x * 54
    elif k == 55: return x * 55
    elif k == 56: return x * 56
    elif k == 57: return x * 57
    elif k == 58: return x * 58
    elif k == 59: return x * 59
    elif k == 60: return x * 60
    elif k == 61: return x * 61
    elif k == 62: return x * 62
    elif k == 63: return x * 63
    elif k == 64: return x * 64
    elif k == 65: return x * 65
    elif k == 66: return x * 66
    elif k == 67: return x * 67
    elif k == 68: return x * 68
    elif k == 69: return x * 69
    elif k == 70: return x * 70
    elif k == 71: return x * 71
    elif k == 72: return x * 72
    elif k == 73: return x * 73
    elif k == 74: return x * 74
    elif k == 75: return x * 75
    elif k == 76: return x * 76
    elif k == 77: return x * 77
    elif k == 78: return x * 78
    elif k == 79: return x * 79
    elif k == 80: return x * 80
    elif k == 81: return x * 81
    elif k == 82: return x * 82
    elif k == 83: return x * 83
    elif k == 84: return x * 84
    elif k == 85: return x * 85
    elif k == 86: return x * 86
    elif k == 87: return x * 87
    elif k == 88: return x * 88
    elif k == 89: return x * 89
    elif k == 90: return x * 90
    elif k == 91: return x * 91
    elif k == 92: return x * 92
    elif k == 93: return x * 93
    elif k == 94: return x * 94
    elif k == 95: return x * 95
    elif k == 96: return x * 96
    elif k == 97: return x * 97
    elif k == 98: return x * 98
    elif k == 99: return x * 99
    elif k == 100: return x * 100
    elif k == 101: return x * 101
    elif k == 102: return x * 102
    elif k == 103: return x * 103
    elif k == 104: return x * 104
    elif k == 105: return x * 105
    else: return y


def step(x, k: int):
    y = pick(x, k)
    y.add_(1)
    return x * 2


compiled = torch.compile(step)
