# The runtime's own source stands here.
