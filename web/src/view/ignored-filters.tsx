import type { MetricName } from '../ask/metric-facts.ts';
import type { View } from '../ask/use-view.ts';
import { explanationWords } from './answer-words.ts';

interface IgnoredFiltersProps {
  readonly view: View;
  /** The page's figures, and what they count: `issues`. */
  readonly of: readonly (readonly [MetricName, string])[];
}

/** The reader's filters that some figures of the page ignore, in words. */
const ignoredFilters = ({ view, of }: IgnoredFiltersProps): readonly string[] =>
  of.flatMap(([metric, called]) => {
    const ignored = view.ignoredBy(metric);
    return ignored.length === 0 ? [] : explanationWords.ignores(called, ignored);
  });

/** A line above the figures that says which filters they ignore; nothing where they ignore none. */
export function IgnoredFilters(props: IgnoredFiltersProps) {
  const parts = ignoredFilters(props);
  return parts.length === 0 ? null : <p className="small secondary">{explanationWords.ignoredFilters(parts)}</p>;
}
