import { usePathname } from 'wouter/use-browser-location';

/** The id at the end of an address such as `/pull-requests/:id`. The router decodes only part of it. */
function idIn(pathname: string): string {
  const last = pathname.replace(/\/$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

export const useIdInPath = (): string => idIn(usePathname());
