import { markdownTable, tally } from "../../figures/markdown_table.ts";
import type { CertifiedPair } from "../certify.ts";
import type { PairLikelihood } from "../likelihood_rows.ts";
import type { DatasetItem } from "../number_pairs.ts";
import type { Certificate, Rejection } from "../pair.ts";
import { certificateRow } from "../pair_files.ts";
import type { Response } from "../responses.ts";
import type { SelectionReport } from "../selection.ts";
import { variantForm } from "../sentence_difference.ts";
import type { PendingWork } from "../panels/pending.ts";

/** Certified candidates by phenomenon and frame. */
export function frameTable(certified: readonly CertifiedPair[]): string {
  const frames = Map.groupBy(
    certified,
    ({ pair, certificate }) => `${pair.phenomenon} ${certificate.construction}`,
  );
  return markdownTable(
    ["phenomenon", "frame", "certified", "with a mark", "lemmas"],
    [...frames].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, members]) => [
      ...name.split(" "),
      members.length,
      members.filter(({ certificate }) => certificate.marks.length > 0).length,
      new Set(members.map(({ certificate }) => certificate.lemma)).size,
    ]),
  );
}

/** Reasons for refusal by phenomenon, most frequent first, each with its first word. */
export function reasonTable(rejections: readonly Rejection[]): string {
  const nameOf = ({ phenomenon, reason }: Rejection) => `${phenomenon} ${reason}`;
  return markdownTable(
    ["phenomenon", "reason", "words", "for example"],
    tally(rejections.map(nameOf)).map(([name, count]) => [
      ...name.split(" "),
      count,
      rejections.find((rejection) => nameOf(rejection) === name)?.candidate,
    ]),
  );
}

/** What the selection chose of each phenomenon. */
export function selectionTable(report: Readonly<Record<string, SelectionReport>>): string {
  return markdownTable(
    ["phenomenon", "chosen", "of candidates", "most of one lemma", "tier 1 / 2 / 3", "penalised"],
    Object.entries(report).map(([name, own]) => [
      name,
      own.chosen,
      own.candidates,
      own.highestPerLemma,
      own.tiers.join(" / "),
      own.penalised,
    ]),
  );
}

/** Pairs with the change and its explanation. */
export function pairTable(items: readonly DatasetItem[]): string {
  return markdownTable(
    ["id", "grammatical", "target → variant", "why the variant is wrong"],
    items.map(({ pair, certificate }) => [
      pair.id,
      pair.grammatical,
      `**${pair.target}** → ${variantForm(pair)}`,
      certificate.explanation,
    ]),
  );
}

/** A certificate, field by field, under the names of `certificates.csv`. */
export function certificateTable(certificate: Certificate): string {
  const row = Object.entries(certificateRow(certificate));
  const [[, id] = ["", ""], ...fields] = row;
  return markdownTable(
    ["", String(id)],
    fields.map(([name, value]) => [name, value === "" ? undefined : String(value)]),
  );
}

/** What of the panel's work is done, and what remains. */
export function progressTable(
  remaining: readonly PendingWork[],
  responses: readonly Response[],
  likelihoods: readonly PairLikelihood[],
): string {
  return markdownTable(
    ["model", "answers", "of them A", "of them B", "invalid", "missing", "pairs scored", "missing"],
    remaining.map(({ entry, answers, likelihoods: unscored }) => {
      const own = responses.filter(({ model }) => model === entry.id);
      const count = (what: string) => own.filter(({ response }) => response === what).length;
      const scored = likelihoods.filter(({ model }) => model === entry.id).length;
      const [a, b, invalid] = ["A", "B", "INVALID"].map(count);
      return [entry.id, own.length, a, b, invalid, answers, scored, unscored];
    }),
  );
}
