"""Tiles as gdb's processes. A run of many tiles shows one as a process when it is looked at, or when it stops."""
import gdb

from tessera_gdb.server import ask

CONTEXTS = 7  # supervisor, workers 0..5
QUIETLY = "with suppress-cli-notifications on -- "


def has_tile(tiles, tile):
    """Whether "0,2-5" holds 3."""
    for part in tiles.split(","):
        first, _, last = part.partition("-")
        if int(first) <= tile <= int(last or first):
            return True
    return False


def process_of(tile):
    return next((i for i in gdb.inferiors() if i.pid == tile + 1), None)


class Tile(gdb.Command):
    """Look at a tile: tile N, or tile N W for its worker W.

A tile that gdb has not seen yet becomes one of its processes. Without arguments: the tile that is looked at."""

    def __init__(self):
        super().__init__("tile", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        tiles = ask("Tiles")
        if tiles is None:
            raise gdb.GdbError("tile: no run of Tessera is connected")
        words = [int(gdb.parse_and_eval(word)) for word in gdb.string_to_argv(argument)]
        if not words:
            thread = gdb.selected_thread()
            print(thread.name if thread is not None else "no tile is looked at")
            return
        tile, worker = words[0], words[1] if len(words) > 1 else -1
        if len(words) > 2 or not -1 <= worker < CONTEXTS - 1:
            raise gdb.GdbError("tile: give a tile, and perhaps one of its workers 0 to %d" % (CONTEXTS - 2))
        if not has_tile(tiles, tile):
            raise gdb.GdbError("tile: the run shows no tile %d, but %s" % (tile, tiles))
        process = process_of(tile) or add(tile)
        thread = sorted(process.threads(), key=lambda t: t.ptid[1] or t.ptid[2])[worker + 1]
        gdb.execute(QUIETLY + "thread %d.%d" % (process.num, thread.num), to_string=True)
        print("[Switching to thread %d.%d \"%s\"]" % (process.num, thread.num, thread.name))
        print(gdb.execute("frame", to_string=True).rstrip("\n"))


def add(tile):
    before = gdb.selected_inferior().num
    added = set(i.num for i in gdb.inferiors())
    gdb.execute("add-inferior", to_string=True)
    number = next(i.num for i in gdb.inferiors() if i.num not in added)
    try:
        gdb.execute(QUIETLY + "inferior %d" % number, to_string=True)
        gdb.execute(QUIETLY + "attach %d" % (tile + 1), to_string=True)
    except gdb.error as error:
        gdb.execute("inferior %d" % before, to_string=True)
        raise gdb.GdbError("tile: tile %d cannot be looked at: %s" % (tile, error))
    describe()
    return process_of(tile)


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
