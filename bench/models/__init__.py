"""Models with the break shapes of published ones whose code is not part of transformers.

Written by us from a description of where TorchDynamo breaks those models' graphs; they compute something of the same
form, not the same thing, and carry "like" in their names. A class takes an instance of its `config_class`.
"""
