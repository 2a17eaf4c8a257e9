#!/usr/bin/env python3
"""How fast a tile is simulated against another build of it: speed_against.py TILE_SPEED OTHER [--copies N] [--cpu C]

Both are programs tile_speed (tb/tile/tile_speed.cpp) of a build. How fast one is depends on the pages in which its text
lies, so each is run from N fresh copies, in turn, on one CPU. One JSON line a loop: the median over this build's copies
as a share of that over the other's. Exit status 1: one is below 0.95.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

LOOPS = ("integer", "fma", "amp", "idle")
LEAST = 0.95


def rate(program, loop):
    lines = subprocess.run([program, "0.15", loop], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return max(float(line.split()[1]) for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--cpu", type=int, default=0)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.cpu})
    rates = {(loop, side): [] for loop in LOOPS for side in (0, 1)}
    with tempfile.TemporaryDirectory() as folder:
        for n in range(arguments.copies):
            copies = [shutil.copy(program, os.path.join(folder, f"{n}_{side}")) for side, program in enumerate(arguments.programs)]
            for loop in LOOPS:
                for side in (0, 1):
                    rates[loop, side].append(rate(copies[side], loop))
    ok = True
    for loop in LOOPS:
        this, other = (statistics.median(rates[loop, side]) for side in (0, 1))
        ok &= this / other >= LEAST
        print(json.dumps({"name": f"tile_speed_{loop}", "value": round(this / other, 4), "unit": "of the other build's", "goal": f">= {LEAST}",
                          "ok": this / other >= LEAST, "context": {"this": this, "other": other, "best": round(max(rates[loop, 0]) / max(rates[loop, 1]), 4)}}))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
