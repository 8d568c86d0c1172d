"""The manual page, the completions, the progress line: what is made from the one table of options."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

COMMANDS = ("fix", "check", "explain", "verify", "dump", "generate", "help")


@pytest.mark.parametrize("kind", ["man", "bash", "zsh", "fish"])
def test_every_option_is_there(run, kind: str) -> None:
    text = run("generate", kind).out.replace("\\-", "-")
    for command in COMMANDS:
        assert command in text
        declared = set(re.findall(r"^ +(?:-., |    )--([a-z-]+)", run(command, "--help").out, re.MULTILINE))
        assert len(declared) >= 2
        for option in declared:
            assert f"-l {option}" in text if kind == "fish" else f"--{option}" in text, (command, option)


def test_wrong_usage(run) -> None:
    assert "one of man, bash, zsh, fish" in run("generate", code=2).err
    assert "one of man, bash, zsh, fish" in run("generate", "tcsh", code=2).err


def test_the_manual_page_is_well_formed(run, tmp_path: Path) -> None:
    groff = shutil.which("groff")
    if not groff:
        pytest.skip("no groff")
    done = subprocess.run(
        [groff, "-man", "-Tascii", "-ww", "-z"], input=run("generate", "man").stdout, capture_output=True
    )
    assert done.returncode == 0 and done.stderr == b""


def complete(script: str, *words: str) -> list[str]:
    code = f"""{script}
COMP_WORDS=({" ".join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
_graphmend
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.split()


def test_bash_completes(run) -> None:
    script = run("generate", "bash").out
    assert complete(script, "graphmend", "ch") == ["check"]
    assert complete(script, "graphmend", "check", "--output-fo") == ["--output-format"]
    assert complete(script, "graphmend", "check", "--output-format", "js") == ["json", "json-lines"]
    assert complete(script, "graphmend", "verify", "--output-format", "js") == ["json"]
    assert complete(script, "graphmend", "fix", "--in") == ["--in-place"]
    assert complete(script, "graphmend", "generate", "z") == ["zsh"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_their_completions(run, tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"no {shell}")
    path = tmp_path / "completion"
    path.write_text(run("generate", shell).out)
    subprocess.run([shell, "-n", path], check=True)


# ---------------------------------------------------------------- progress


def on_terminal(*args: str, cwd: Path, env: dict[str, str]) -> str:
    """Standard error, when it is a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen(args, cwd=cwd, stdout=subprocess.DEVNULL, stderr=slave, env=os.environ | env)
    os.close(slave)
    text = b""
    try:
        while part := os.read(master, 65536):
            text += part
    except OSError:
        pass
    os.close(master)
    child.wait(60)
    return text.decode()


def test_progress_is_shown_on_a_terminal_only_and_taken_away(binary: str, run, write, tmp_path: Path) -> None:
    for i in range(3):
        write(f"m{i}.py", "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n")
    text = on_terminal(binary, "check", cwd=tmp_path, env={"TERM": "xterm"})
    assert re.search(r"\r\x1b\[Kgraphmend: [a-z]+", text)
    assert text.rstrip().endswith("graphmend: 3 files, 3 breaks found, 3 can be fixed, 0 left")
    assert "\r\x1b[Kgraphmend: 3 files" in text
    for args, env in ((["-q"], {"TERM": "xterm"}), ([], {"TERM": "dumb"})):
        assert "\x1b[K" not in on_terminal(binary, "check", *args, cwd=tmp_path, env=env)
    assert "\x1b" not in run("check", code=1).err
