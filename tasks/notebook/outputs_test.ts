import assert from "node:assert/strict";
import fc from "fast-check";
import { CellOutputs, NotebookOutputs, plainText } from "./outputs.ts";
import type { KernelMessage } from "./wire.ts";

const message = (type: string, content: KernelMessage["content"]): KernelMessage => ({
  type,
  parent: "p",
  content,
});
const stream = (name: string, text: string) => message("stream", { name, text });

Deno.test("CellOutputs joins a stream however it was cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (parts) => {
      const cell = new CellOutputs();
      for (const part of parts) cell.receive(stream("stdout", part));
      const whole = new CellOutputs();
      whole.receive(stream("stdout", parts.join("")));
      assert.deepEqual(cell.outputs, whole.outputs);
    }),
    { numRuns: 100 },
  );
});

Deno.test("CellOutputs keeps the order of streams and displays", () => {
  const cell = new CellOutputs();
  cell.receive(stream("stdout", "a"));
  cell.receive(stream("stderr", "b"));
  cell.receive(message("display_data", { data: { "text/plain": "c" }, metadata: {} }));
  cell.receive(stream("stdout", "d"));
  cell.receive(message("status", { execution_state: "idle" }));
  const kinds = cell.outputs.map((output) =>
    output.output_type === "stream" ? output.name : output.output_type
  );
  assert.deepEqual(kinds, ["stdout", "stderr", "display_data", "stdout"]);
});

Deno.test("CellOutputs clears at once, or when the next output comes", () => {
  const cell = new CellOutputs();
  cell.receive(stream("stdout", "one"));
  cell.receive(message("clear_output", { wait: true }));
  assert.equal(cell.outputs.length, 1);
  cell.receive(stream("stdout", "two"));
  assert.deepEqual(cell.outputs, [{ output_type: "stream", name: "stdout", text: "two" }]);
  cell.receive(message("clear_output", { wait: false }));
  assert.deepEqual(cell.outputs, []);
});

Deno.test("NotebookOutputs updates only what carries the display id", () => {
  const notebook = new NotebookOutputs();
  const show = (type: string, text: string, id: string) =>
    message(type, {
      data: { "text/plain": text },
      metadata: {},
      transient: { display_id: id },
    });
  const first = notebook.begin();
  notebook.receive(show("display_data", "a", "x"));
  notebook.receive(show("display_data", "b", "y"));
  notebook.begin();
  notebook.receive(show("update_display_data", "A", "x"));
  const texts = first.outputs.map((output) => "data" in output && output.data["text/plain"]);
  assert.deepEqual(texts, ["A", "b"]);
});

Deno.test("plainText() drops terminal codes and what a carriage return overwrote", () => {
  assert.equal(plainText("\x1b[1m\x1b[31mred\x1b[0m"), "red");
  assert.equal(plainText("\x1b]8;;x\x07link\x1b]8;;\x07"), "link");
  assert.equal(plainText("10 %\r20 %\r30 %\ndone\r\n"), "30 %\ndone\n");
});
