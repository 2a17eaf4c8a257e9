"""Tiles as gdb's processes. A run of many tiles shows one as a process when it is looked at, or when it stops."""
import gdb

from tessera_gdb.server import ask

CONTEXTS = 7  # supervisor, workers 0..5
QUIETLY = "with suppress-cli-notifications on -- "


def number_of(tile):
    """The process of a tile, "3" or of a system of several chips "1:3"; None where the run shows no such tile."""
    chip, colon, number = tile.rpartition(":")
    try:
        chip, number = int(chip) if colon else 0, int(gdb.parse_and_eval(number))
    except (ValueError, gdb.error):
        raise gdb.GdbError("tile: '%s' is no tile: 3, or 1:3 for tile 3 of chip 1" % tile)
    answer = ask("Process:%d:%d" % (chip, number))
    return None if answer is None else int(answer)


def process_of(number):
    return next((i for i in gdb.inferiors() if i.pid == number), None)


class Tile(gdb.Command):
    """Look at a tile: tile N, or tile N W for its worker W. Of a system of several chips: tile CHIP:N.

A tile that gdb has not seen yet becomes one of its processes. Without arguments: the tile that is looked at."""

    def __init__(self):
        super().__init__("tile", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        tiles = ask("Tiles")
        if tiles is None:
            raise gdb.GdbError("tile: no run of Tessera is connected")
        words = gdb.string_to_argv(argument)
        if not words:
            thread = gdb.selected_thread()
            print(thread.name if thread is not None else "no tile is looked at")
            return
        tile, worker = words[0], int(gdb.parse_and_eval(words[1])) if len(words) > 1 else -1
        if len(words) > 2 or not -1 <= worker < CONTEXTS - 1:
            raise gdb.GdbError("tile: give a tile, and perhaps one of its workers 0 to %d" % (CONTEXTS - 2))
        number = number_of(tile)
        if number is None:
            raise gdb.GdbError("tile: the run shows no tile %s, but %s" % (tile, tiles))
        process = process_of(number) or add(tile, number)
        thread = sorted(process.threads(), key=lambda t: t.ptid[1] or t.ptid[2])[worker + 1]
        gdb.execute(QUIETLY + "thread %d.%d" % (process.num, thread.num), to_string=True)
        print("[Switching to thread %d.%d \"%s\"]" % (process.num, thread.num, thread.name))
        print(gdb.execute("frame", to_string=True).rstrip("\n"))


def add(tile, process):
    before = gdb.selected_inferior().num
    added = set(i.num for i in gdb.inferiors())
    gdb.execute("add-inferior", to_string=True)
    number = next(i.num for i in gdb.inferiors() if i.num not in added)
    try:
        gdb.execute(QUIETLY + "inferior %d" % number, to_string=True)
        gdb.execute(QUIETLY + "attach %d" % process, to_string=True)
    except gdb.error as error:
        gdb.execute("inferior %d" % before, to_string=True)
        raise gdb.GdbError("tile: tile %s cannot be looked at: %s" % (tile, error))
    describe()
    return process_of(process)


described = set()


def known(inferior):
    return (inferior.num, inferior.pid) in described


def symbols_come(event):
    """gdb has asked a new process for its program; it is about to look for breakpoints there, with conditions that may
    name registers, for which it has not asked."""
    inferior = gdb.selected_inferior()
    if inferior is None or inferior.pid == 0 or inferior.num == 1 or known(inferior):
        return
    if isinstance(inferior.connection, gdb.RemoteTargetConnection):
        described.add((inferior.num, inferior.pid))
        gdb.execute("unset tdesc filename", to_string=True)


def describe():
    """What gdb must do once for each process.

    It asks for the registers of the first process only, until it is told to. And it takes the first stop of a process
    that it was connected to for that of the connection, and says nothing, until the process has been told to go on: it
    is told to go no step.
    """
    fresh = [i for i in gdb.inferiors() if i.pid != 0 and not known(i) and i.threads()]
    if not fresh:
        return
    selected = gdb.selected_thread()
    for inferior in fresh:
        described.add((inferior.num, inferior.pid))
        min(inferior.threads(), key=lambda t: t.num).switch()
        gdb.execute("unset tdesc filename", to_string=True)
        gdb.execute(QUIETLY + "stepi 0", to_string=True)
    if selected is not None and selected.is_valid():
        selected.switch()


selected = None


def tell_selected():
    """Whom a step backwards means: gdb's packet does not name it."""
    global selected
    thread = gdb.selected_thread()
    ptid = thread.ptid if thread is not None and thread.is_valid() and thread.is_stopped() else None
    if ptid is not None and ptid != selected:
        ask("Selected:p%x.%x" % (ptid[0], ptid[1] or ptid[2]))
    selected = ptid


def prompt():
    try:
        describe()
        tell_selected()
    except gdb.error:
        pass  # the target runs: at the next prompt


def register():
    Tile()
    gdb.events.clear_objfiles.connect(symbols_come)
    gdb.events.before_prompt.connect(prompt)
    gdb.events.exited.connect(lambda event: described.clear())
