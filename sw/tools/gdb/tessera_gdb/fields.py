"""Fields of vertices (<poplar/Fields.hpp>) as what they are connected to.

Printers show the elements; methods by which they are indexed are computed by gdb, since a call would execute on the
tile. All of them read the two members that every field is made of: `first_` and `size_`, or `element_`.
"""
import re

import gdb
import gdb.printing
import gdb.types
import gdb.xmethod

FIELD = re.compile(r"^poplar::(detail::)?(Vector|VectorList|Extent|VectorEdge|Input|Output|InOut|ScalarEdge|"
                   r"WrittenScalarEdge)<")


def has(kind, member):
    return kind.code == gdb.TYPE_CODE_STRUCT and gdb.types.has_field(kind, member)


def is_field(kind):
    return FIELD.match(kind.tag or kind.name or "") is not None


def name_of(kind):
    return str(kind).replace("_Float16", "half")


def elements(count, kind):
    return "%d element%s of %s" % (count, "" if count == 1 else "s", name_of(kind))


class VectorPrinter:
    """A vector that knows its length, or a list of them."""

    def __init__(self, value):
        self.first, self.count = value["first_"], int(value["size_"])

    def to_string(self):
        kind = self.first.type.target().unqualified()
        if is_field(kind):
            return "%d row%s" % (self.count, "" if self.count == 1 else "s")
        return elements(self.count, kind)

    def children(self):
        for n in range(self.count):
            yield "[%d]" % n, (self.first + n).dereference()

    def display_hint(self):
        return "array"


class PointerPrinter:
    """A vector without a length."""

    def __init__(self, value):
        self.first = value["first_"]

    def to_string(self):
        kind = self.first.type.target().unqualified()
        return "%s at 0x%x, of unknown length" % (name_of(kind), int(self.first))


class ScalarPrinter:
    def __init__(self, value):
        self.element = value["element_"]

    def to_string(self):
        return self.element.dereference()


def printer_of(value):
    kind = gdb.types.get_basic_type(value.type)
    if kind.code != gdb.TYPE_CODE_STRUCT or not is_field(kind):
        return None
    if has(kind, "element_"):
        return ScalarPrinter(value)
    if has(kind, "size_"):
        return VectorPrinter(value)
    return PointerPrinter(value) if has(kind, "first_") else None


class FieldPrinters(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("tessera-fields")

    def __call__(self, value):
        return printer_of(value)


def the_object(value):
    """gdb gives a method the object or a pointer to it."""
    return value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value


class Method(gdb.xmethod.XMethodWorker):
    """A method of a field: takes it and the arguments, gives a value in the tile's memory where that has a place."""

    def __init__(self, kind, arguments, result, compute):
        self.kind, self.arguments, self.result, self.compute = kind, arguments, result, compute

    def get_arg_types(self):
        return [gdb.lookup_type(name) for name in self.arguments] or None

    def get_result_type(self, field, *arguments):
        return self.result(self.kind)

    def __call__(self, field, *arguments):
        return self.compute(the_object(field), *arguments)


def member(kind, name):
    """The type of a member, of a base class perhaps."""
    for field in gdb.types.get_basic_type(kind).fields():
        found = field.type if field.name == name else member(field.type, name) if field.is_base_class else None
        if found is not None:
            return found
    return None


def pointer(kind):
    return member(kind, "first_")


def element(kind):
    return pointer(kind).target()


def count(kind):
    return member(kind, "size_")


def truth(kind):
    return gdb.lookup_type("bool")


# By the member that they need: arguments, type of the result, the result.
METHODS = {
    "first_": {
        "operator[]": (["unsigned int"], element, lambda v, n: (v["first_"] + n).dereference()),
        "front": ([], element, lambda v: v["first_"].dereference()),
        "data": ([], pointer, lambda v: v["first_"]),
        "begin": ([], pointer, lambda v: v["first_"]),
        "cbegin": ([], pointer, lambda v: v["first_"]),
    },
    "size_": {
        "size": ([], count, lambda v: v["size_"]),
        "empty": ([], truth, lambda v: v["size_"] == 0),
        "back": ([], element, lambda v: (v["first_"] + (v["size_"] - 1)).dereference()),
        "end": ([], pointer, lambda v: v["first_"] + v["size_"]),
        "cend": ([], pointer, lambda v: v["first_"] + v["size_"]),
    },
    "element_": {
        "operator*": ([], lambda kind: member(kind, "element_").target(), lambda v: v["element_"].dereference()),
        "operator->": ([], lambda kind: member(kind, "element_"), lambda v: v["element_"]),
    },
}


class FieldMethods(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("tessera-fields")

    def match(self, kind, name):
        if not is_field(kind):
            return None
        for member, methods in METHODS.items():
            if name in methods and has(kind, member):
                return Method(kind, *methods[name])
        return None


def register():
    gdb.printing.register_pretty_printer(None, FieldPrinters(), replace=True)
    gdb.xmethod.register_xmethod_matcher(None, FieldMethods(), replace=True)
