import { Refusal } from '../../refusal.ts';

/** What was sent under one name. */
export interface SentParameter {
  readonly values: readonly string[];
  /** Sent once, as `name=…`: commas separate values. `name[]=…` and repeated ones are taken whole. */
  readonly isOnce: boolean;
  /** Never as `name[]=…`. */
  readonly isPlain: boolean;
}

/** The parameters of an address by name, without `[]`, in the order in which they were sent. */
export function readQueryString(url: string): ReadonlyMap<string, SentParameter> {
  const start = url.indexOf('?');
  const sent = new Map<string, SentParameter>();
  if (start === -1) return sent;
  if (holdsKey(url)) throw keyInAddress;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const middle = pair.indexOf('=');
    const written = decoded(middle === -1 ? pair : pair.slice(0, middle));
    const value = middle === -1 ? '' : decoded(pair.slice(middle + 1));
    const name = written.replace(/\[\]$/, '');
    const before = sent.get(name);
    const isPlain = name === written;
    sent.set(name, {
      values: [...(before?.values ?? []), value],
      isOnce: !before && isPlain,
      isPlain: isPlain && before?.isPlain !== false,
    });
  }
  return sent;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(
      'bad-input',
      'The query of the address has a % that two hexadecimal digits of UTF-8 do not follow. Write % itself as %25.',
    );
  }
}

/** Shorter ones are no secrets of ours, and a repository may be called plumb_core. */
const secretInside = /plumb(?:session|signin)?_[0-9A-Za-z]{12}/;

/** Where the key belongs, for callers who write it into an address: proxies and browsers keep addresses. */
const whereKeysGo =
  'An API key must not be in the address, where proxies and browsers keep it: send it in the header Authorization. ' +
  'Make a new key in place of this one.';

export const keyInAddress = new Refusal('bad-input', whereKeysGo);
export const onlyKeyInAddress = new Refusal('unauthenticated', whereKeysGo);

/** Whether the query of an address holds something that looks like a key, also where the rest of it cannot be read. */
export function holdsKey(url: string): boolean {
  const start = url.indexOf('?');
  return start !== -1 && secretInside.test(url.slice(start).replace(/%[0-7][0-9a-f]/gi, decodeURIComponent));
}
