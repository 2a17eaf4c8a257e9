#!/usr/bin/env python3
"""commands_test.py RUN BUILD CTEST: every command that ./run tells of, and every benchmark, is run by a test of the nightly tier."""
import json
import re
import subprocess
import sys

run, build, ctest = sys.argv[1:]


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=build).stdout


tests = json.loads(said(ctest, "--show-only=json-v1"))["tests"]
alive = set()
for test in tests:
    command = " ".join(test.get("command", []))
    labels = [value for entry in test["properties"] if entry["name"] == "LABELS" for value in entry["value"]]
    if "nightly" in labels and run + " --no-install " in command:
        alive.add(command.partition(run + " --no-install ")[2])

usage = said(run, "help")
commands = set(re.findall(r"^  ([a-z]+)\b", usage, flags=re.M))
if not commands >= {"demo", "test", "bench"}:
    sys.exit("the usage of ./run is not understood: %s" % sorted(commands))
benchmarks = said(run, "--no-install", "bench").split()[1:]
if not benchmarks:
    sys.exit("./run bench lists nothing")
wanted = sorted(commands - {"test", "bench"}) + ["bench " + name.replace("-", "") for name in benchmarks]
missing = [name for name in wanted if not any((text + " ").startswith(name + " ") for text in alive)]
if missing:
    sys.exit("no test of the nightly tier runs: " + ", ".join("./run " + name for name in missing))
