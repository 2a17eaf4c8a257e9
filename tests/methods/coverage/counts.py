"""Counts of Verilator (*.dat) and of functional points (*.points), merged.

The instances of a module, and the classes it was verilated into, are one: a line is hit when it was in any of them.
"""
from collections import defaultdict


class FileCounts:
    def __init__(self):
        self.lines = {}                      # line: count, the least of the blocks that name it
        self.branches = defaultdict(int)     # (line, "if" or "else" or the like): count
        self.toggles = defaultdict(int)      # (line, signal bit): count


def lines_of(text):
    """Verilator's list of the lines of a block: "12-14,16"."""
    for part in text.split(","):
        if part:
            first, _, last = part.partition("-")
            yield from range(int(first), int(last or first) + 1)


def read_counts(paths, root, measured):
    """By file below the root, of the folders `measured`."""
    merged = defaultdict(int)
    for path in paths:
        for line in open(path, errors="replace"):
            if not line.startswith("C '"):
                continue
            key, _, count = line[3:].rpartition("' ")
            fields = dict(part.split("\x02", 1) for part in key.split("\x01") if "\x02" in part)
            name = fields["f"]
            if not name.startswith(f"{root}/"):
                continue
            name = name[len(str(root)) + 1:]
            if not name.startswith(measured):
                continue
            kind = fields["page"].split("/")[0]
            merged[name, kind, int(fields["l"]), int(fields["n"]), fields["o"], fields.get("S", "")] += int(count)
    files = defaultdict(FileCounts)
    for (name, kind, line, column, what, block), count in merged.items():
        file = files[name]
        if kind == "v_toggle":
            file.toggles[line, what] += count
            continue
        for covered in lines_of(block):
            file.lines[covered] = min(count, file.lines.get(covered, count))
        if kind == "v_branch":
            file.branches[line, what] += count
    return files


def read_points(paths):
    merged = defaultdict(int)
    for path in paths:
        for line in open(path):
            count, _, name = line.rstrip("\n").partition(" ")
            merged[name] += int(count)
    return dict(merged)
