import { canonicalText, MAX_CELL_LENGTH } from "../canonical_text.ts";
import { isEmpty } from "./lengths.ts";
import type { Output } from "./outputs.ts";
import { inOneLine } from "./faults.ts";

/** A source segment with what every system made of it. */
export interface Segment {
  readonly segment: string;
  readonly document: string;
  readonly source: string;
  /** In the order of {@link SystemOutputs.systems}; an empty text is an output like any other. */
  readonly translations: readonly string[];
}

/** A complete table of segments × systems. */
export interface SystemOutputs {
  /** In the order of the file. */
  readonly systems: readonly string[];
  /** Documents together, in the order in which each first appears; segments in the file's order. */
  readonly segments: readonly Segment[];
}

/**
 * Puts single outputs together. A segment is told by its document and its identifier, since
 * identifiers may begin anew in each document. `exclude` names systems that take no part; what is
 * wrong with their outputs does not matter.
 *
 * Throws SyntaxError that names the file and lists every fault: an empty identifier or source, a
 * system that lacks a segment or has it twice, sources that differ within a segment, a text that no
 * cell of a workbook can hold, an excluded system that does not occur.
 */
export function systemOutputs(
  outputs: readonly Output[],
  file: string,
  exclude: readonly string[] = [],
): SystemOutputs {
  const kept = outputs.filter(({ system }) => !exclude.includes(system));
  const systems = [...new Set(kept.map(({ system }) => system))];
  const groups = [...Map.groupBy(kept, ({ document, segment }) => `${document}\0${segment}`)]
    .map(([, group]) => group);
  const faults = [
    ...exclude.filter((name) => outputs.every(({ system }) => system !== name))
      .map((name) => `there is no system ${name} to exclude`),
    ...kept.flatMap(faultsOfOutput),
    ...groups.flatMap((group) => faultsOfSegment(group, systems)),
    ...kept.length === 0 ? ["it holds no outputs"] : [],
  ];
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${inOneLine(faults)}.`);
  const segments = groups.map((group) => segmentOf(group, systems));
  const documents = Map.groupBy(segments, ({ document }) => document);
  return { systems, segments: [...documents.values()].flat() };
}

function faultsOfOutput(output: Output): string[] {
  const empty = (["segment", "document", "system", "source"] as const)
    .filter((field) => isEmpty(output[field]));
  const long = (["source", "translation"] as const)
    .filter((field) => canonicalText(output[field]).length > MAX_CELL_LENGTH);
  return [
    ...empty.map((field) => `line ${output.line} has an empty ${field}`),
    ...long.map((field) =>
      `line ${output.line} has a ${field} of ${output[field].length} characters, ` +
      `a cell holds ${MAX_CELL_LENGTH}`
    ),
  ];
}

function faultsOfSegment(group: readonly Output[], systems: readonly string[]): string[] {
  const [first] = group;
  const name = `segment ${first!.segment} of document ${first!.document}`;
  const bySystem = Map.groupBy(group, ({ system }) => system);
  const other = group.find(({ source }) => canonicalText(source) !== canonicalText(first!.source));
  return [
    ...systems.filter((system) => !bySystem.has(system))
      .map((system) => `${name} has no output of ${system}`),
    ...[...bySystem].filter(([, { length }]) => length > 1).map(([system, rows]) =>
      `${name} has ${rows.length} outputs of ${system} (lines ${
        rows.map(({ line }) => line).join(", ")
      })`
    ),
    ...other ? [`${name} has another source in line ${other.line} than in ${first!.line}`] : [],
  ];
}

function segmentOf(group: readonly Output[], systems: readonly string[]): Segment {
  const { segment, document, source } = group[0]!;
  const texts = new Map(group.map(({ system, translation }) => [system, translation]));
  return { segment, document, source, translations: systems.map((system) => texts.get(system)!) };
}
