import { useEffect, useRef } from 'react';

/** A title as it stands in an address or names a file: `Deployments per week` → `deployments-per-week`. */
export const nameInAddress = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A part of a page that a link can open: its name in addresses, and its element, which is scrolled into view. */
export function usePartOfPage<E extends HTMLElement>(title: string) {
  const element = useRef<E>(null);
  // A title without Latin letters gives no name for an address.
  const id = nameInAddress(title) || undefined;
  useEffect(() => {
    if (id && location.hash === `#${id}`) element.current?.scrollIntoView();
  }, [id]);
  return { id, element };
}
