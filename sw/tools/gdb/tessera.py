"""What gdb knows of a Tessera run. `tessera gdb` loads it; with another gdb: source .../share/tessera/gdb/tessera.py

Vertex fields and packed types print and index as what they hold, `disassemble` knows the tile's instructions, `tile N`
looks at a tile. Needs gdb 13 or later.
"""
import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.realpath(os.path.expanduser(__file__))))

from tessera_gdb import disassembly, fields, packed, tiles, watching  # noqa: E402

# A called function would execute on the tile and change the run.
gdb.execute("set may-call-functions off")
fields.register()
packed.register()
disassembly.register()
tiles.register()
watching.register()
