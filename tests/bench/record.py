#!/usr/bin/env python3
"""Figures of a benchmark into the page of figures: record.py PAGE NAME COMMIT, the benchmark's output on standard input.

Passes the input on. The page has a section a benchmark, with the commit it was measured at and the machine; that of NAME is written
anew, the others stay. No figure at all on the input: the page stays as it is, exit status 1.
"""
import json
import os
import re
import sys


def machine():
    with open("/proc/cpuinfo") as lines:
        models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return "%d cores of %s" % (len(os.sched_getaffinity(0)), models[0] if models else "an unknown processor")


def number(value):
    return "%.4g" % value if abs(value) < 10000 and value != int(value) else "%d" % value


def section(name, commit, figures):
    lines = ["## " + name, "", "At %s, on %s." % (commit, machine()), "", "| figure | value | unit | goal | met |",
             "|---|---|---|---|---|"]
    for figure in figures:
        lines.append("| `%s` | %s | %s | %s | %s |" % (figure["name"], number(float(figure["value"])), figure["unit"], figure["goal"],
                                                      "yes" if figure["ok"] else "**no**"))
    return "\n".join(lines) + "\n"


def main():
    page, name, commit = sys.argv[1:]
    figures = []
    for line in sys.stdin:
        print(line, end="", flush=True)
        if line.startswith("{"):
            figures.append(json.loads(line))
    if not figures:
        sys.exit("record: benchmark %s has printed no figure; %s stays as it is" % (name, page))
    with open(page) as file:
        head, *sections = re.split(r"^(?=## )", file.read(), flags=re.M)
    kept = {text.split("\n", 1)[0][3:]: text.rstrip("\n") + "\n" for text in sections}
    kept[name] = section(name, commit, figures)
    with open(page + ".new", "w") as file:
        file.write("\n".join([head.rstrip("\n") + "\n"] + [kept[key] for key in sorted(kept)]))
    os.replace(page + ".new", page)


if __name__ == "__main__":
    main()
