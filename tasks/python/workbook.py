"""openpyxl, for comparison: a path a line as JSON; loads the workbook, writes it to memory, answers with the
milliseconds that both took."""

import io
import json
import sys
import time

import openpyxl

print("ready", flush=True)
for line in sys.stdin:
    begun = time.perf_counter()
    workbook = openpyxl.load_workbook(json.loads(line))
    workbook.save(io.BytesIO())
    print((time.perf_counter() - begun) * 1000, flush=True)
