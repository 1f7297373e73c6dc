"""Serves a GGUF file through llama-cpp-python's server on loopback, until its input is closed.

    python serve_llama_cpp_python.py FILE THREADS CONTEXT_TOKENS

Writes one JSON line, {"address": "http://127.0.0.1:PORT"}, before it begins to listen. Log-probabilities
of a prompt need the logits of every position, hence logits_all.
"""

import json
import socket
import sys
import threading

import llama_cpp
import uvicorn
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings


def model_settings(path, threads, context_tokens):
    return ModelSettings(
        model=path,
        n_ctx=context_tokens,
        n_threads=threads,
        n_threads_batch=threads,
        n_gpu_layers=0,
        logits_all=True,
        type_k=llama_cpp.GGML_TYPE_F32,
        type_v=llama_cpp.GGML_TYPE_F32,
        flash_attn=False,
        verbose=False,
    )


def main():
    path, threads, context_tokens = sys.argv[1:]
    settings = model_settings(path, int(threads), int(context_tokens))
    app = create_app(server_settings=ServerSettings(), model_settings=[settings])
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    port = listener.getsockname()[1]
    print(json.dumps({"address": f"http://127.0.0.1:{port}"}), flush=True)
    sys.stdin.read()


main()
