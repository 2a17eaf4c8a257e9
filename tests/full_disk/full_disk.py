#!/usr/bin/env python3
"""A disk that is full at every place of a run: one line for each file, a status that says so, no half file, next run works.

    full_disk.py SCENARIO FOLDER PLACES TOOL...

Scenarios:
    firmware TESSERA ELF     waves, trace and host memory of firmware; then the views of its trace
    poplar TESSERA DIGITS    waves and trace of the demo, with a cache and a folder for temporary files on the disk
    failure TESSERA ELF      report, waves and trace of firmware that fails

The disk is a file system of its own (tmpfs) where this user may mount one; elsewhere the size of every file is limited
instead, which fails the same writes with another error. PLACES sizes are tried, from nothing to all that is written.
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

FULL = ("No space left on device", "File too large")


def may_mount():
    return subprocess.run(["unshare", *namespace(), "true"], stderr=subprocess.DEVNULL).returncode == 0


def namespace():
    return ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]


class Disk:
    """Commands run with `folder` on a disk of `size` bytes; what they left there is copied to `left`."""

    def __init__(self, folder, mounts):
        self.folder, self.mounts = folder, mounts

    def run(self, commands, size):
        """[(status, stderr)] of the commands, and {name: bytes} of what they left."""
        for name in ("disk", "left"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / "disk").mkdir(parents=True)
        (self.folder / "left").mkdir()
        # What is told is not cut off by a limit of files.
        script = "".join(f"{{ {{ {command}; }} 2>&1 >/dev/null; echo $? >../left/{i}.status; }} | (ulimit -f unlimited; cat >../left/{i}.err)\n"
                         for i, command in enumerate(commands))
        script = "cd disk\nmkdir tmp cache 2>/dev/null\n" + script + "rm -rf tmp; cp -r . ../left/files\n"
        environment = dict(os.environ, TMPDIR=str(self.folder / "disk/tmp"), XDG_CACHE_HOME=str(self.folder / "disk/cache"),
                           TESSERA_QUIET="1")
        words, limit = ["bash", "-c", script], None
        if self.mounts and size is not None:
            script = f"mount -t tmpfs -o size={max(size, 4096)},nr_inodes=1k tmpfs disk && {{ {script} }}"
            words = ["unshare", *namespace(), "bash", "-c", script]
        elif size is not None:
            def limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            # What is looked at afterwards is not of the test.
            words[2] = script.replace("; cp -r", "; ulimit -f unlimited; cp -r")
        subprocess.run(words, cwd=self.folder, env=environment, preexec_fn=limit, check=False)
        ends = [(int((self.folder / f"left/{i}.status").read_text() or -1), (self.folder / f"left/{i}.err").read_text())
                for i in range(len(commands))]
        files = self.folder / "left/files"
        return ends, {str(p.relative_to(files)): p.read_bytes() for p in sorted(files.rglob("*")) if p.is_file()}


def commands_of(scenario, tools):
    tessera, program = tools
    looked_at = "--backend model --waves out.fst --trace out.trace"
    if scenario == "firmware":
        return [f"{tessera} run {program} {looked_at} --host-memory 64k --output memory.bin@0:20000",
                f"[ ! -e out.trace ] || {tessera} trace out.trace perfetto -o out.json",
                f"[ ! -e out.trace ] || {tessera} trace out.trace >out.txt",
                f"[ ! -e out.fst ] || {tessera} waves out.fst -o again.gtkw"]
    if scenario == "failure":
        return [f"{tessera} run {program} --backend model --on-failure what"]
    return [f"{tessera} run {program} {looked_at} --wave-tiles 1 --wave-from 2 --wave-for 1 --trace-tiles 1 "
            "-- --on model --machine mk2-4 --epochs 1 --train 192"]


def faults_of(ends, files, whole, scenario):
    """What is not as it must be, a line each."""
    bad = []
    told = "".join(error for _, error in ends)
    for name in files:
        if name.endswith(".new") or ".hier" in name:
            bad.append(f"{name} is left")
        # What a shell writes is the shell's; a cache, and what a run that was ended has left, may hold other things.
        elif name != "out.txt" and not name.startswith("cache/") and files[name] != whole.get(name, b"") and ends[0][0] == 0:
            bad.append(f"{name} is not what it should be ({len(files[name])} bytes, {len(whole.get(name, b''))} in a whole run)")
    for i, (status, error) in enumerate(ends):
        lines = error.splitlines()
        if status < 0 or status > 127:
            bad.append(f"command {i} ended with status {status}: {error}")
        if any(text in error for text in FULL) and status == 0:
            bad.append(f"command {i} ended with status 0 and said: {error}")
        if status != 0 and scenario != "failure" and not any(text in line for line in lines for text in FULL):
            bad.append(f"command {i} ended with status {status} and said: {error}")
        if any(word in error for word in ("terminate called", "Traceback", "Bus error", "Sanitizer")):
            bad.append(f"command {i} crashed: {error}")
    missing = [name for name in whole if name not in files and not name.startswith("cache/") and name != "out.txt"]
    if missing and not any(text in told for text in FULL):
        bad.append(f"{missing} are missing, and nobody said why: {told}")
    return bad


def main(scenario, folder, places, *tools):
    folder = pathlib.Path(folder).absolute()
    mounts = may_mount()
    disk = Disk(folder, mounts)
    commands = commands_of(scenario, [str(pathlib.Path(tool).absolute()) for tool in tools])
    ends, whole = disk.run(commands, None)
    expected = [3] if scenario == "failure" else [0] * len(commands)
    if [status for status, _ in ends] != expected:
        print(f"the run with place enough ended with {ends}")
        return 1
    if mounts:
        most = sum(len(b) + 4096 for b in whole.values()) + (1 << 14)
    else:
        most = max(map(len, whole.values()))
    bad, full = [], 0
    for place in range(int(places)):
        size = max(most * 10 * place // (12 * int(places)), 512)  # `most` is somewhat more than is needed
        ends, files = disk.run(commands, size)
        found = faults_of(ends, files, whole, scenario)
        full += any(text in error for _, error in ends for text in FULL)
        bad += [f"{size} bytes: {line}" for line in found]
    ends, files = disk.run(commands, None)
    if [status for status, _ in ends] != expected:
        bad.append(f"afterwards the run ended with {ends}")
    for line in bad:
        print(line)
    print(f"{scenario}: {full} of {places} disks were too small ({'a file system' if mounts else 'limited files'}, up to {most} bytes), "
          f"{len(bad)} things wrong")
    return 1 if bad or full < int(places) else 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
