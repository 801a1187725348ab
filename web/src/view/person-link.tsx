import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { linkTo, useView } from '../ask/use-view.ts';

/** The page of somebody, with the range and filters of this one. */
export function PersonLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return <Link href={linkTo(`/people/${encodeURIComponent(id)}`, useView().state)}>{children}</Link>;
}
