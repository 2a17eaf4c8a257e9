#!/usr/bin/env python3
"""One scripted session of gdb-multiarch with a run, as a user has it.

usage: session.py SESSION BACKEND TESSERA PROGRAM [ARGUMENT...]

SESSION holds lines:
  options KEY=VALUE;...   inspection options beside gdb (default gdb-halt=true)
  machine NAME            the machine (default mk2-4)
  changes                 the session changes the run: its cycles may differ
  fails                   the run ends with a failure
  hardware                gdb is started with --hardware
  > COMMAND               typed into gdb
  ^C TEXT                 Ctrl-C, once the output of the last command shows TEXT
  anything else           a regular expression that the output of the last command shows, in this order
                          (! EXPRESSION: that it does not show)
$SESSION_SHOW: the session is printed even if all is well. The run's output and cycles are compared with those of a run without a debugger. Program: firmware (ends in .elf) or a
program of the host.
"""
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 100  # seconds; only a hang takes so long
GDB_LINES = ["set pagination off", "set width 0", "set breakpoint pending on"]


def parse(path):
    options, machine, changes, fails, hardware, steps = "gdb-halt=true", "mk2-4", False, False, False, []
    with open(path) as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            if word == "options":
                options = rest
            elif word == "machine":
                machine = rest
            elif line == "changes":
                changes = True
            elif line == "fails":
                fails = True
            elif line == "hardware":
                hardware = True
            elif word == ">":
                steps.append({"command": rest, "expected": [], "interrupt": None})
            elif word == "^C":
                steps[-1]["interrupt"] = rest
            else:
                steps[-1]["expected"].append(line)
    return options, machine, changes, fails, hardware, steps


class Gdb:
    """gdb on a pipe; an echo after each command tells where its output ends."""

    def __init__(self, tessera, port, hardware):
        options = ["--hardware"] if hardware else []
        self.process = subprocess.Popen([tessera, "gdb", *options, str(port), "--", "-nx"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.count = 0
        self.hello = "".join(self.run(line) for line in GDB_LINES)

    def run(self, command, interrupt=None):
        self.count += 1
        end = "=== %d ===" % self.count
        self.process.stdin.write(("%s\necho \\n%s\\n\n" % (command, end)).encode())
        self.process.stdin.flush()
        output, limit = "", time.monotonic() + PATIENCE
        while end not in output:
            if not select.select([self.process.stdout], [], [], max(0, limit - time.monotonic()))[0]:
                raise TimeoutError("no answer to '%s'; so far:\n%s" % (command, output))
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EOFError("gdb ended in '%s':\n%s" % (command, output))
            output += data.decode(errors="replace")
            if interrupt is not None and re.search(interrupt, output):
                interrupt = None
                time.sleep(0.2)  # the program must be under way
                self.process.send_signal(signal.SIGINT)
        return output.split(end)[0].replace("(gdb) ", "")

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.process.kill()
            self.process.wait()


def start(backend, machine, tessera, program, options, environment):
    environment = dict(os.environ, TESSERA_QUIET="1", **environment)
    if program[0].endswith(".elf"):
        command = [tessera, "run", program[0], "--backend", backend, "--machine", machine]
        if options:
            command += ["--inspect", options]
        command += program[1:]
    else:
        command = program
        environment.update(TESSERA_BACKEND=backend, TESSERA_MACHINE=machine)
        if options:
            environment["TESSERA_INSPECT"] = options
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def port_of(path, run):
    limit = time.monotonic() + PATIENCE
    while not os.path.exists(path):
        if run.poll() is not None or time.monotonic() > limit:
            raise EOFError("the run serves no debugger:\n" + run.communicate()[0])
        time.sleep(0.02)
    with open(path) as file:
        return int(file.read())


def check(step, output, problems):
    rest = output
    for expression in step["expected"]:
        if expression.startswith("! "):
            if re.search(expression[2:], output, re.M):
                problems.append("'%s' shows '%s'" % (step["command"], expression[2:]))
            continue
        found = re.search(expression, rest, re.M)
        if not found:
            problems.append("'%s' does not show '%s'" % (step["command"], expression))
            continue
        rest = rest[found.end():]


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    session, backend, tessera, *program = sys.argv[1:]
    options, machine, changes, fails, hardware, steps = parse(session)
    folder = tempfile.mkdtemp()
    port_file = os.path.join(folder, "port")
    environment = {"GDB_TEST_FOLDER": folder}
    run = start(backend, machine, tessera, program, "gdb=0;gdb-file=%s;%s" % (port_file, options), environment)
    gdb, problems, log = None, [], ""
    try:
        gdb = Gdb(tessera, port_of(port_file, run), hardware)
        log = gdb.hello
        for step in steps:
            command = step["command"].replace("@FOLDER@", folder)
            output = gdb.run(command, step["interrupt"])
            log += "> %s\n%s" % (command, output)
            check(step, output, problems)
        gdb.close()
        with open(os.path.join(folder, "stop"), "w"):
            pass
        said = run.communicate(timeout=PATIENCE)[0]
        log += "--- run\n" + said
        if fails == (run.returncode == 0):
            problems.append("the run ends with status %d" % run.returncode)
        if not changes:
            alone = start(backend, machine, tessera, program, "", dict(environment, GDB_TEST_ALONE="1"))
            expected = alone.communicate(timeout=PATIENCE)[0]
            if said != expected:
                problems.append("without a debugger the run says:\n" + expected)
    except (TimeoutError, EOFError, BrokenPipeError, subprocess.TimeoutExpired) as error:
        problems.append(str(error))
    finally:
        if gdb is not None and gdb.process.poll() is None:
            gdb.process.kill()
        if run.poll() is None:
            run.kill()
    if problems or "SESSION_SHOW" in os.environ:
        print(log)
        print("\n".join("PROBLEM: " + problem for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
