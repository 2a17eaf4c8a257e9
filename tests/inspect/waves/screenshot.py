#!/usr/bin/env python3
"""Opens waves of a real run in GTKWave, without a screen, checks that all of their save file is there, and takes a picture.

    screenshot.py DIGITS FOLDER     DIGITS: the demo's program; waves, save file and picture are left in FOLDER

Needs gtkwave, xvfb and imagemagick.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

PATIENCE = 60  # seconds, for a window to appear and to be drawn

SCRIPT = """
set out [open answers.txt w]
puts $out "displayed [gtkwave::getDisplayedSignals]"
puts $out "marker [gtkwave::getMarker]"
puts $out "window [gtkwave::getWindowStartTime] [gtkwave::getWindowEndTime]"
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
  puts $out "value [gtkwave::getTraceNameFromIndex $i]=[gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
gtkwave::/File/Write_Save_File
close $out
file rename answers.txt answers.done
"""


class Missing(Exception):
    pass


def need(tools):
    for tool, package in tools.items():
        if not shutil.which(tool):
            raise Missing(f"{tool} is missing: apt-get install {package}")


class Display:
    """An X server of its own, on a display number that is free."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                                       pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.name = ":" + numbers.readline().strip()
        if self.name == ":":
            raise Missing("Xvfb does not start")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


def run_gtkwave(save, folder, look=None):
    """What GTKWave answers, how it writes the save file that it has read, and what it says; its picture into `look`."""
    for old in ("answers.txt", "answers.done"):
        (folder / old).unlink(missing_ok=True)
    loaded = folder / "written.gtkw"  # overwritten
    shutil.copyfile(save, loaded)
    (folder / "look.tcl").write_text(SCRIPT)
    with Display() as display, open(folder / "gtkwave.log", "w+") as log:
        environment = dict(os.environ, DISPLAY=display.name, HOME=str(folder), NO_AT_BRIDGE="1")
        gtkwave = subprocess.Popen(["gtkwave", "--nomenu", "-S", "look.tcl", "-a", str(loaded), str(save.with_suffix(".fst"))],
                                   cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            end = time.monotonic() + PATIENCE
            while not (folder / "answers.done").exists():
                if gtkwave.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    raise Missing("gtkwave does not answer: " + log.read())
                time.sleep(0.05)
            if look:
                photograph(look, environment, end)
        finally:
            gtkwave.terminate()
            gtkwave.wait()
        log.seek(0)
        said = log.read()
    return (folder / "answers.done").read_text(), loaded.read_text(), said


def photograph(path, environment, end):
    """Until two pictures are the same and show something."""
    last = None
    while time.monotonic() < end:
        subprocess.run(["import", "-window", "root", str(path)], env=environment, check=True)
        pixels = subprocess.run(["convert", str(path), "rgb:-"], stdout=subprocess.PIPE, check=True).stdout
        digest = hashlib.sha256(pixels).hexdigest()
        if digest == last and colours(path) > 40:
            return
        last = digest
        time.sleep(0.2)
    raise Missing("the picture stays blank")


def colours(path):
    return int(subprocess.run(["identify", "-format", "%k", str(path)], stdout=subprocess.PIPE, check=True).stdout)


def parts(save_text):
    """Groups, signals, filters, colours and markers of a save file, each in order."""
    found = {"groups": [], "signals": [], "filters": [], "colours": [], "markers": [], "marker times": []}
    for line in save_text.splitlines():
        if line.startswith("-"):
            found["groups"].append(line[1:])
        elif line.startswith("^"):
            found["filters"].append(line.split(" ", 1)[1])
        elif line.startswith("[color]"):
            found["colours"].append(line)
        elif line.startswith("[markername]"):
            found["markers"].append(line)
        elif line.startswith("*"):
            found["marker times"] = line.split()[2:]
        elif re.match(r"(\+\{.*\} )?chip\d+\.", line):
            found["signals"].append(line.split("} ")[-1])
    return found


def differences(save, answers, written, said):
    """What of our save file GTKWave has not taken, one line each."""
    bad = []
    ours, theirs = parts(save.read_text()), parts(written)
    displayed = re.search(r"^displayed (.*)$", answers, re.M).group(1).split()
    for signal in ours["signals"]:
        if signal not in displayed:
            bad.append(f"signal {signal} is not displayed")
    for kind in ("groups", "filters", "colours", "markers", "marker times"):
        if ours[kind] != theirs[kind]:
            bad.append(f"{kind}: {len(theirs[kind])} of {len(ours[kind])} came back from GTKWave, or others")
    for line in said.splitlines():
        if re.search(r"warn|error|missing|not found|could not|unable|fail", line, re.I) and "Gtk-WARNING" not in line:
            bad.append("gtkwave says: " + line)
    return bad


def check_values(answers):
    """Filters really turn codes into names: values at the marker, as GTKWave shows them."""
    values = {}
    for line in answers.splitlines():
        if line.startswith("value "):
            name, value = line[len("value "):].split("=", 1)
            values.setdefault(name, value)  # of the first tile, and there of the supervisor
    bad = []
    if values.get("state") != "computing":
        bad.append(f"state is '{values.get('state')}' and not 'computing'")
    if not re.fullmatch(r"[a-z]+\d*|-", values.get("register", "")):
        bad.append(f"register is '{values.get('register')}' and no name")
    if values.get("cause") not in ("", "none"):  # a closed group's traces have no values
        bad.append(f"cause is '{values.get('cause')}'")
    return bad


def open_groups(save_text):
    """Titles of the groups that are unfolded, of all tiles that are."""
    found, folded, flags = [], 0, 0
    for line in save_text.splitlines():
        if line.startswith("@"):
            flags = int(line[1:], 16)  # of what follows, up to others
        if not line.startswith("-"):
            continue
        if flags & 0x800000:  # a group begins
            if folded or flags & 0x400000:
                folded += 1
            else:
                found.append(line[1:])
        elif flags & 0x1000000 and folded:
            folded -= 1
    return found


def check_failure(digits, folder):
    """A failure's waves open at the failure: its cycle is marked and in view, its tile and worker alone are unfolded."""
    left = folder / "failure"
    shutil.rmtree(left, ignore_errors=True)
    (folder / "faults.txt").write_text("register tile=1 context=4 name=x10 bit=30 superstep=3+5000\n"
                                       "register tile=1 context=4 name=x11 bit=30 superstep=3+5000\n")
    run = subprocess.run([digits, "--on", "model", "--machine", "mk2-4", "--epochs", "1", "--train", "192"],
                         env=dict(os.environ, TESSERA_INSPECT=f"on-failure={left};faults={folder}/faults.txt", TESSERA_QUIET="1"),
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    report = (left / "report.txt").read_text() if (left / "report.txt").exists() else run.stderr
    told = re.search(r"Tile 1, worker 3: .*exception", report)
    cycle = re.search(r"when +cycle (\d+)", report)
    if not told or not cycle:
        return ["the planted fault ended otherwise: " + report]
    answers, written, said = run_gtkwave(left / "failure.gtkw", folder, folder / "failure.png")
    bad = differences(left / "failure.gtkw", answers, written, said)
    marker = int(re.search(r"^marker (-?\d+)", answers, re.M).group(1))
    begin, end = map(int, re.search(r"^window (\d+) (\d+)", answers, re.M).groups())
    if marker != int(cycle.group(1)):
        bad.append(f"the marker stands at {marker}, the failure is in cycle {cycle.group(1)}")
    if not begin <= marker <= end:
        bad.append(f"cycles {begin} to {end} are in view, the failure is in cycle {marker}")
    unfolded = open_groups(written)
    if [group for group in unfolded if group.startswith(("tile", "worker"))] != ["tile 1", "worker 3"]:
        bad.append(f"unfolded are {unfolded}")
    return bad


def main(digits, folder):
    need({"gtkwave": "gtkwave", "Xvfb": "xvfb", "import": "imagemagick", "convert": "imagemagick", "identify": "imagemagick"})
    folder = pathlib.Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    fst, save = folder / "digits.fst", folder / "digits.gtkw"
    for old in (fst, save):
        old.unlink(missing_ok=True)
    inspect = f"waves={fst};wave-tiles=0-1;wave-from=3;wave-for=2"
    subprocess.run([digits, "--on", "rtl", "--machine", "mk2-4", "--epochs", "1", "--train", "192"], check=True,
                   env=dict(os.environ, TESSERA_INSPECT=inspect, TESSERA_QUIET="1"), stdout=subprocess.DEVNULL)
    answers, written, said = run_gtkwave(save, folder, folder / "waves.png")
    bad = differences(save, answers, written, said) + check_values(answers)
    kept = parts(save.read_text())
    if len(kept["groups"]) < 40 or len(kept["markers"]) != 2 or len(kept["filters"]) < 40:
        bad.append("the save file holds less than it should")

    bad += check_failure(digits, folder)

    # The check itself: a save file with a signal, a filter and a group that are not there is found out.
    broken = folder / "broken.gtkw"
    shutil.copyfile(fst, broken.with_suffix(".fst"))
    text = save.read_text().replace("names/states.txt", "names/none.txt").replace("chip0.tile0.step", "chip0.tile0.stop")
    broken.write_text(text)
    found = differences(broken, *run_gtkwave(broken, folder))
    if not any("tile0.stop" in line for line in found) or not any(line.startswith("filters") for line in found):
        bad.append(f"a broken save file passed: {found}")

    for line in bad:
        print("screenshot:", line)
    print(f"{len(kept['signals'])} signals, {len(kept['groups']) // 2} groups, {len(kept['filters'])} filters, "
          f"{len(kept['markers'])} markers; picture: {folder / 'waves.png'}")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], sys.argv[2]))
    except (Missing, subprocess.CalledProcessError) as error:
        print("screenshot:", error)
        sys.exit(1)
