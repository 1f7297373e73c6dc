"""bm25s, asked a line of JSON at a time: passages' terms first (answer: null), then a query's.

Each answer has the milliseconds that the search took, and the ten best passages with their scores.
"""

import json
import sys
import time

import bm25s

print("ready", flush=True)
index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
index.index(json.loads(sys.stdin.readline()), show_progress=False)
print("null", flush=True)
for line in sys.stdin:
    terms = json.loads(line)
    begun = time.perf_counter()
    numbers, scores = index.retrieve([terms], k=10, show_progress=False, n_threads=0)
    milliseconds = (time.perf_counter() - begun) * 1000
    best = {"numbers": numbers[0].tolist(), "scores": scores[0].tolist()}
    print(json.dumps({"milliseconds": milliseconds, **best}), flush=True)
