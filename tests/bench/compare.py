#!/usr/bin/env python3
"""Whether a benchmark's figures have fallen since another build: compare.py BUILD OTHER NAME [--rounds N] [--least R]

Runs the parts of benchmark NAME, or the one part NAME (arithmetic_speed), of both build trees in turn, the first of a round being the second of the next, so that what
else the machine does meets both. One JSON line a figure: value is this build's figure as a share of the other's, the median of
the rounds' shares; above 1 is better whichever way the figure's goal points. Each round is compared within itself, because
machines change their speed for minutes. A figure that only one build has is told, and is no failure where it is new.
Exit status 1: a figure is below R, or is gone.
"""
import argparse
import json
import pathlib
import statistics
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
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--least", type=float, default=0.97)
    arguments = parser.parse_args()
    name = f"bench_{arguments.name.replace('-', '')}"
    trees = [tree.resolve() / "tests/bench" for tree in (arguments.build, arguments.other)]
    parts = [sorted(p.name for p in tree.glob("bench_*") if p.is_file() and f"{p.name}_".startswith(f"{name}_")) for tree in trees]
    for tree, found in zip(trees, parts):
        if not found:
            sys.exit(f"compare: no benchmark is named '{arguments.name}' in {tree}")
    bad = False
    for part in sorted(set(parts[0]) | set(parts[1])):
        rounds = []
        for n in range(arguments.rounds):
            figures = [{}, {}]
            for side in (0, 1) if n % 2 == 0 else (1, 0):
                if (trees[side] / part).exists():
                    figures[side] = run(trees[side] / part)
            rounds.append(figures)
        names = [{name for figures in rounds for name in figures[side]} for side in (0, 1)]
        for name in sorted(names[0] | names[1]):
            pairs = [(this[name], other[name]) for this, other in rounds if name in this and name in other]
            if not pairs:
                print(json.dumps({"name": name, "only": "this build" if name in names[0] else "the other build"}), flush=True)
                bad |= name not in names[0]
                continue
            shares = sorted(share(this, other) for this, other in pairs)
            value = statistics.median(shares)
            ok = value >= arguments.least
            bad |= not ok
            medians = [statistics.median(pair[side][0] for pair in pairs) for side in (0, 1)]
            print(json.dumps({"name": name, "value": round(value, 4), "unit": "of the other build's", "goal": f">= {arguments.least}",
                              "ok": ok, "context": {"this": medians[0], "other": medians[1],
                                                    "shares": [round(each, 3) for each in shares]}}), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
