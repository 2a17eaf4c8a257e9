#!/usr/bin/env python3
"""docs/user/api-coverage.md: every name of Poplar's API that programs use, and the test that fails if it does something else.

usage: api_coverage.py CLANG SOURCES [--write]

The lists beside this script have a row for each name:
    tier | name | file under tests/ | test case [| what of the case uses the name, if it is not the name itself]
    tier | name | - | why it is not there
    tier | name | never | why an exception that is there is never thrown
Tiers: 1 tutorials and simple programs, 2 what PopLibs needs beyond, + beyond both. Names are of namespace poplar, with their class;
what stands in brackets behind a name tells uses of it apart. `codelet` is the side of the tile. What uses a name may begin with
`file:` where a function of the test's file does it for the case.

Without --write, says what is wrong and fails: a page that is not what list and headers give, a name that no header declares and that
gives no reason, a public name of the headers without a row, a test that is not there or does not use the name.
"""
import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the sources stay as they are
from header_names import declared, device_words  # noqa: E402

PAGE = "docs/user/api-coverage.md"
CODELET = "codelet::"
CASE = re.compile(r'^TEST_CASE(?:_METHOD)?\((?:\w+,\s*)?"((?:[^"\\]|\\.)*)"', re.M)
Row = collections.namedtuple("Row", "place tier name test case use")


def rows(folder, complaints):
    out = []
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) not in (4, 5) or parts[0] not in ("1", "2", "+"):
                complaints.append(f"{path.name}:{number}: no row: {line}")
                continue
            out.append(Row(f"{path.name}:{number}", *parts, *[""] * (5 - len(parts))))
    return out


def plain(name):
    """Without what tells uses of a name apart; an operator's brackets are of its name."""
    return name if "operator" in name else re.sub(r"\(.*\)$", "", name)


def last(name):
    return plain(name).split("::")[-1]


class Tests:
    def __init__(self, folder):
        self.folder, self.files = folder, {}

    def text(self, file):
        if file not in self.files:
            path = self.folder / file
            self.files[file] = path.read_text() if path.is_file() else None
        return self.files[file]

    def cases(self, file):
        """Text by case; one case ends where the next begins."""
        found = list(CASE.finditer(self.text(file)))
        ends = [case.start() for case in found[1:]] + [len(self.text(file))]
        return {case[1]: self.text(file)[case.start():end] for case, end in zip(found, ends)}

    def complaint(self, row):
        if self.text(row.test) is None:
            return f"tests/{row.test} is not there"
        if not CASE.search(self.text(row.test)):
            body = self.text(row.test)  # a script: the case is what it says of itself
            if row.case not in body:
                return f"tests/{row.test} says nothing of '{row.case}'"
        elif row.case not in self.cases(row.test):
            return f"tests/{row.test} has no case '{row.case}'"
        else:
            body = self.cases(row.test)[row.case]
        use = row.use
        if use.startswith("file:"):
            body, use = self.text(row.test), use[len("file:"):].strip()
        if use:
            return None if use in body else f"'{row.case}' does not say '{use}'"
        return None if re.search(rf"\b{re.escape(last(row.name))}\b", body) else f"'{row.case}' does not use {last(row.name)}"


def group(name):
    """The class or namespace under whose heading a name stands."""
    parts = plain(name).split("::")
    return "::".join(parts[:-1]) or "Functions and constants"


def page(all_rows):
    there = [row for row in all_rows if row.test not in ("-", "never")]
    lines = ["# Poplar's API, name by name", "",
             "Made by `tests/poplar/coverage/api_coverage.py` from our headers and the lists beside it; do not edit. Tier 1 is what tutorials",
             "and simple programs use, tier 2 what PopLibs needs beyond; `+` is beyond both. Each name has a test that fails if it does",
             "something else. `codelet` is the side of the tile.", "", "| tier | names | there, with a test | not there |", "|---|---|---|---|"]
    for tier in ("1", "2", "+"):
        mine = [row for row in all_rows if row.tier == tier and row.test != "never"]
        with_test = sum(row.test != "-" for row in mine)
        lines.append(f"| {tier} | {len(mine)} | {with_test} | {len(mine) - with_test} |")
    lines += ["", "## Not there, and why", "", "| tier | name | why |", "|---|---|---|"]
    lines += [f"| {row.tier} | `{row.name}` | {row.case} |" for row in all_rows if row.test == "-"]
    lines += ["", "## There and never thrown, and why", "", "| exception | why |", "|---|---|"]
    lines += [f"| `{last(row.name)}` | {row.case} |" for row in all_rows if row.test == "never"]
    groups = collections.defaultdict(list)
    for row in there:
        groups[group(row.name)].append(row)
    for title, members in groups.items():
        lines += ["", f"## {title}", "", "| name | tier | test |", "|---|---|---|"]
        for row in members:
            shown = row.name[len(title) + 2:] if row.name.startswith(title + "::") else row.name
            lines.append(f"| `{shown}` | {row.tier} | {row.test}: {row.case} |".replace("\\", ""))
    return "\n".join(lines) + "\n"


def main(clang, root, write):
    complaints = []
    here = pathlib.Path(__file__).resolve().parent
    all_rows = rows(here, complaints)
    names, words, tests = declared(clang, root), device_words(root), Tests(root / "tests")
    if len(names) < 500:
        complaints.append(f"{len(names)} names read of the headers: {clang} has shown too little of them")
    seen = set()
    for row in all_rows:
        name = plain(row.name)
        if row.name in seen:
            complaints.append(f"{row.place}: {row.name} has a row already")
        seen.add(row.name)
        is_declared = name[len(CODELET):].split("::")[-1] in words if name.startswith(CODELET) else name in names
        if row.test == "-":
            if is_declared:
                complaints.append(f"{row.place}: {row.name} is declared; name its test")
            continue
        if row.test == "never":
            if not is_declared:
                complaints.append(f"{row.place}: {row.name} is in no header")
            continue
        if not is_declared:
            complaints.append(f"{row.place}: {row.name} is in no header; give a reason instead of a test")
        if complaint := tests.complaint(row):
            complaints.append(f"{row.place}: {row.name}: {complaint}")
    listed = {plain(name) for name in seen}
    complaints += [f"{name} is public and has no row" for name in sorted(names - listed)]
    wanted, path = page(all_rows), root / PAGE
    if write:
        path.write_text(wanted)
    elif not path.is_file() or path.read_text() != wanted:
        complaints.append(f"{PAGE} is not what list and headers give: run {pathlib.Path(__file__).name} with --write")
    print("\n".join(complaints) if complaints else f"{len(all_rows)} rows, {len(names)} names of the headers")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), "--write" in sys.argv[3:]))
