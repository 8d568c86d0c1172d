"""What a program does, recorded and compared: the Python side of `graphmend verify`, and of tests/behaviour.

program.py    what is run: a file's or a package's entry, and its inputs
scenarios.py  runs it, eager and compiled, on each input twice and on all of them forth and back
recording.py  what is hooked: text, log records, warnings, graph breaks; and how values become comparable data
tensors.py    tensors through the host's C interface, or through torch where there is no host
compare.py    two recorded calls side by side
places.py     which statement a line belongs to
record.py     one side in a process of its own
judge.py      both records side by side; report.py shows the verdict
sides.py      starts the two processes and judges what they leave
"""
