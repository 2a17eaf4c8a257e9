#!/usr/bin/env python3
"""bench_rows.py COMMAND...: runs a benchmark; fails when it fails, prints no row, or a row falls short of its goal."""
import json
import subprocess
import sys


def faults(output, status):
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if status != 0:
        yield "exit status %d" % status
    if not rows:
        yield "no row"
    for row in rows:
        if not row["ok"]:
            yield "%s: %s %s, goal %s" % (row["name"], row["value"], row["unit"], row["goal"])


def main():
    run = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True)
    print(run.stdout, end="")
    short = list(faults(run.stdout, run.returncode))
    for text in short:
        print("short: " + text)
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
