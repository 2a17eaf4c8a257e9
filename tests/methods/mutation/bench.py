"""A bench of the build tree, made again with changed sources of the module that it verilates."""
import os
import shlex
import shutil
import subprocess
import time

ENDLESS = 300  # seconds after which a bench that does not end has found its bug: unchanged, each takes less than 60


class Failure(Exception):
    """A line that says what is wrong with a table, a build or a bench."""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def read(path):
    with open(path) as file:
        return file.read()


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
                top = command[command.index("--top-module") + 1]
                if top not in self.tops or "--trace-fst" in self.tops[top]:  # what makes waves of failures is not the bench's
                    self.tops[top] = command
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
        return self.linked(top, self.verilated(top, changed, work), work)

    def sources(self, top):
        """What the module is made of."""
        return [word for word in self.command(top) if word.endswith(".sv")]

    def command(self, top):
        if top not in self.tops:
            raise Failure(f"{self.name} verilates no module {top}; there are: {' '.join(self.tops)}")
        return list(self.tops[top])

    def archive(self, top):
        """Where the build has it."""
        words = self.command(top)
        prefix = words[words.index("--prefix") + 1] if "--prefix" in words else "V" + top
        return os.path.join(words[words.index("--Mdir") + 1], f"{prefix}__ALL.a")

    def verilated(self, top, changed, work, more=()):
        """The archive of the module with sources replaced as `changed` says, and `more` before them."""
        words = self.command(top)
        value = lambda option, other: words[words.index(option) + 1] if option in words else other
        prefix = value("--prefix", "V" + top)
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
                if word.endswith(".sv"):
                    command += more
                    more = ()
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
        return os.path.join(work, f"{prefix}__ALL.a")

    def with_state(self, built, archive, work):
        """Objects of the bench that know where a tile has its state (<prefix>_state.h), for this archive: Verilator orders a class's members
        anew for each change. By their names in the link."""
        header = os.path.basename(built).replace("__ALL.a", "_state.h")
        before, folder = os.path.dirname(built), os.path.dirname(archive)
        if not os.path.exists(os.path.join(before, header)):
            return {}
        generator = os.path.join(self.build, "rtl", "spec", "generate_tile_state")
        done = run([generator, "storage", folder, header.removesuffix("_state.h"), os.path.join(folder, header)])
        if done.returncode != 0:
            raise Failure(f"{self.name}: the changed tile has its state elsewhere:\n{done.stdout}")
        objects = {}
        for word in self.link:
            if not word.endswith(".o") or os.path.join(before, header) not in run(["ninja", "-C", self.build, "-t", "deps", word]).stdout:
                continue
            command = shlex.split(run(["ninja", "-C", self.build, "-t", "commands", "-s", word]).stdout.strip().splitlines()[-1])
            objects[word] = os.path.join(work, f"{self.name}_{os.path.basename(word)}")
            command = [folder if part == before else part for part in command]
            command[command.index("-o") + 1] = objects[word]
            command[command.index("-MF") + 1] = objects[word] + ".d"
            done = run(command, cwd=self.build)
            if done.returncode != 0:
                raise Failure(f"{self.name}: {word} does not compile:\n{done.stdout[-3000:]}")
        return objects

    def linked(self, top, archive, work, more=()):
        """The bench with this archive in place of the build's, and more objects; returns its path."""
        program, built = os.path.join(work, self.name), self.archive(top)
        replace = self.with_state(built, archive, work) | {built: archive, os.path.relpath(built, self.build): archive, self.link[self.link.index("-o") + 1]: program}
        done = run([replace.get(word, word) for word in self.link] + list(more), cwd=self.build)
        if done.returncode != 0:
            raise Failure(f"{self.name} does not link:\n{done.stdout[-3000:]}")
        return program

    def passes(self, program, failures=1, limit=ENDLESS, **variables):
        """Runs the bench up to so many failures and seconds; returns whether it passed, seconds, what it said."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")} | variables
        began = time.monotonic()
        try:
            done = run([program, "--abortx", str(failures)], cwd=os.path.dirname(self.program), env=environment, timeout=limit)
            return done.returncode == 0, time.monotonic() - began, done.stdout
        except subprocess.TimeoutExpired:
            return False, time.monotonic() - began, "it did not end"
