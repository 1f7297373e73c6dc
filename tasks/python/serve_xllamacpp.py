"""Serves a GGUF file through llama.cpp's own HTTP server on loopback, until its input is closed.

    python serve_xllamacpp.py FILE THREADS CONTEXT_TOKENS SLOTS

Writes one JSON line, {"address": "http://127.0.0.1:PORT", "build": "..."}, once the model is loaded.
Whatever could change a sum of float32 weights is set as the in-process engine has it; how tokens are
chosen is left as the server has it by default, for that is what a client of any server meets.
"""

import json
import sys

import xllamacpp


def parameters(path, threads, context_tokens, slots):
    chosen = xllamacpp.CommonParams()
    chosen.model.path = path
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = 0
    chosen.n_ctx = context_tokens * slots
    chosen.n_parallel = slots
    # Every question is read whole, whoever asked it before.
    chosen.cache_prompt = False
    chosen.cache_ram_mib = 0
    chosen.n_gpu_layers = 0
    chosen.cpuparams.n_threads = threads
    chosen.cpuparams_batch.n_threads = threads
    chosen.cache_type_k = xllamacpp.ggml_type.GGML_TYPE_F32
    chosen.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    chosen.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    chosen.ui = False
    chosen.verbosity = 1
    return chosen


def main():
    path, *numbers = sys.argv[1:]
    server = xllamacpp.Server(parameters(path, *map(int, numbers)))
    line = {"address": server.listening_address, "build": xllamacpp.BUILD_INFO}
    print(json.dumps(line), flush=True)
    sys.stdin.read()


main()
