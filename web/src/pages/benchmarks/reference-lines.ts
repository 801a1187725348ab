import { type Aggregation, aboutMetric, type MetricName, measureOf, wordFor } from '../../ask/metric-facts.ts';
import { type ReferenceMark, referenceMarks } from './reference-marks-words.ts';

/** Marks that are shown or hidden together: one edition of a publisher, by one statistic. */
export interface ReferenceLayer {
  readonly id: string;
  readonly name: string;
}

/** A metric by one statistic, with the marks for it. */
export interface ReferenceLine {
  readonly key: string;
  readonly name: string;
  readonly metric: MetricName;
  readonly aggregation: Aggregation | undefined;
  readonly marks: readonly ReferenceMark[];
}

export const layerOf = ({ publisher, edition, aggregation }: ReferenceMark): ReferenceLayer => {
  const [year = edition] = edition.split(',');
  const statistic = aggregation === 'AVG' ? ', averages' : '';
  return { id: `${publisher} ${year}${statistic}`, name: `${publisher} ${year}${statistic}` };
};

/** Every layer once, in the order of the table. */
export const layers: readonly ReferenceLayer[] = [
  ...new Map(referenceMarks.map((mark) => [layerOf(mark).id, layerOf(mark)])).values(),
];

/** The lines that have a mark in a layer that is shown. */
export function linesOf(isShown: (layer: string) => boolean): readonly ReferenceLine[] {
  const lines = new Map<string, ReferenceLine>();
  for (const mark of referenceMarks) {
    if (!isShown(layerOf(mark).id)) continue;
    const { metric, aggregation } = mark;
    const key = `${metric} ${aggregation ?? ''}`;
    const statistic = aggregation ? `, ${wordFor(aggregation, measureOf(metric, aggregation))}` : '';
    const line = lines.get(key) ?? {
      key,
      name: `${aboutMetric(metric).label}${statistic}`,
      metric,
      aggregation,
      marks: [],
    };
    lines.set(key, { ...line, marks: [...line.marks, mark] });
  }
  return [...lines.values()];
}

const units = { hours: 3_600, lines: 1, percent: 0.01 } as const;

/** The bounds of a mark in the unit of our metric. */
export const boundsOf = ({ bounds, unit }: Pick<ReferenceMark, 'bounds' | 'unit'>): readonly number[] =>
  bounds.map((bound) => bound * units[unit]);

/** Places between 0 and 1 on the axis of a line, which reaches from 0 to a little past its largest number. */
export function placeOn({ marks }: Pick<ReferenceLine, 'marks'>, value: number | null): (one: number) => number {
  const end = Math.max(value ?? 0, ...marks.flatMap(boundsOf)) * 1.06 || 1;
  return (one) => Math.min(1, Math.max(0, one / end));
}
