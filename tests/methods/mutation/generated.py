#!/usr/bin/env python3
"""Makes mutants of the RTL by itself (mutants.py), some of all by a seed, and shows that the benches of generated.toml find them.

generated.py BUILD WORK [--count N] [--seed S] [--file FILE]... [--line FILE:LINE]... [--known] [--jobs N] [--list | --check]

A module is verilated once with all its mutants in it, of which the environment says the one that acts: so a mutant costs a run
of a bench, not a build. Before that every bench has to pass with none. A mutant that lives has to be in the table of those that
change nothing; and of all others at least 97 of 100 have to be found. --file: only mutants of these sources; --line: all of
these lines; --known: those of the table are tried, too, which takes every bench to its end for each, and has to find none;
--check: only whether the table fits the sources.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import time
import tomllib

import mutants
from bench import Bench, Failure, read, run

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
FOLDERS = ("rtl/exchange", "rtl/sync", "rtl/edge", "rtl/link", "rtl/tile")
LEAST_FOUND = 0.97


def every_mutant():
    """By source, of those that have any."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).glob("*.sv")):
            file = str(path.relative_to(SOURCE))
            if of_file := mutants.mutants_of(file, read(path)):
                found[file] = of_file
    return found


def line_of(mutant, other):
    """The line of a mutant as it is, or as it becomes, without what stands around it."""
    text = read(SOURCE / mutant.file)
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    changed = text[first:mutant.start] + mutant.text + text[mutant.end:last]
    return " ".join((changed if other else text[first:last]).split())


def equivalents(table, all_mutants):
    """The mutants that the table says change nothing, each with its entry. Of lines of one text one may and another not: `nth` says
    which of them does, from 1 on."""
    by_lines = {}
    for of_file in all_mutants.values():
        for m in of_file:
            by_lines.setdefault((m.file, line_of(m, False), line_of(m, True)), []).append(m)
    known, wrong = {}, []
    for number, entry in enumerate(table.get("equivalent", [])):
        fits = by_lines.get((entry["file"], entry["line"], entry["becomes"]), [])
        if "nth" in entry:
            fits = sorted(fits, key=lambda m: m.start)[entry["nth"] - 1:entry["nth"]]
        known.update(dict.fromkeys(fits, number))
        if not fits:
            wrong.append(f"generated.toml: {entry['file']} has no mutant `{entry['becomes']}` of `{entry['line']}`")
        if not entry["why"]:
            wrong.append(f"generated.toml: why does `{entry['becomes']}` change nothing in {entry['file']}?")
    if wrong:
        raise Failure("\n".join(wrong))
    return known


class Made:
    """Benches with all chosen mutants of their module in them."""

    def __init__(self, build, table, chosen, work, jobs):
        self.programs = []  # bench, program, the sources that it is made of, seconds that it takes without a mutant
        choice = os.path.join(work, "mutant_choice.o")
        done = run(["clang++-19" if shutil.which("clang++-19") else "c++", "-O1", "-c", str(HERE / "mutant_choice.cpp"), "-o", choice])
        if done.returncode != 0:
            raise Failure(done.stdout)
        benches = [(Bench(build, entry["name"]), entry["top"]) for entry in table["bench"]]
        archives = {}
        for bench, top in benches:
            archives.setdefault(bench.archive(top), (bench, top))

        def archive(item):
            built, (bench, top) = item
            files = {os.path.relpath(path, SOURCE): path for path in bench.sources(top)}
            numbered = [(number, m) for number, m in enumerate(chosen, 1) if m.file in files]
            if not numbered:
                return built, None
            folder = os.path.join(work, os.path.basename(os.path.dirname(built)))
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            changed = {}
            for file in {m.file for _, m in numbered}:
                changed[files[file]] = os.path.join(folder, os.path.basename(file))
                with open(changed[files[file]], "w") as out:
                    out.write(mutants.with_all(read(SOURCE / file), [(n, m) for n, m in numbered if m.file == file]))
            return built, bench.verilated(top, changed, folder, [str(HERE / "mutants_pkg.sv")])

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            made = dict(pool.map(archive, archives.items()))
        for bench, top in benches:
            if made[bench.archive(top)] is None:
                continue
            program = bench.linked(top, made[bench.archive(top)], work, [choice])
            passed, seconds, said = bench.passes(program)
            if not passed:
                with open(os.path.join(work, bench.name + ".log"), "w") as log:
                    log.write(said)
                raise Failure(f"{bench.name} fails without a mutant, see {log.name}")
            sources = {os.path.relpath(path, SOURCE) for path in bench.sources(top)}
            self.programs.append((bench, program, sources, seconds))
            print(f"no mutant{'':<55} {bench.name} passes, {seconds:.1f} s", flush=True)

    def find(self, number, mutant):
        """The bench that finds it, or None; and seconds."""
        spent = 0
        for bench, program, sources, usual in self.programs:
            if mutant.file not in sources:
                continue
            passed, seconds, _ = bench.passes(program, limit=10 * usual + 10, TESSERA_MUTANT=str(number))
            spent += seconds
            if not passed:
                return bench.name, spent
        return None, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append")
    parser.add_argument("--line", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    began = time.monotonic()
    table = tomllib.loads(read(HERE / "generated.toml"))
    by_file = every_mutant()
    known = equivalents(table, by_file)
    if options.check:
        print(f"{sum(map(len, by_file.values()))} mutants of {len(by_file)} sources; {len(known)} of them change nothing")
        return
    wrong = [f"{file}: none of its lines can be changed" for file in options.file or [] if file not in by_file]
    if wrong:
        raise Failure("\n".join(wrong))
    everything = [m for file, of_file in by_file.items() if not options.file or file in options.file for m in of_file]
    if options.line:
        chosen = [m for m in everything if f"{m.file}:{m.line}" in options.line]
        told = {f"{m.file}:{m.line}" for m in chosen}
        if wrong := [f"{line}: nothing of it can be changed" for line in options.line if line not in told]:
            raise Failure("\n".join(wrong))
    else:
        chosen = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    chosen.sort(key=lambda m: (m.file, m.start, m.end, m.text))
    if options.list:
        for m in chosen:
            print(f"{m.file}:{m.line}: {m.what}: {line_of(m, True)}")
        return

    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    print(f"{len(chosen)} of {len(everything)} mutants" + ("" if options.line else f", seed {options.seed}"), flush=True)
    tried = [m for m in chosen if options.known or m not in known]
    made = Made(os.path.abspath(options.build), table, tried, work, options.jobs)
    alone = sorted({m.file for m in tried} - set().union(*(sources for _, _, sources, _ in made.programs)))
    if alone:
        raise Failure("\n".join(f"{file}: no bench of generated.toml is made of it" for file in alone))
    nothing, found, unknown, lives = len(chosen) - len(tried), 0, [], {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for m, (by, seconds) in zip(tried, pool.map(made.find, range(1, len(tried) + 1), tried)):
            found += by is not None
            result = f"found by {by}" if by else "changes nothing" if m in known else "LIVES"
            print(f"{f'{m.file}:{m.line}':<34} {m.what:<30} {result}, {seconds:.1f} s", flush=True)
            if m in known:
                lives.setdefault(known[m], []).append(by is None)
            if not by and m not in known:
                unknown.append(f"{m.file}:{m.line}: {m.what}: no bench finds it: {line_of(m, True)}")
    nothing += sum(sum(each) for each in lives.values())
    others = len(chosen) - nothing
    print(f"{len(chosen)} mutants: {found} found, {nothing} change nothing, {others - found} live; found are {100 * found / max(others, 1):.1f} % of those "
          f"that change something, {100 * found / len(chosen):.1f} % of all; {time.monotonic() - began:.0f} s")
    for number, each in lives.items():
        if not any(each):
            entry = table["equivalent"][number]
            unknown.append(f"{entry['file']}: generated.toml says that `{entry['becomes']}` changes nothing, and a bench finds it")
    if found < LEAST_FOUND * others:
        unknown.append(f"fewer than {100 * LEAST_FOUND:.0f} % of those that change something have been found")
    if unknown:
        raise Failure("\n".join(unknown))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
    except BrokenPipeError:  # of a list that nobody reads to its end
        sys.stderr.close()
