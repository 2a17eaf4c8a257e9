"""Questions to the run's server that gdb has no packet for (docs/reference/gdb.md, Packets)."""
import gdb


def ask(request):
    """The answer as text; None where no run is served, or the server does not know the request."""
    inferior = gdb.selected_inferior()
    connection = inferior.connection if inferior is not None else None
    if not isinstance(connection, gdb.RemoteTargetConnection):
        return None
    try:
        answer = connection.send_packet("qTessera." + request)
        return bytes.fromhex(answer.decode()).decode() if answer and answer != b"OK" else None
    except (gdb.error, ValueError):
        return None
