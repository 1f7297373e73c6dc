"""Loads and writes workbooks with openpyxl, for comparison.

    python workbook.py

Reads one path a line; loads the workbook, writes it to memory and answers with one line: the
milliseconds that both took.
"""

import io
import sys
import time

import openpyxl

for line in sys.stdin:
    begun = time.perf_counter()
    workbook = openpyxl.load_workbook(line.strip())
    workbook.save(io.BytesIO())
    print((time.perf_counter() - begun) * 1000, flush=True)
