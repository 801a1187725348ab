import type { ReactNode } from 'react';
import { PageLink } from './page-link.tsx';

/** The page of a person, with the range and filters of this one. */
export function PersonLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return <PageLink to={`/people/${encodeURIComponent(id)}`}>{children}</PageLink>;
}
