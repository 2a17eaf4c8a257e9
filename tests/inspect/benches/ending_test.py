#!/usr/bin/env python3
"""A bench that ends in another way than by itself leaves whole waves and a whole trace.

usage: ending_test.py TESSERA ENDING_BENCH
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

PATIENCE = 60  # seconds; only a hang takes so long


def start(bench, end, *options):
    # A shell that runs tests in the background may have Ctrl-C ignored.
    return subprocess.Popen([bench, end, *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def expect(condition, *what):
    if not condition:
        print(*what)
        sys.exit(1)


def whole(tessera, end, status, wanted, said, errors):
    expect(status == wanted, end, "ends with status", status, "not", wanted, errors)
    expect(said in errors, end, "does not say", said, ":", errors)
    expect(sorted(f for f in os.listdir() if not f.endswith(".names")) == ["o.fst", "o.gtkw", "o.trace"], end, os.listdir())
    dump = subprocess.run(["fst2vcd", "o.fst"], capture_output=True, text=True, check=True).stdout
    # What is thrown in the middle of a run leaves waves as far as its last boundary.
    least = 0 if end in ("observer", "pair") else 20
    expect("$scope module tile3" in dump and dump.count("\n#") > least, end, "left waves of nothing:", dump[-200:])
    trace = subprocess.run([tessera, "trace", "o.trace"], capture_output=True, text=True)
    expect(trace.returncode == 0 and "addi t0, t0, 1" in trace.stdout, end, "left a trace of nothing:", trace.stderr)


def main():
    tessera, bench = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    files = ["--waves", "o.fst", "--trace", "o.trace"]
    cases = [("throws", -signal.SIGABRT, "nobody catches this"), ("exits", 7, ""), ("again", 0, ""),
             ("observer", -signal.SIGABRT, "the observer has seen enough")]
    cases += [("never", -s, "") for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    for end, status, said in cases:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            bench_run = start(bench, end, *files)
            if end == "never":
                bench_run.stdout.readline()
                bench_run.send_signal(-status)
            errors = bench_run.communicate(timeout=PATIENCE)[1]
            whole(tessera, end, bench_run.returncode, status, said, errors)
            os.chdir("/")
    for end, status, said in (("budget", 0, "tile 0"), ("pair", 1, "lockstep: tile 1 differs in superstep 0")):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            bench_run = start(bench, end, *files, "--on-failure", "failed")
            errors = bench_run.communicate(timeout=PATIENCE)[1]
            expect("report.txt" in os.listdir("failed"), end, "leaves no report", errors)
            shutil.rmtree("failed")
            whole(tessera, end, bench_run.returncode, status, said, errors)
            os.chdir("/")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # Nobody comes to this debugger; Ctrl-C ends the wait.
        waiting = start(bench, "never", "--gdb-halt", "--gdb-file", "port", *files)
        line = waiting.stderr.readline()
        expect("and waiting for it: tessera gdb " in line, "the bench does not say its port:", line)
        waiting.send_signal(signal.SIGINT)
        waiting.communicate(timeout=PATIENCE)
        expect(waiting.returncode == -signal.SIGINT, "waiting for gdb ends with", waiting.returncode)
        # Two chips with the same files are refused, and nothing of what asks nothing is.
        refused = start(bench, "twice", *files)
        errors = refused.communicate(timeout=PATIENCE)[1]
        expect(refused.returncode == 1 and errors.count("\n") == 1 and "another chip of the program" in errors, errors)
        expect(start(bench, "twice").wait(PATIENCE) == 0, "two chips without options are refused")
        os.chdir("/")


main()
