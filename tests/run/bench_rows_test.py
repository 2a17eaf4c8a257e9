#!/usr/bin/env python3
"""What bench_rows.py says of benchmarks that hold, fall short, print nothing, or fail."""
import subprocess
import sys
from pathlib import Path

GOOD = '{"name":"a","value":2,"unit":"s","goal":"at most 3","ok":true}'
SHORT = '{"name":"b","value":4,"unit":"s","goal":"at most 3","ok":false}'


def say(script):
    tool = Path(__file__).parent / "bench_rows.py"
    run = subprocess.run([tool, "sh", "-c", script], stdout=subprocess.PIPE, text=True)
    return run.returncode, [line for line in run.stdout.splitlines() if line.startswith("short")]


def expect(script, status, lines):
    got = say(script)
    if got != (status, lines):
        sys.exit("%s: %s instead of %s" % (script, got, (status, lines)))


expect("echo '%s'" % GOOD, 0, [])
expect("echo '%s'; echo '%s'" % (GOOD, SHORT), 1, ["short: b: 4 s, goal at most 3"])
expect("echo nothing", 1, ["short: no row"])
expect("echo '%s'; exit 3" % GOOD, 1, ["short: exit status 3"])
