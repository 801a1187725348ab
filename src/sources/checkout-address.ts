import { type CodeHostName, codeHosts } from '../catalogue/record-ids.ts';

/** A repository by the address that its code is checked out from. */
interface CheckedOut {
  /** As its code host calls it: `acme/web`. */
  readonly repository: string;
  /** Undefined on a server of one's own, of which nothing says which kind it is. */
  readonly host: CodeHostName | undefined;
}

/**
 * Reads an address such as `https://github.com/acme/web`, `git@github.com:acme/web.git` or `ssh://git@github.com/acme/web`.
 * Undefined where it names no repository.
 */
export function checkedOutFrom(address: string): CheckedOut | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [account = '', path = ''] = url?.host ? [url.hostname, url.pathname] : splitAt(address, ':');
  const repository = withoutEnd(path.split('/').filter(Boolean).join('/'), '.git');
  if (!repository.includes('/')) return undefined;
  const host = account.slice(account.indexOf('@') + 1).toLowerCase();
  return { repository, host: codeHosts.find((name) => host === `${name}.com` || host === `${name}.org`) };
}

function splitAt(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at < 0 ? ['', ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

const withoutEnd = (text: string, end: string): string => (text.endsWith(end) ? text.slice(0, -end.length) : text);
