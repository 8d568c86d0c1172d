"""Where with Defer, declined: prints in both arms, of which only the taken one may be seen."""

import torch

ENTRY = "pick_rate"
EXPECT = "declined"


def pick_rate(loss, rate):
    if loss > 1.0:
        print("loss is high:", tuple(rate.shape))
        rate = rate * 0.5
    else:
        print("loss is fine")
        rate = rate * 1.1
        if loss < 0.1:
            print("almost done")
    print("next")
    return rate


compiled = torch.compile(pick_rate)


def cases():
    rate = torch.tensor([0.1, 0.2])
    return [((torch.tensor(2.0), rate), {}), ((torch.tensor(0.5), rate), {}), ((torch.tensor(0.05), rate), {})]
