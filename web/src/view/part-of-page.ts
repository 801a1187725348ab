import { useEffect, useRef } from 'react';

/** A title as it stands in an address or names a file: `Deployments per week` → `deployments-per-week`. */
export const nameInAddress = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A part of a page that links can lead to: what it is called in addresses, and the element, which is scrolled to. */
export function usePartOfPage<E extends HTMLElement>(title: string) {
  const element = useRef<E>(null);
  // A title without Latin letters has no name there.
  const id = nameInAddress(title) || undefined;
  useEffect(() => {
    if (id && location.hash === `#${id}`) element.current?.scrollIntoView();
  }, [id]);
  return { id, element };
}
