"""Reads a table from a logger with PyCampbellCR1000: read-logger.py <port> <table> <from> <to>, times as ISO; prints JSON."""
import json
import sys
from datetime import datetime

from pycampbellcr1000 import CR1000

port, table, start, stop = sys.argv[1:]
device = CR1000.from_url("tcp:127.0.0.1:%s" % port, 10)


def text(value):
    return value.decode() if isinstance(value, bytes) else value


records = []
for record in device.get_data(table, datetime.fromisoformat(start), datetime.fromisoformat(stop)):
    # The package names fields by their bytes.
    fields = {key[2:-1]: text(value) for key, value in record.items() if key.startswith("b'")}
    records.append({"time": record["Datetime"].isoformat(), "number": record["RecNbr"], "fields": fields})
clock = device.gettime()
answer = {
    "tables": [text(name) for name in device.list_tables()],
    "program": text(device.getprogstat()["ProgName"]),
    "clock": clock.isoformat(),
    "records": records,
}
device.bye()
print(json.dumps(answer))
