#!/usr/bin/env python3
"""Coverage of the RTL by the tests: lines, branches, toggles and functional points.

  coverage.py run ROOT BUILD [--jobs N]        builds the benches with coverage in BUILD, runs them, reports
  coverage.py report ROOT COUNTS OUT [...]     reports what lies in the folder COUNTS: *.dat of Verilator, *.points

The report prints what was never hit and the waivers; exit status 1 when a goal is missed or a waiver is wrong.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from counts import read_counts, read_points
from waivers import Waivers

# What runs, with its arguments. All but coverage_random are benches of tb, as ./run test runs them, whatever tier is asked for: the
# nightly one's are more cases of the same kinds, which take an hour and more when each counts what it reaches.
RANDOM_PROGRAMS = 150
BENCHES = [
    ("rtl_qemu_test", "tb/qemu", []), ("coverage_random", "tests/methods/coverage", [str(RANDOM_PROGRAMS), "{points}"]),
    ("amp_test", "tb/amp", []), ("special_rtl_test", "tb/special", []), ("vector_test", "tb/vector", []),
    ("vector_f16_test", "tb/vector", []), ("float_fpu_test", "tb/float", []), ("float_f16_test", "tb/float", []),
    ("float_divsqrt_test", "tb/float", []), ("float_int_divide_test", "tb/float", []),
    ("arithmetic_prng_test", "tb/arithmetic", []), ("tile_arithmetic_test", "tb/tile", []),
    ("tile_lane_test", "tb/tile", []), ("tile_timing_test", "tb/tile", []),
    ("tile_arithmetic_state_test", "tb/tile", []),
]
FOLDERS = ["rtl/spec", "rtl", "sim", "tb/float", "tb/vector", "tb/special", "tb/amp",
           "tb/arithmetic", "tb/tile", "tb/random", "tb/qemu", "tests/methods/coverage"]
LINE_GOAL = 98.0
MEASURED = ("rtl/tile/", "rtl/float/")


def call(command, log, **keywords):
    with open(log, "a") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, **keywords)
    if done.returncode != 0:
        tail = "".join(open(log, errors="replace").readlines()[-30:])
        sys.exit(f"{tail}\ncoverage: {' '.join(map(str, command[:4]))} ... failed; all of its output is in {log}")


def build(root, tree, jobs):
    log = tree / "coverage.log"
    tree.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    wrapper = root / "tests/methods/coverage/verilator_with_coverage.py"
    print("==> building the benches with coverage", flush=True)
    call(["cmake", "-S", root, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTESSERA_COVERAGE=ON", "-DTESSERA_PROFILE=OFF",
          f"-DVERILATOR={wrapper}", f"-DTESSERA_FOLDERS={';'.join(FOLDERS)}"], log)
    call(["ninja", "-C", tree, "-j", str(jobs)] + [name for name, _, _ in BENCHES], log)


def run_bench(tree, counts, name, folder, arguments):
    log = counts / f"{name}.log"
    arguments = [a.format(points=counts / f"{name}.points") for a in arguments]
    start = time.monotonic()
    with open(log, "w") as file:
        code = subprocess.run([tree / folder / name] + arguments, stdout=file, stderr=subprocess.STDOUT,
                              cwd=counts, env={**os.environ, "TESSERA_TIER": "commit", "TESSERA_COVERAGE": str(counts)}).returncode
    print(f"    {name:28} {time.monotonic() - start:6.1f} s{'' if code == 0 else '  FAILED: ' + str(log)}", flush=True)
    return code == 0


def run_benches(tree, jobs):
    counts = tree / "counts"
    counts.mkdir(exist_ok=True)
    for old in counts.iterdir():
        old.unlink()
    print("==> running them", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        good = list(pool.map(lambda bench: run_bench(tree, counts, *bench), BENCHES))
    if not all(good):
        sys.exit("coverage: a bench failed")
    return counts


def percent(hit, total):
    return 100.0 * hit / total if total else 100.0


def write_pages(counts, out):
    """The line counts for lcov, its summary and its pages."""
    merged = out / "lines.dat"
    with open(merged, "w") as file:
        file.write("# SystemC::Coverage-3\n")
        for data in sorted(counts.glob("*.dat")):
            for line in open(data):
                if "\x01page\x02v_toggle" not in line and line.startswith("C "):
                    file.write(line)
    info, log = out / "lines.info", out / "lcov.log"
    log.unlink(missing_ok=True)
    call(["verilator_coverage", "--write-info", info, merged], log)
    call(["genhtml", "--quiet", "--output-directory", out / "pages", info], log)
    return info


def report(root, counts, out, waiver_file, pages):
    out.mkdir(parents=True, exist_ok=True)
    files = read_counts(sorted(counts.glob("*.dat")), root, MEASURED)
    points = read_points(sorted(counts.glob("*.points")))
    waivers = Waivers(waiver_file, root)
    print("==> lines and branches never hit")
    sums = defaultdict(lambda: [0] * 8)
    for name in sorted(files):
        file = files[name]
        source = (root / name).read_text().splitlines() if (root / name).exists() else []
        text = lambda line: source[line - 1].strip() if line <= len(source) else ""
        missed = [line for line in file.lines if not file.lines[line]]
        waived = [line for line in missed if waivers.takes_line(name, text(line))]
        for line in missed:
            if line not in waived:
                print(f"  {name}:{line}: {text(line)}")
        branches = [key for key in file.branches if not file.branches[key]]
        for line, kind in sorted(branches):
            if (line not in missed or kind == "else") and not waivers.takes_branch(name, text(line), kind):
                print(f"  {name}:{line}: branch {kind} of: {text(line)}")
        for line in file.lines:
            if file.lines[line] and waivers.names_line(name, text(line)):
                waivers.wrong.append(f"{name}:{line}: waived, but hit: {text(line)}")
        row = [len(file.lines) - len(missed), len(file.lines), len(waived), len(file.branches) - len(branches),
               len(file.branches), 0, sum(1 for n in file.toggles.values() if n), len(file.toggles)]
        for key in (name, str(Path(name).parent), "all"):
            sums[key] = [a + b for a, b in zip(sums[key], row)]
    print("==> by file: lines, waived ones, branches, toggles")
    for name in sorted(files) + sorted({str(Path(n).parent) for n in files}) + ["all"]:
        s = sums[name]
        print(f"  {name:34} {percent(s[0], s[1]):6.2f} % of {s[1]:5} lines  {s[2]:3} waived "
              f"{percent(s[3], s[4]):6.2f} % of {s[4]:5} branches {percent(s[6], s[7]):6.2f} % of {s[7]:6} toggles")
    with open(out / "toggles_never_seen.txt", "w") as file:
        for name in sorted(files):
            for (line, signal), count in sorted(files[name].toggles.items()):
                if not count:
                    file.write(f"{name}:{line}: {signal}\n")
    print(f"    every signal bit that never changed: {out}/toggles_never_seen.txt")
    print("==> functional points never hit")
    missed = [point for point, count in points.items() if count == 0]
    waived_points = [point for point in missed if waivers.takes_point(point)]
    for point in missed:
        if point not in waived_points:
            print(f"  {point}")
    for point, count in points.items():
        if count and waivers.names_point(point):
            waivers.wrong.append(f"point waived, but hit: {point}")
    hit = len(points) - len(missed)
    print(f"    {hit} of {len(points)} points hit, {len(waived_points)} waived, {len(missed) - len(waived_points)} missed")
    waivers.print_all()
    if pages:
        write_pages(counts, out)
        print(f"==> pages: {out}/pages/index.html")
    good = not waivers.wrong and len(missed) == len(waived_points)
    for folder in MEASURED:
        s = sums[folder.rstrip("/")]
        reached = percent(s[0], s[1])
        print(f"==> {folder.rstrip('/')}: {reached:.2f} % of lines (goal {LINE_GOAL} %)")
        good = good and s[1] > 0 and reached >= LINE_GOAL
    print(f"==> functional points: {percent(hit, len(points) - len(waived_points)):.2f} % of those that can be reached (goal 100 %)")
    print("==> coverage: goals reached" if good else "==> coverage: GOALS MISSED")
    return good


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("root", type=Path)
    running.add_argument("build", type=Path)
    running.add_argument("--jobs", type=int, default=os.cpu_count())
    reporting = commands.add_parser("report")
    reporting.add_argument("root", type=Path)
    reporting.add_argument("counts", type=Path)
    reporting.add_argument("out", type=Path)
    reporting.add_argument("--waivers", type=Path)
    reporting.add_argument("--no-pages", action="store_true")
    options = parser.parse_args()
    root = options.root.resolve()
    standard = root / "tests/methods/coverage/waivers.toml"
    if options.command == "run":
        tree = options.build.resolve()
        build(root, tree, options.jobs)
        good = report(root, run_benches(tree, options.jobs), tree / "report", standard, True)
    else:
        good = report(root, options.counts.resolve(), options.out.resolve(), options.waivers or standard,
                      not options.no_pages)
    sys.exit(0 if good else 1)


main()
