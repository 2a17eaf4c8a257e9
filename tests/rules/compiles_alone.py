#!/usr/bin/env python3
"""compiles_alone.py BUILD: every source that BUILD compiles together with others compiles by itself, too."""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path


def sources(build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if Path(entry["file"]).parent.name != "Unity":
            continue
        words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
        for source in re.findall(r'#include "(.+)"', Path(entry["file"]).read_text()):
            yield entry["directory"], [word if word != entry["file"] else source for word in words], source


def check(directory, words, source):
    done = subprocess.run(words + ["-fsyntax-only", "-Werror"], cwd=directory, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{source} does not compile by itself:\n{done.stderr[:2000]}"


def main():
    found = list(sources(Path(sys.argv[1])))
    if not found:
        sys.exit("nothing is compiled together: CMAKE_UNITY_BUILD is off")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda one: check(*one), found) if fault]
    for fault in faults:
        print(fault)
    print(f"{len(found) - len(faults)} of {len(found)} sources compile by themselves")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
