"""Packed types of the tile (<ipudef.h>: float2, half4, ...) as their lanes, wherever they lie."""
import struct

import gdb
import gdb.printing
import gdb.types
import gdb.xmethod

from tessera_gdb.fields import the_object

# name: lane, lanes. A wide type is two packed ones, `part`.
PACKED = {"float2": ("float", 2), "half2": ("half", 2), "half4": ("half", 4)}
WIDE = {"float4": ("float", 4), "half8": ("half", 8)}
FORMAT = {"float": "f", "half": "e"}


def shape(kind):
    kind = gdb.types.get_basic_type(kind)
    name = kind.tag or kind.name
    if kind.code != gdb.TYPE_CODE_STRUCT:
        return None
    return PACKED.get(name) or WIDE.get(name)


def lane_type(lane):
    for name in (lane, "_Float16"):
        try:
            return gdb.lookup_type(name)
        except gdb.error:
            continue
    return gdb.lookup_type("float")


def lanes(value):
    """In memory they are places that can be assigned to; in a register they are numbers."""
    lane, count = shape(value.type)
    kind = lane_type(lane)
    if value.address is not None:
        first = value.address.reinterpret_cast(kind.pointer())
        return [(first + n).dereference() for n in range(count)]
    if gdb.types.has_field(value.type.strip_typedefs(), "part"):
        return [one for n in (0, 1) for one in lanes(value["part"][n])]
    bits = value["bits"]
    data = int(bits.format_string(format="x"), 16).to_bytes(bits.type.sizeof, "little")
    return [gdb.Value(number).cast(kind) for number in struct.unpack("<%d%s" % (count, FORMAT[lane]), data)]


class PackedPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return None

    def children(self):
        for n, lane in enumerate(lanes(self.value)):
            yield "[%d]" % n, lane

    def display_hint(self):
        return "array"


class PackedPrinters(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("tessera-packed")

    def __call__(self, value):
        return PackedPrinter(value) if shape(value.type) else None


class LaneMethod(gdb.xmethod.XMethodWorker):
    def __init__(self, lane):
        self.lane = lane

    def get_arg_types(self):
        return gdb.lookup_type("unsigned int")

    def get_result_type(self, value, n):
        return lane_type(self.lane)

    def __call__(self, value, n):
        return lanes(the_object(value))[int(n)]


class LaneMethods(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("tessera-packed")

    def match(self, kind, name):
        return LaneMethod(shape(kind)[0]) if name in ("operator[]", "get") and shape(kind) else None


def register():
    gdb.printing.register_pretty_printer(None, PackedPrinters(), replace=True)
    gdb.xmethod.register_xmethod_matcher(None, LaneMethods(), replace=True)
