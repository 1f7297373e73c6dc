import assert from "node:assert/strict";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { bothOrders } from "../../pairs/order_plan.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { responded } from "../../pairs/testdata/responses.ts";
import { madeItems } from "../../pairs/testdata/whole_run.ts";
import type { Phenomenon } from "../candidate.ts";
import { PROPOSER } from "../proposals/settings.ts";
import { datasetSection, reviewSummary } from "./data_sections.ts";
import { errorsOf } from "../../pairs/report/model_errors.ts";
import type { Evidence } from "./evidence.ts";
import { refusalBars } from "./figure_rows.ts";
import { sourcesSection } from "./sources_section.ts";

const ITEMS = madeItems(24);

const refusal = (phenomenon: Phenomenon, reason: string, detail: string): Rejection => ({
  ...{ source: { text: "V", chapter: 1, sentence: 1 }, candidate: "x", phenomenon, reason, detail },
});

function evidence(change: Partial<Evidence> = {}): Evidence {
  return {
    ...{ items: ITEMS, rejections: [], review: [], panels: [], models: [], responses: [] },
    ...{ hosted: [], likelihoods: [], statistics: [], artefacts: [], balanced: [] },
    ...{ precision: [], agreement: [] },
    ...change,
  };
}

/** Every other pair of each phenomenon as a model's. */
const PROPOSED = ITEMS.map(({ pair, certificate }, index) => ({
  pair,
  certificate: { ...certificate, proposedBy: index % 8 < 4 ? PROPOSER : "rules" },
}));

Deno.test("datasetSection() counts the refusals of proposals apart from the rules' own", () => {
  const own = [refusal("UMLAUT", "no_head_noun", ""), refusal("UMLAUT", "not_selected", "")];
  const alone = datasetSection(evidence({ rejections: own }));
  assert.match(alone, /\| u-umlaut \| 6 \|.*\| 1 \|$/m);
  assert.doesNotMatch(alone, /proposals/);
  const refused = [
    refusal("UMLAUT", "other_form_expected", `${PROPOSER}: the rules expect x`),
    refusal("UMLAUT", "nothing_changed", PROPOSER),
  ];
  const rejections = [...own, ...refused];
  const both = datasetSection(evidence({ rejections }));
  assert.match(both, /\| refused \| proposals refused \|/);
  assert.match(both, /\| u-umlaut \| 6 \|.*\| 1 \| 2 \|$/m);
  const labels = refusalBars(evidence({ rejections }), 4).map(({ label }) => label);
  assert.deepEqual(labels, ["no head noun"]);
  const proposed = refusalBars(evidence({ rejections: refused }), 4).map(({ label }) => label);
  assert.deepEqual(proposed.toSorted(), ["nothing changed", "other form expected"]);
});

Deno.test("reviewSummary() counts the pairs that were read as they stand", () => {
  const row = (rating: number, choseGrammatical = true) => ({
    ...{ pairId: "p", sha256: "0", rating, choseGrammatical },
  });
  assert.match(
    reviewSummary({ items: ITEMS, review: [row(0), row(1), row(1), row(2, false)] }),
    /^Of the 24 pairs 4 were read as they stand.*found in 3, and 2 variants.*doubtful, 1 acceptable/,
  );
  assert.match(reviewSummary({ items: ITEMS, review: [] }), /none has been read/);
});

Deno.test("sourcesSection() tells of proposals, and of the advantage where their model is ranked", () => {
  assert.equal(sourcesSection(evidence()), undefined);
  const unranked = sourcesSection(evidence({ items: PROPOSED }));
  assert.match(unranked ?? "", /12 of the 24 pairs were proposed by openai\/gpt-oss-120b/);
  assert.match(unranked ?? "", /No panel whose figures stand here ranks that model/);
  const asked = [PROPOSER, "b"];
  const panels = [{
    ...{ title: "hosted", design: "both", orders: bothOrders } as const,
    ...{ models: asked, asked },
  }];
  const responses = PROPOSED.flatMap(({ pair }) =>
    ORDERS.flatMap((order) => asked.map((model) => responded(model, pair.id, order, "A")))
  );
  const ranked = sourcesSection(evidence({ items: PROPOSED, panels, responses })) ?? "";
  assert.match(ranked, /The same model is ranked on them\. Advantage of .*: 0\.00.*is no proof/);
});

Deno.test("errorsOf() takes an invalid answer for no wrong choice, and names the orders asked", () => {
  const id = ITEMS[0]!.pair.id;
  const of = (answers: readonly ("A" | "B" | "INVALID")[]) =>
    errorsOf({
      ...{ models: ["m"], likelihoods: [] },
      responses: answers.map((response, index) => responded("m", id, ORDERS[index]!, response)),
    }, id);
  assert.deepEqual(of(["B", "A"]), ["m chose wrongly in every order"]);
  assert.deepEqual(of(["B"]), ["m chose wrongly in the one order asked"]);
  assert.deepEqual(of(["INVALID", "A"]), []);
  assert.deepEqual(of(["INVALID"]), []);
  assert.deepEqual(of(["A", "A"]), []);
  assert.deepEqual(of([]), []);
});
