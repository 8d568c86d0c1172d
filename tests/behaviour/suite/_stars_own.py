SEEN = []


def print(text, value):
    SEEN.append(text)
    return value * 2
