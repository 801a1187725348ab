import type { FastifyInstance } from 'fastify';
import { didYouMean, nearest } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { withoutTrailing } from '../trailing-characters.ts';

/** Paths that programs call, with a key and never from a page. */
const programPrefixes = ['/ingest', '/posthook', '/mcp'] as const;
/** Paths that only pages call. */
const pagePrefixes = ['/app'] as const;
/** Everything under these belongs to the interface, so that callers without a key learn nothing about it. */
const interfacePrefixes = [
  '/users',
  '/teams',
  '/metrics',
  '/catalogue',
  '/data-quality',
  '/boards',
  '/goals',
  '/annotations',
  '/alerts',
  '/digests',
] as const;

const isUnder =
  (prefixes: readonly string[]) =>
  (path: string): boolean =>
    prefixes.some(
      (prefix) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
    );

export const isProgramPath = isUnder(programPrefixes);
export const isPagePath = isUnder(pagePrefixes);
export const isInterfacePath = isUnder(interfacePrefixes);

/** Paths that people know from other services. */
const pathWords: Readonly<Record<string, string>> = {
  '/metrics': '/metrics/cycle-time',
  '/health': '/readyz',
  '/healthz': '/readyz',
  '/ping': '/livez',
  '/swagger': '/docs',
  '/swagger.json': '/openapi.json',
  '/api-docs': '/docs',
  '/reference': '/docs',
  '/login': '/sign-in',
};

const maxShown = 200;
const shown = (path: string): string => (path.length > maxShown ? `${path.slice(0, maxShown)}…` : path);

/** In a path that cannot be decoded: every escape but those of ASCII, which are good by themselves. */
const brokenEscape = /%(?![0-7][0-9a-f])/gi;

/**
 * The address in the form that the router takes. `GET http://host/teams` and `OPTIONS *` are good HTTP, and a path with
 * a broken escape is a path that nothing stands at: the router would answer such ones by itself, past every check.
 */
export function routableUrl({ url = '/' }: { readonly url?: string | undefined }): string {
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

/** The address without slashes at the end of its path. */
export function urlWithoutSlash(url: string): string {
  const end = pathEnd(url);
  return withoutTrailing(url.slice(0, end), '/') + url.slice(end);
}

/** A path with names that differ: `/people/:id`, or `/docs/guides/*` with anything at its end. */
interface PathPattern {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  (pattern.at(-1) === '*' ? segments.length >= pattern.length : segments.length === pattern.length) &&
  pattern.every((one, at) => one === '*' || (one.startsWith(':') ? segments[at] !== '' : segments[at] === one));

/** With the longest identifier in it, a path of ours is shorter. Longer paths are not looked at. */
const maxPathLength = 10_100;

/** The paths that the app serves, and what each takes: Fastify calls a wrong method simply not found. */
export class KnownPaths {
  readonly #exact = new Map<string, Set<string>>();
  readonly #patterns = new Map<string, PathPattern>();

  /** Learns every route that is added to the app from now on. */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.#methodsOf(url).add(one);
    });
  }

  /** The refusal of a request that no route takes. */
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
    const meant = this.withoutSlash(path);
    if (meant !== undefined) {
      const sentence = `There is nothing at '${shown(path)}'. Leave out the slash at its end: '${shown(meant)}'.`;
      return new Refusal('not-found', sentence);
    }
    // Comparing is quadratic in the length: a very long path is no slip of the hand.
    const hint = path.length > maxShown ? '' : this.#hint(path);
    return new Refusal('not-found', `There is nothing at '${shown(path)}'.${hint}`);
  }

  /** The path without slashes at its end, where that is one that the app serves. */
  withoutSlash(path: string): string | undefined {
    if (path.length > maxPathLength) return undefined;
    const meant = withoutTrailing(path, '/');
    return meant !== path && /^\/(?!\/)/.test(meant) && this.allowed(meant) ? meant : undefined;
  }

  #hint(path: string): string {
    const elsewhere = Object.hasOwn(pathWords, path) ? pathWords[path] : undefined;
    const meant = elsewhere ?? this.#withoutPrefix(path) ?? this.#underKnownPrefix(path);
    if (meant !== undefined) return ` Did you mean '${meant}'?`;
    return didYouMean(path, this.#exact.keys()) || ' The page /docs lists what there is.';
  }

  /** The path without `/api` or `/v1` before it. */
  #withoutPrefix(path: string): string | undefined {
    const rest = path.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/)/, '');
    return rest !== path && this.allowed(rest) ? rest : undefined;
  }

  /** The path with its first word spelled as an interface of ours begins: `/metric/cycle-time`. */
  #underKnownPrefix(path: string): string | undefined {
    const [, first = '', rest] = /^(\/[^/]+)(\/.+)$/.exec(path) ?? [];
    const [near] = nearest(first, interfacePrefixes);
    return rest !== undefined && near !== undefined && near !== first && this.allowed(near + rest)
      ? near + rest
      : undefined;
  }

  /** The methods that the path takes, or nothing when there is no such path. */
  allowed(path: string): readonly string[] | undefined {
    if (path.length > maxPathLength) return undefined;
    const segments = path.split('/');
    const methods =
      this.#exact.get(path) ?? [...this.#patterns.values()].find((known) => matches(known.segments, segments))?.methods;
    return methods && [...methods].sort();
  }

  #methodsOf(url: string): Set<string> {
    if (!/[:*]/.test(url)) {
      const known = this.#exact.get(url) ?? new Set<string>();
      this.#exact.set(url, known);
      return known;
    }
    const known = this.#patterns.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    this.#patterns.set(url, known);
    return known.methods;
  }
}
