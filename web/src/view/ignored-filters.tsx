import type { MetricName } from '../ask/metric-facts.ts';
import type { View } from '../ask/use-view.ts';

interface IgnoredFiltersProps {
  readonly view: View;
  /** Whose figures the page shows, with what they are called: `issues`. */
  readonly of: readonly (readonly [MetricName, string])[];
}

/** Filters of the reader that some figures of the page cannot follow, in words. */
function ignoredFilters({ view, of }: IgnoredFiltersProps): string {
  return of
    .flatMap(([metric, called]) => {
      const ignored = view.ignoredBy(metric);
      return ignored.length === 0 ? [] : `${called} are not narrowed by ${ignored.join(' and ')}`;
    })
    .join('; ');
}

/** Nothing, or a line above the figures that says what the filters do not reach. */
export function IgnoredFilters(props: IgnoredFiltersProps) {
  const text = ignoredFilters(props);
  return text === '' ? null : <p className="small secondary">With these filters: {text}.</p>;
}
