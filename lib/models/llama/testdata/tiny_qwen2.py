"""The expected values of own_model_test.ts: the model of tiny_qwen2.ts in transformers' Qwen2 (PyTorch, float32).
Run with the Python of `deno task bench agreement`: python lib/models/llama/testdata/tiny_qwen2.py"""

import numpy as np
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

WORDS = ["<|endoftext|>", *map(chr, range(33, 127)), "Ġ", "th", "the"]
TEXTS = ["the cat sat", "the cats sat on the mat.", "Ab?"]


def numbers(tensor, shape, around):
    with np.errstate(over="ignore"):
        x = (np.arange(np.prod(shape), dtype=np.uint32) + 1 + 7919 * tensor).astype(np.uint32)
        x = x * np.uint32(2654435761)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(2246822519)
    x = (x ^ (x >> np.uint32(13))).astype(np.float64)
    return torch.tensor((around + (x / 2**32 - 0.5) * 0.6).astype(np.float32).reshape(shape))


def tokens(text):
    text = text.replace(" ", "Ġ").replace("the", "\0").replace("th", "\1")
    return [{"\0": 97, "\1": 96}.get(sign) or WORDS.index(sign) for sign in text]


config = Qwen2Config(vocab_size=98, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=2, rms_norm_eps=1e-6,
                     rope_theta=10000.0, tie_word_embeddings=False)
model = Qwen2ForCausalLM(config).float().eval()
names = ["model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"]
for n in range(2):
    at = f"model.layers.{n}."
    names += [at + name for name in (
        "input_layernorm.weight", "self_attn.q_proj.weight", "self_attn.q_proj.bias",
        "self_attn.k_proj.weight", "self_attn.k_proj.bias", "self_attn.v_proj.weight",
        "self_attn.v_proj.bias", "self_attn.o_proj.weight", "post_attention_layernorm.weight",
        "mlp.gate_proj.weight", "mlp.up_proj.weight", "mlp.down_proj.weight")]
state = model.state_dict()
assert sorted(names) == sorted(state), set(names) ^ set(state)
model.load_state_dict({name: numbers(i, tuple(state[name].shape), 1 if "norm" in name else 0)
                       for i, name in enumerate(names)})
for text in TEXTS:
    ids = torch.tensor([[0, *tokens(text)]])
    with torch.no_grad():
        logs = model(ids).logits.double().log_softmax(-1)
    print(repr(text), len(ids[0]) - 1, round(logs[0, :-1].gather(1, ids[0, 1:, None]).sum().item(), 4))
