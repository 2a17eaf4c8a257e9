"""`watch u[1]` of a field: at the place in memory where the element lies.

gdb can watch only what it reads itself, and an element of a field is computed. It would execute step by step, and
compute the element in whatever function the program has come to.
"""
import re

import gdb
import gdb.types

from tessera_gdb import fields, packed

END = re.compile(r"\s+(?:if|thread|task|mask)\b")
ELEMENT = re.compile(r"(.*)\[[^\[\]]*\]$|\*(.*)$", re.S)


def place_of(argument):
    """What to watch: the argument, or where the element lies that it names."""
    expression = END.split(argument)[0].strip()
    element = ELEMENT.match(expression)
    if element is None:
        return argument
    try:
        kind = gdb.types.get_basic_type(gdb.parse_and_eval(element.group(1) or element.group(2)).type)
        if not fields.is_field(kind) and packed.shape(kind) is None:
            return argument
        value = gdb.parse_and_eval(expression)
    except gdb.error:
        return argument  # gdb says what is wrong
    if value.address is None:
        raise gdb.GdbError("watch: %s lies in a register" % expression)
    rest = argument.strip()[len(expression):]
    return "*(%s *) 0x%x%s" % (value.type.unqualified(), int(value.address), rest)


class Watch(gdb.Command):
    """Stop when an expression's value is written, read, or either (watch, rwatch, awatch).

Usage: watch EXPRESSION [if CONDITION] [thread THREAD]
An element of a vertex's field is watched where it lies in memory."""

    def __init__(self, name, access):
        super().__init__(name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_EXPRESSION)
        self.access = access

    def invoke(self, argument, from_tty):
        gdb.Breakpoint(place_of(argument), gdb.BP_WATCHPOINT, self.access)


def register():
    Watch("watch", gdb.WP_WRITE)
    Watch("rwatch", gdb.WP_READ)
    Watch("awatch", gdb.WP_ACCESS)
