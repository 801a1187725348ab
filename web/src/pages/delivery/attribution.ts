import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { attributionOrder, attributionWords } from '../../view/deployment-words.ts';

/** A part of the bar: what became of some of the merged pull requests. */
export interface AttributionPart {
  readonly status: string | null;
  readonly name: string;
  readonly meaning: string;
  readonly count: number;
  /** The share of all merged pull requests, between 0 and 1. */
  readonly share: number;
}

/** The parts that are there, in the order in which a pull request goes through them. */
export function attributionParts(rows: readonly Row[]): AttributionPart[] {
  const counts = new Map(
    rows.map((row) => [textOf(row.deployment_attribution_status), numberIn(row, 'pr_count') ?? 0]),
  );
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const place = (status: string | null): number => {
    const at = attributionOrder.indexOf(status ?? '');
    return at < 0 ? attributionOrder.length : at;
  };
  return [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => place(a) - place(b))
    .map(([status, count]) => ({ status, ...attributionWords(status), count, share: count / total }));
}
