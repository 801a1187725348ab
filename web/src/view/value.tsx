import { changeWords, type ShownChange, saidVerdict } from '../../../src/conclusions/verdict-words.ts';
import type { Measure } from '../ask/metric-facts.ts';
import { exact, shown } from './format.ts';

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
  readonly change: ShownChange;
  /** What n counts, such as `pull requests`. */
  readonly of?: string | undefined;
}

/** The server's verdict on the change: arrow, sign and words, and a colour only where one direction is better. */
export function ChangeText({ change, of }: ChangeProps) {
  const { text, tone, arrow, more } = changeWords(change, of);
  return (
    <span className={`small ${tone}`} title={more} data-verdict={saidVerdict(change) ?? ''}>
      {arrow && <span aria-hidden="true">{arrow} </span>}
      {text}
      {tone !== 'secondary' && <span className="unseen">, {tone === 'good' ? 'better' : 'worse'}</span>}
    </span>
  );
}
