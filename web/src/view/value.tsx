import type { Better, Measure } from '../ask/metric.ts';
import { changeOf, exact, shown } from './format.ts';

interface ValueProps {
  readonly value: number | null | undefined;
  readonly measure: Measure;
  readonly className?: string;
}

/** A number as people read it, with the exact one on hover and in `data-value`. */
export function Value({ value, measure, className }: ValueProps) {
  return (
    <data className={className} value={value ?? ''} data-value={value ?? ''} title={exact(value, measure)}>
      {shown(value, measure)}
    </data>
  );
}

interface ChangeProps {
  readonly now: number | null | undefined;
  readonly before: number | null | undefined;
  readonly measure: Measure;
  readonly better: Better;
}

/** What became of it: arrow, sign and words, and a colour only where one direction is better. */
export function ChangeText({ now, before, measure, better }: ChangeProps) {
  const change = changeOf(now, before, measure, better);
  if (!change) return <span className="small secondary">{now == null ? 'no value' : 'nothing to compare with'}</span>;
  const tone = change.isGood === undefined ? 'secondary' : change.isGood ? 'good' : 'bad';
  return (
    <span className={`small ${tone}`} title={`before: ${shown(before, measure)}`}>
      <span aria-hidden="true">{change.arrow}</span> {change.text}
      {change.isGood !== undefined && <span className="unseen">, {change.isGood ? 'better' : 'worse'}</span>}
    </span>
  );
}
