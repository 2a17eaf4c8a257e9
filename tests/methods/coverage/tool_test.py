#!/usr/bin/env python3
"""The report of coverage: counts of several runs are added, what is not hit is named, waivers are printed and checked."""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = "module m;\n  a = 1;\n  if (b) c = 1;\n  else c = 2;\nendmodule\n"


def point(file, line, column, page, what, block, count):
    block = f"\x01S\x02{block}" if block else ""
    return f"C '\x01f\x02{file}\x01l\x02{line}\x01n\x02{column}\x01page\x02{page}/m\x01o\x02{what}{block}\x01h\x02TOP' {count}\n"


def report(root, waivers):
    (root / "waivers.toml").write_text(waivers)
    done = subprocess.run([sys.executable, HERE / "coverage.py", "report", root, root / "counts", root / "out", "--no-pages",
                           "--waivers", root / "waivers.toml"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(text, *parts, without=()):
    for part in parts:
        assert part in text, f"no '{part}' in:\n{text}"
    for part in without:
        assert part not in text, f"'{part}' in:\n{text}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        counts = root / "counts"
        counts.mkdir()
        for name in ("rtl/tile/m.sv", "rtl/float/n.sv"):
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(SOURCE)
        for run, (then, other) in enumerate([(3, 0), (4, 0)]):
            with open(counts / f"{run}.dat", "w") as file:
                for name in ("rtl/tile/m.sv", "rtl/float/n.sv"):
                    path = root / name
                    file.write(point(path, 2, 1, "v_line", "block", "2", 7))
                    file.write(point(path, 3, 3, "v_branch", "if", "3", then))
                    # The other branch is taken in the second file only.
                    file.write(point(path, 3, 4, "v_branch", "else", "4", other if "m.sv" in name else 1))
                    file.write(point(path, 1, 1, "v_toggle", "b[0]", "", 0 if "m.sv" in name else run))
        (counts / "a.points").write_text("2 seen in one run\n0 seen in none\n0 not possible\n")
        (counts / "b.points").write_text("0 seen in one run\n0 seen in none\n0 not possible\n")

        code, text = report(root, "")
        assert code == 1
        expect(text, "rtl/tile/m.sv:4: else c = 2;", "  seen in none\n", "  not possible\n", "1 of 3 points hit",
               "rtl/tile: 66.67 % of lines", "rtl/float: 100.00 % of lines", "GOALS MISSED",
               without=["rtl/float/n.sv:4", "  seen in one run\n"])
        expect((root / "out/toggles_never_seen.txt").read_text(), "rtl/tile/m.sv:1: b[0]", without=["n.sv"])

        good = '[[point]]\nname = "not possible"\nreason = "because"\nshown_by = "constant NONE"\n'
        code, text = report(root, good)
        assert code == 1
        expect(text, "  seen in none\n", "not possible\n      because (constant NONE)", "1 waived, 1 missed", without=["WRONG"])

        code, text = report(root, good + '[[point]]\nname = "seen in one run"\nreason = "because"\nshown_by = "constant NONE"\n')
        assert code == 1
        expect(text, "WRONG point waived, but hit: seen in one run")
        _, text = report(root, good + '[[point]]\nname = "gone"\nreason = "because"\nshown_by = "constant NONE"\n')
        expect(text, "WRONG waiver of something that is not there, or is hit: gone")
        _, text = report(root, good + '[[point]]\nname = "seen in none"\nreason = "because"\nshown_by = "proof nobody_made"\n')
        expect(text, "WRONG waiver by a proof that tests/methods/formal does not have: nobody_made")
        _, text = report(root, good + '[[point]]\nname = "seen in none"\nshown_by = "constant NONE"\n')
        expect(text, "WRONG waiver without a reason")
    print("coverage report: as expected")


main()
