import assert from "node:assert/strict";
import { join } from "node:path";
import { readJsonLines } from "../../lib/files/json.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { TASK } from "./respond.ts";

Deno.test("study respond --config has a model of one's own answer one's own questions, and its components check what it says", () =>
  inFolder(async (folder) => {
    await using server = startStandInServer({
      answer: ({ body }) =>
        /Harrow/.test(JSON.stringify(body)) ? "The library of Harrow opened in 1911." : "I know.",
    });
    const [config, queries, out] = ["own.yaml", "asked.jsonl", "out"].map((n) => join(folder, n));
    Deno.writeTextFileSync(
      config!,
      "name: own\nverifier: { kind: overlap }\n" +
        [["models", "served"], ["judges", "guess"]].map(([part, id]) =>
          `${part}: [{ id: ${id}, kind: openai-compatible, licence: MIT, ` +
          `baseUrl: "${server.openAiBaseUrl}" }]\n`
        ).join(""),
    );
    Deno.writeTextFileSync(queries!, '{"id": "q1", "query": "When did Harrow\'s library open?"}\n');
    const words = ["--config", config!, "--queries", queries!, "--out", out!];
    const said: string[] = [];
    const { log } = console;
    console.log = (line: string) => void said.push(line);
    const code = await exitCodeOf(TASK, words).finally(() => console.log = log);
    assert.equal(code, EXIT.done);
    assert.match(said.join("\n"), /^Judges left out, .*: guess; a weight in .*own\.yaml has/m);
    const { rows } = readJsonLines(join(out!, "answers.jsonl"), (row) => row);
    assert.deepEqual(rows, [{
      id: "served: q1",
      system: "served",
      query_id: "q1",
      question: "When did Harrow's library open?",
      candidate: "The library of Harrow opened in 1911.",
    }]);
    assert.match(
      Deno.readTextFileSync(join(out!, "claims.csv")),
      /library of Harrow opened in 1911/,
    );
    // All is kept: no model is asked twice.
    const asked = server.calls.length;
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    assert.equal(server.calls.length, asked);
    assert.equal(await exitCodeOf(TASK, ["--queries", queries!]), EXIT.failed);
  }));
