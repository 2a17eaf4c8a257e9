#!/usr/bin/env python3
"""Puts bugs into the RTL, one at a time, and shows that the bench of the changed unit finds each of them.

mutate.py BUILD WORK [--table FILE]... [--jobs N] [--check | --list] [NAME...]

Every entry of the tables (arithmetic.toml, debug.toml, fabric.toml, links.toml and assertions.toml, unless others are named) replaces one text, which has to stand exactly once in its file. What a bench is
made of is asked from the build tree BUILD, in which the benches are built: the sources of its verilated module, the command
that links it. The sources of a mutation are copied to WORK, changed, verilated alone with little optimisation and linked
with the bench's own objects; the bench runs with the counts of the commit tier and has to fail; where the entry says `trips`,
by that assertion of the RTL. Before that every bench has to pass with unchanged copies made in the same way. Without names all mutations run; --check only looks whether the
texts stand where the table says.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time
import tomllib

SOURCE = str(pathlib.Path(__file__).resolve().parents[3])
ENDLESS = 300  # seconds after which a bench that does not end has found its bug: unchanged, each takes less than 60


class Failure(Exception):
    """A line that says what is wrong with a table, a build or a bench."""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def read(path):
    with open(path) as file:
        return file.read()


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


class Bench:
    """How the build makes a bench: verilator's commands by top module, and the link."""

    def __init__(self, build, name):
        self.build, self.name = build, name
        asked = run(["ninja", "-C", build, "-t", "commands", name])
        if asked.returncode != 0:
            raise Failure(f"{build} has no bench {name}:\n{asked.stdout}")
        self.tops = {}
        for line in asked.stdout.splitlines():
            words = shlex.split(line)
            if "--Mdir" in words:
                start = next(i for i, word in enumerate(words) if os.path.basename(word) == "verilator")
                end = next((i for i in range(start, len(words)) if words[i] in ("&&", ">", "||")), len(words))
                command = words[start:end]
                self.tops[command[command.index("--top-module") + 1]] = command
            if "-o" in words and words[words.index("-o") + 1].endswith("/" + name):
                end = words.index("&&", 2) if "&&" in words[2:] else len(words)
                self.link = words[words.index("&&") + 1:end] if words[0] == ":" else words[:end]
        if not hasattr(self, "link"):
            raise Failure(f"{build} does not say how it links {name}")
        self.program = os.path.join(build, self.link[self.link.index("-o") + 1])
        if not os.path.exists(self.program):
            raise Failure(f"{name} is not built: ninja -C {build} mutation_benches")

    def make(self, top, changed, work):
        """The bench with sources replaced as `changed` says; returns its path."""
        if top not in self.tops:
            raise Failure(f"{self.name} verilates no module {top}; there are: {' '.join(self.tops)}")
        words = list(self.tops[top])
        value = lambda option, other: words[words.index(option) + 1] if option in words else other
        prefix, folder = value("--prefix", "V" + top), value("--Mdir", None)
        make_flags = dict(word.split("=", 1) for word in shlex.split(value("-MAKEFLAGS", "")) if "=" in word)
        missing = [path for path in changed if path not in words]
        if missing:
            raise Failure(f"{self.name}: {top} is not made of {' '.join(missing)}")
        command, skip = [], 0
        for i, word in enumerate(words):
            if skip:
                skip -= 1
            elif word in ("--Mdir", "-MAKEFLAGS", "-j", "--output-split"):
                skip = 1
            # Warnings are what lint would find; here the bench has to.
            elif word not in ("--build", "-Wall"):
                command.append(changed.get(word, word))
        # Many small files: those that a change leaves as they are come from the compiler's cache.
        command += ["-Wno-fatal", "-Wno-lint", "-Wno-style", "--output-split", "3000", "--Mdir", work]
        done = run(command)
        if done.returncode != 0:
            raise Failure(f"{self.name}: verilator rejects the change:\n{done.stdout}")
        make_flags |= {"OPT_FAST": "-O1", "OPT_SLOW": "-O0", "OBJCACHE": shutil.which("ccache") or ""}
        done = run(["make", "-s", "-C", work, "-f", prefix + ".mk", *(f"{k}={v}" for k, v in make_flags.items())])
        if done.returncode != 0:
            raise Failure(f"{self.name}: what verilator made of {top} does not compile:\n{done.stdout[-3000:]}")
        program = os.path.join(work, self.name)
        archive = os.path.join(folder, f"{prefix}__ALL.a")
        replace = {archive: os.path.join(work, f"{prefix}__ALL.a"), self.link[self.link.index("-o") + 1]: program}
        replace[os.path.relpath(archive, self.build)] = replace[archive]
        done = run([replace.get(word, word) for word in self.link], cwd=self.build)
        if done.returncode != 0:
            raise Failure(f"{self.name} does not link:\n{done.stdout[-3000:]}")
        return program

    def passes(self, program, failures=1):
        """Runs the bench up to so many failures; returns whether it passed, seconds, what it said."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
        began = time.monotonic()
        try:
            done = run([program, "--abortx", str(failures)], cwd=os.path.dirname(self.program), env=environment, timeout=ENDLESS)
            return done.returncode == 0, time.monotonic() - began, done.stdout
        except subprocess.TimeoutExpired:
            return False, time.monotonic() - began, "it did not end"


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
    here = os.path.dirname(os.path.abspath(__file__))
    mutations = load(options.table or [os.path.join(here, name) for name in ("arithmetic.toml", "debug.toml", "fabric.toml", "links.toml", "assertions.toml")], options.names)
    if options.list:
        for m in mutations:
            print(f"{m['name']:<28}{m['file']:<34}{m['what']}")
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
        print(f"{name:<28}{file:<34}{bench:<30}{result}", flush=True)

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
