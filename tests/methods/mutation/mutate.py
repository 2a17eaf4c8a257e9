#!/usr/bin/env python3
"""Puts bugs into the RTL, one at a time, and shows that the bench of the changed unit finds each of them.

mutate.py BUILD WORK [--table FILE]... [--jobs N] [--check | --list] [NAME...]

Every entry of the tables (all of this folder but generated.toml, unless others are named) replaces one text, which has to
stand exactly once in its file. What a bench is made of is asked from the build tree BUILD, in which the benches are built: the sources of its verilated module, the command
that links it. The sources of a mutation are copied to WORK, changed, verilated alone with little optimisation and linked
with the bench's own objects; the bench runs with the counts of the commit tier and has to fail; where the entry says `trips`,
by that assertion of the RTL. Before that every bench has to pass with unchanged copies made in the same way. Without names all mutations run; --check only looks whether the
texts stand where the table says.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import time
import tomllib

from bench import Bench, Failure, read

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = str(HERE.parents[2])


def load(tables, names):
    """The mutations of the tables, or those named. All that is wrong with them is told at once."""
    mutations = []
    for table in tables:
        with open(table, "rb") as file:
            mutations += tomllib.load(file)["mutation"]
    every = [m["name"] for m in mutations]
    wrong = [f"{name}: stands twice" for name in sorted(set(every)) if every.count(name) > 1]
    wrong += [f"{name}: no mutation has this name" for name in names if name not in every]
    chosen = [m for m in mutations if not names or m["name"] in names]
    for m in chosen:
        path = os.path.join(SOURCE, m["file"])
        if not os.path.exists(path):
            wrong.append(f"{m['name']}: there is no {m['file']}")
            continue
        m["text"] = read(path)
        count = m["text"].count(m["from"])
        if count != 1:
            wrong.append(f"{m['name']}: its text stands {count} times in {m['file']}, not once: {m['from']}")
        if m["from"] == m["to"]:
            wrong.append(f"{m['name']}: changes nothing")
    if wrong:
        raise Failure("\n".join(wrong) + f"\n{' or '.join(map(os.path.basename, tables))} is out of date: adapt the entries above")
    return chosen


def attempt(bench, top, texts, work, trips=None):
    """Builds and runs a bench with these texts for sources. Returns whether it passed, seconds to make and to run; a bench that fails
    otherwise than by the assertion `trips` counts as passed."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    changed = {}
    for path, text in texts.items():
        changed[path] = os.path.join(work, os.path.basename(path))
        with open(changed[path], "w") as file:
            file.write(text)
    began = time.monotonic()
    program = bench.make(top, changed, work)
    made = time.monotonic() - began
    # Checks of the bench may fail before the clock edge at which an assertion is looked at.
    passed, seconds, said = bench.passes(program, 20000 if trips else 1)
    with open(work + ".log", "w") as file:
        file.write(said)
    shutil.rmtree(work)
    if trips and f".{trips}" not in said:
        passed = True
    return passed, made, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--table", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_intermixed_args()
    tables = sorted(str(path) for path in HERE.glob("*.toml") if path.name != "generated.toml")
    mutations = load(options.table or tables, options.names)
    widest = max(len(m["name"]) for m in mutations)
    if options.list:
        for m in mutations:
            print(f"{m['name']:<{widest}}  {m['file']:<34}{m['what']}")
        return
    if options.check:
        print(f"{len(mutations)} mutations fit their files")
        return

    build = os.path.abspath(options.build)
    work = os.path.abspath(options.work)
    began = time.monotonic()
    benches = {name: Bench(build, name) for name in dict.fromkeys(m["bench"] for m in mutations)}
    groups = {}  # the files that mutations change, by bench and top module
    for m in mutations:
        groups.setdefault((m["bench"], m["top"]), set()).add(os.path.join(SOURCE, m["file"]))

    def unchanged(group):
        (name, top), paths = group
        return attempt(benches[name], top, {path: read(path) for path in paths}, os.path.join(work, f"{name}-{top}"))

    def mutated(m):
        path = os.path.join(SOURCE, m["file"])
        return attempt(benches[m["bench"]], m["top"], {path: m["text"].replace(m["from"], m["to"])},
                       os.path.join(work, m["name"]), m.get("trips"))

    def row(name, file, bench, result):
        print(f"{name:<{widest}}  {file:<34}{bench:<30}{result}", flush=True)

    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        controls = pool.map(unchanged, groups.items())
        results = pool.map(mutated, mutations)  # begins as soon as a thread is free
        row("mutation", "file", "bench", "result, seconds to run and to make")
        for ((name, top), _), (passed, made, seconds) in zip(groups.items(), controls):
            row(f"none ({top})", "", name, f"{'passes' if passed else 'FAILS':<10}{seconds:6.1f}{made:6.1f}")
            if not passed:
                failed.append(f"{name} fails without a bug, see {os.path.join(work, name)}-{top}.log")
        for m, (passed, made, seconds) in zip(mutations, results):
            row(m["name"], m["file"], m["bench"], f"{'NOT FOUND' if passed else 'found':<10}{seconds:6.1f}{made:6.1f}")
            if passed:
                failed.append(f"{m['name']} was not found by {m['bench']}: {m['what']}")
    print(f"{len(mutations)} mutations, {time.monotonic() - began:.0f} s")
    if failed:
        raise Failure("\n".join(failed))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
    except BrokenPipeError:  # of a list that nobody reads to its end
        sys.stderr.close()
