import type { MetricName } from '../ask/metric-facts.ts';
import type { View } from '../ask/use-view.ts';

interface IgnoredFiltersProps {
  readonly view: View;
  /** The page's figures, and what they count: `issues`. */
  readonly of: readonly (readonly [MetricName, string])[];
}

/** The reader's filters that some figures of the page ignore, in words. */
function ignoredFilters({ view, of }: IgnoredFiltersProps): string {
  return of
    .flatMap(([metric, called]) => {
      const ignored = view.ignoredBy(metric);
      return ignored.length === 0 ? [] : `${called} are not narrowed by ${ignored.join(' and ')}`;
    })
    .join(', ');
}

/** A line above the figures that says which filters they ignore; nothing where they ignore none. */
export function IgnoredFilters(props: IgnoredFiltersProps) {
  const text = ignoredFilters(props);
  return text === '' ? null : <p className="small secondary">With these filters: {text}.</p>;
}
