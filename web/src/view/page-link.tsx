import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useView } from '../ask/use-view.ts';
import { linkTo } from '../ask/view-state.ts';

interface PageLinkProps {
  readonly to: string;
  /** Choices of the page that the link opens, such as one of its parts. */
  readonly own?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to another page with the range, comparison and filters of this one. */
export function PageLink({ to, own, className, children }: PageLinkProps) {
  const { state } = useView();
  return (
    <Link className={className} href={linkTo(to, state, own)}>
      {children}
    </Link>
  );
}
