"""Nothing of torch is here: copied as it is."""
print("clean")
