import type { FastifyInstance } from 'fastify';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';

/** What programs send records to. */
const ingestPrefixes = ['/ingest', '/posthook'] as const;
/** What pages do beyond the interface. */
const pagePrefixes = ['/app'] as const;
/** Everything under these belongs to the interface, so that whoever has no key learns nothing about it. */
const interfacePrefixes = ['/users', '/teams', '/metrics', '/catalogue', '/data-quality'] as const;

const isUnder =
  (prefixes: readonly string[]) =>
  (path: string): boolean =>
    prefixes.some(
      (prefix) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
    );

export const isIngestPath = isUnder(ingestPrefixes);
export const isPagePath = isUnder(pagePrefixes);
export const isInterfacePath = isUnder(interfacePrefixes);

const shownMost = 200;
const shown = (path: string): string => (path.length > shownMost ? `${path.slice(0, shownMost)}…` : path);

/** In a path that cannot be decoded: every escape but those of ASCII, which are good by themselves. */
const brokenEscape = /%(?![0-7][0-9a-f])/gi;

/**
 * The address in the form that the router takes. `GET http://host/teams` and `OPTIONS *` are good HTTP, and a path with
 * a broken escape is a path that nothing stands at: the router would answer such ones by itself, past every check.
 */
export function routableUrl(url: string): string {
  if (url.charCodeAt(0) === 47 && !url.includes('%')) return url;
  const rooted = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const local = rooted.startsWith('/') ? rooted : `/${rooted}`;
  const end = pathEnd(local);
  const path = local.slice(0, end);
  return isDecodable(path) ? local : path.replace(brokenEscape, '%25') + local.slice(end);
}

/** The path of a routable address, as a person would write it. */
export const readablePath = (url: string): string => decodeURIComponent(url.slice(0, pathEnd(url)));

function pathEnd(url: string): number {
  const end = url.search(/[?#]/);
  return end === -1 ? url.length : end;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

interface Pattern {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

/** The paths that the app serves, and what each takes: Fastify calls a wrong method simply not found. */
export class KnownPaths {
  readonly #exact = new Map<string, Set<string>>();
  readonly #patterns = new Map<string, Pattern>();

  /** Learns every route that is added to the app from now on. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.#methodsOf(url).add(one);
    });
  }

  /** What is wrong with a request that no route takes. */
  refusal(method: string, path: string): Refusal {
    const allow = this.allowed(path);
    if (allow) {
      return new Refusal(
        'method-not-allowed',
        `'${shown(path)}' does not take ${method}. It takes ${allow.join(', ')}.`,
        {
          allow,
        },
      );
    }
    return this.missing(path);
  }

  missing(path: string): Refusal {
    // Comparing is quadratic in the length: a very long path is no slip of the hand.
    const hint = path.length > shownMost ? '' : didYouMean(path, this.#exact.keys());
    return new Refusal('not-found', `There is nothing at '${shown(path)}'.${hint}`);
  }

  /** The methods that the path takes, or nothing when there is no such path. */
  allowed(path: string): readonly string[] | undefined {
    const methods =
      this.#exact.get(path) ?? [...this.#patterns.values()].find(({ matches }) => matches.test(path))?.methods;
    return methods && [...methods].sort();
  }

  #methodsOf(url: string): Set<string> {
    if (!/[:*]/.test(url)) {
      const known = this.#exact.get(url) ?? new Set<string>();
      this.#exact.set(url, known);
      return known;
    }
    const source = url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*/g, '.*');
    const known = this.#patterns.get(url) ?? { matches: new RegExp(`^${source}$`, 's'), methods: new Set<string>() };
    this.#patterns.set(url, known);
    return known.methods;
  }
}
