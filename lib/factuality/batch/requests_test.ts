import assert from "node:assert/strict";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { readCsvRequests, readJsonlRequests } from "./requests.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("readJsonlRequests() takes requests, makes ids where there are none, and tells what is none by its line", () => {
  const { requests, refused } = readJsonlRequests(bytes([
    '{"id":"a","source":"s","candidate":"c","question":"q"}',
    '{"candidate":"no id"}',
    '{"id":7,"candidate":"a number"}',
    "",
    '{"id":"b","candidate":" "}',
    '{"id":"a","candidate":"c","source":"s","question":"q"}',
    '{"id":"a","candidate":"other"}',
    '{"candidate":"no id"}',
    "{cut",
  ].join("\n")));
  assert.deepEqual(requests.map(({ id }) => id), ["a", requests[1]!.id, "7"]);
  assert.match(requests[1]!.id, /^[0-9a-f]{16}$/);
  assert.deepEqual(refused.map(({ line }) => line), [5, 6, 7, 8, 9]);
  assert.match(refused[0]!.reason, /there is no text to evaluate/);
  assert.match(refused[1]!.reason, /"a" is that of line 1, with the same text/);
  assert.match(refused[2]!.reason, /with another text/);
  assert.match(refused[3]!.reason, /the text of line 2: give both an id/);
});

Deno.test("Requirement 16.2: answers of several systems name system and query; one that answers twice, or nothing known, is none", () => {
  const line = (row: object) => JSON.stringify({ candidate: "Paris.", ...row });
  const { requests, refused } = readJsonlRequests(bytes([
    line({ system: "a", query_id: 1 }),
    line({ model: "b", query: "Capital of France?" }),
    line({ model: "b", question: "Capital of  France?", candidate: "Lyon." }),
    line({ system: "a", source: "The capital is Paris." }),
    line({ system: "a" }),
    line({}),
  ].join("\n")));
  const named = requests.map(({ system, query, question }) => [system, query, question]);
  assert.deepEqual(named, [
    ["a", "1", ""],
    ["b", "Capital of France?", "Capital of France?"],
    ["a", requests[2]!.query, ""],
    [undefined, undefined, ""],
  ]);
  assert.match(requests[2]!.query!, /^source [0-9a-f]{16}$/);
  assert.equal(new Set(requests.map(({ id }) => id)).size, 4);
  assert.deepEqual(refused.map(({ line }) => line), [3, 5]);
  assert.match(refused[0]!.reason, /b has answered the query "Capital of France\?" in line 2/);
  assert.match(refused[1]!.reason, /nothing says what a answers/);
});

Deno.test("readCsvRequests() takes fields over several lines, and passes over a row of another width", () => {
  const { requests, refused } = readCsvRequests(
    bytes('\ufeffid,candidate,more\na,"two\nlines",x\nb,short\nc,one,y\n'),
  );
  assert.equal(requests.map(({ id, candidate }) => id + candidate).join(), "atwo\nlines,cone");
  assert.deepEqual(refused.map(({ line }) => line), [4]);
  assert.throws(
    () => readCsvRequests(bytes("Candidate;source\nElk swim.;x\n")),
    /its columns are Candidate \| source\. One must be candidate/,
  );
  const { requests: [one] } = readCsvRequests(bytes("id;candidate\na;Elk, of course, swim.\n"));
  assert.equal(one!.candidate, "Elk, of course, swim.");
  assert.throws(() => readCsvRequests(bytes('candidate\n"never closed\nx\n')), SyntaxError);
});

Deno.test("Requirement 5.1: the same requests are read from JSONL and CSV, whatever their texts", () => {
  const text = fc.string({ unit: "grapheme" });
  const request = fc.record({
    id: fc.uuid(),
    source: text,
    candidate: text.filter((candidate) => candidate.trim() !== ""),
    question: text,
  }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.uniqueArray(request, { selector: ({ id }) => id, maxLength: 5 }), (requests) => {
      const jsonl = requests.map((row) => `${JSON.stringify(row)}\n`).join("");
      assert.deepEqual(readJsonlRequests(bytes(jsonl)), { requests, refused: [] });
      const columns = ["id", "source", "candidate", "question"];
      const csv = stringify(requests, { header: true, columns });
      assert.deepEqual(readCsvRequests(bytes(csv)), { requests, refused: [] });
    }),
  );
});
