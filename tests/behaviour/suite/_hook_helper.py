def hook(owner, name, function):
    getattr(owner, name).register_forward_hook(function)
