import type { FirstNameOf } from '../catalogue/record-ids.ts';
import { keyOf } from '../text-comparison.ts';

interface NamedRepository {
  readonly name: string;
  readonly earlier_names: string | null;
}

/**
 * The names of repositories, on each code host: the one that ids are made of, and the one of today. A name that a
 * repository has today is that repository's, also where another one had it before.
 */
export class EarlierNames {
  /** By host and name. */
  readonly #first = new Map<string, string>();
  readonly #present = new Map<string, string>();

  constructor(repositories: readonly NamedRepository[]) {
    const named = repositories.map(({ name, earlier_names: json }) => ({ name, earlier: earlierNamesIn(json) }));
    // The names of today come last, so that they win.
    for (const { name, earlier } of named) for (const each of earlier) this.#learn(each.host, each.name, name, earlier);
    for (const { name, earlier } of named) for (const { host } of earlier) this.#learn(host, name, name, earlier);
  }

  readonly firstNameOf: FirstNameOf = (host, name) => this.#first.get(keyOfName(host, name)) ?? name;

  presentNameOf(host: string, name: string): string {
    return this.#present.get(keyOfName(host, name)) ?? name;
  }

  #learn(host: string, known: string, present: string, earlier: readonly HostName[]): void {
    this.#first.set(keyOfName(host, known), firstOn(host, earlier) ?? present);
    this.#present.set(keyOfName(host, known), present);
  }
}

export interface HostName {
  readonly host: string;
  readonly name: string;
}

/** `github:acme/web`; undefined for anything else. */
export function readHostName(text: string): HostName | undefined {
  const [, host, name] = /^([a-z][a-z\d-]*):([^\s/]+(?:\/[^\s/]+)+)$/i.exec(text.trim()) ?? [];
  return host === undefined || name === undefined ? undefined : { host: host.toLowerCase(), name };
}

export const earlierNamesIn = (json: string | null): HostName[] =>
  (JSON.parse(json ?? '[]') as readonly string[]).flatMap((text) => readHostName(text) ?? []);

/** Each once, in the order in which they first come. */
export function earlierNamesText(names: readonly HostName[]): string | null {
  const distinct = new Map<string, string>();
  for (const { host, name } of names) {
    const key = keyOfName(host, name);
    if (!distinct.has(key)) distinct.set(key, `${host}:${name}`);
  }
  return distinct.size === 0 ? null : JSON.stringify([...distinct.values()]);
}

/** The name that ids are made of, where a repository had any other than today's. */
export const firstOn = (host: string, earlier: readonly HostName[]): string | undefined =>
  earlier.find((each) => each.host === host)?.name;

/** How a name on a host is matched. */
export const keyOfName = (host: string, name: string): string => keyOf(`${host}:${name}`);
