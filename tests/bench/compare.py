#!/usr/bin/env python3
"""Whether a benchmark's figures have fallen since another build: compare.py BUILD OTHER NAME [--rounds N] [--least R]

Runs the parts of benchmark NAME of both build trees in turn, so that what else the machine does meets both, and takes each
figure's best round. One JSON line a figure: value is this build's figure as a share of the other's, above 1 is better
whichever way the figure's goal points. A figure that only one build has is told, and is no failure where it is new.
Exit status 1: a figure is below R, or is gone.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def run(part):
    """The figures of one run: name -> (value, the goal's direction)."""
    done = subprocess.run([part], cwd=part.parent, stdout=subprocess.PIPE, text=True)
    figures = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            figure = json.loads(line)
            figures[figure["name"]] = (float(figure["value"]), figure["goal"].split()[0])
    return figures


def better(a, b):
    """The better of two (value, direction) of one figure; either may be None."""
    if a is None or b is None:
        return a or b
    return max(a, b) if a[1] == ">=" else min(a, b)


def share(this, other):
    """This figure as a share of the other, above 1: better."""
    (value, direction), (before, _) = this, other
    if value == before:
        return 1.0
    better_way, worse_way = (value, before) if direction == ">=" else (before, value)
    return better_way / worse_way if worse_way != 0 else float("inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--least", type=float, default=0.97)
    arguments = parser.parse_args()
    pattern = f"bench_{arguments.name.replace('-', '')}_*"
    trees = [tree.resolve() / "tests/bench" for tree in (arguments.build, arguments.other)]
    parts = [sorted(p.name for p in tree.glob(pattern) if p.is_file()) for tree in trees]
    for tree, found in zip(trees, parts):
        if not found:
            sys.exit(f"compare: no benchmark is named '{arguments.name}' in {tree}")
    bad = False
    for part in sorted(set(parts[0]) | set(parts[1])):
        best = [{}, {}]
        for _ in range(arguments.rounds):
            for figures, tree in zip(best, trees):
                if (tree / part).exists():
                    for name, figure in run(tree / part).items():
                        figures[name] = better(figures.get(name), figure)
        for name in sorted(set(best[0]) | set(best[1])):
            this, other = (figures.get(name) for figures in best)
            if this is None or other is None:
                print(json.dumps({"name": name, "only": "this build" if other is None else "the other build"}), flush=True)
                bad |= this is None
                continue
            value = share(this, other)
            ok = value >= arguments.least
            bad |= not ok
            print(json.dumps({"name": name, "value": round(value, 4), "unit": "of the other build's", "goal": f">= {arguments.least}",
                              "ok": ok, "context": {"this": this[0], "other": other[0]}}), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
