import { lazy, Suspense } from 'react';
import type { View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';

const Choices = lazy(() => import('./filter-choices.tsx'));

interface FilterMenuProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
}

/** What a menu of a filter shows. It is loaded when the first one is opened. */
export const FilterChoices = (props: FilterMenuProps) => (
  <Suspense fallback={<div className="skeleton menu-waiting" />}>
    <Choices {...props} />
  </Suspense>
);
