import { SourceProblem } from '../source.ts';

/** The meaning of a refusing status for the owner. The answer's own words are not repeated. */
export function problemOf(status: number, host: string): SourceProblem {
  switch (status) {
    case 400:
      return new SourceProblem(
        `${host} does not understand a request (400)`,
        'See that base_url is the address of its API.',
      );
    case 401:
      return new SourceProblem(
        `${host} does not accept the token (401)`,
        'The token may have expired or been revoked: make a new one and set it.',
        { isRefused: true },
      );
    case 403:
      return new SourceProblem(
        `The token may not read this at ${host} (403)`,
        'Give it the missing scope or access, or approve it for the organisation. plumb source check says what is missing.',
        { isRefused: true },
      );
    case 404:
      return new SourceProblem(
        `${host} does not find this, or does not show it to the token (404)`,
        'See that the name is right, and that the token may read it. What was read before is kept.',
        { isRefused: true },
      );
    case 410:
    case 451:
      return new SourceProblem(
        `${host} does not have this any more (${status})`,
        'What was read before is kept. Leave it out of the source if it is gone for good.',
        { isRefused: true },
      );
    case 422:
      return new SourceProblem(
        `${host} refuses a request as it was asked (422)`,
        'See that the settings name what there is, such as the organisation and its repositories.',
      );
    default:
      return new SourceProblem(
        `${host} answered with status ${status}`,
        'See that base_url is the address of its API, and not of a proxy or a page.',
      );
  }
}

/** The last of several tries failed as those before it. */
export function unavailable(host: string, status: number | undefined): SourceProblem {
  const how =
    status === undefined ? 'could not be reached, or broke its answers off' : `answered with status ${status}`;
  return new SourceProblem(
    `${host} ${how}, several times`,
    'It is tried again with the next sync. If it stays like this, see whether the host is up and reachable from here.',
    { mayPass: true },
  );
}

export const limitedForLong = (host: string): SourceProblem =>
  new SourceProblem(
    `${host} refused because of its rate limit, several times`,
    'It is tried again with the next sync. If it stays like this, see which other tools use the same account.',
    { mayPass: true },
  );

/** Of a token that the host has issued itself. */
export const tokenRefused = (host: string): SourceProblem =>
  new SourceProblem(
    `${host} does not accept the token that it has issued, several times`,
    'It is tried again with the next sync. If it stays like this, see whether the app is still installed, and not suspended.',
    { mayPass: true },
  );

export const unreadable = (host: string): SourceProblem =>
  new SourceProblem(
    `${host} answered with something that is not JSON, several times`,
    'See that base_url is the address of its API, and not of a proxy or a sign-in page.',
    { mayPass: true },
  );

export const leadingInCircle = (host: string): SourceProblem =>
  new SourceProblem(
    `The pages of ${host} lead in a circle`,
    'It is read again with the next sync. If it stays like this, ask the administrator of that host, or of a proxy in front of it.',
    { mayPass: true },
  );

/** Where a redirect would take along what only the source's own host may see. */
export const leadingAway = (host: string): SourceProblem =>
  new SourceProblem(
    `${host} leads a question to another host`,
    'See that base_url is the address of its API. Ask the administrator of that host, or of a proxy in front of it.',
  );

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/** How often one request is tried. */
export const maxTries = 6;

const defaultBudget = 10;
/** Each request that went well earns a share of a try: a long read may meet more failures than a short one. */
const earnedByOne = 0.1;

/** Retries that a stream may use. A provider that is down is not asked ten times as often as one that is well. */
export class RetryBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number = defaultBudget) {
    this.#max = max;
    this.#left = max;
  }

  /** Whether one more retry is allowed. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  earn(): void {
    this.#left = Math.min(this.#max, this.#left + earnedByOne);
  }
}

/** A random part of a pause that doubles with each try, so that those who failed together do not come back together. */
export const pauseMs = (tries: number, random: () => number): number =>
  Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1)) * (0.5 + random() / 2);

/** The meaning of the `errors` of an answer with status 200. */
type GraphqlFailure = 'limited' | 'too-much' | 'too-long' | 'missing' | 'forbidden' | 'broken';

const meanings: readonly (readonly [RegExp, GraphqlFailure])[] = [
  [/^RATE_?LIMITED$/, 'limited'],
  [/^(MAX_NODE_LIMIT_EXCEEDED|RESOURCE_LIMITS_EXCEEDED)$/, 'too-much'],
  [/^(undefinedField|undefinedType|argumentNotAccepted|selectionMismatch)$/, 'missing'],
  [/^(FORBIDDEN|INSUFFICIENT_SCOPES)$/, 'forbidden'],
];

/** An object that is gone is null in the data, which is an answer. */
const harmless = /^NOT_FOUND$/;

/** The worst of the errors, if any matters. One without a type says that a query took the provider too long. */
export function failureOf(body: unknown): GraphqlFailure | undefined {
  if (typeof body !== 'object' || body === null) return 'broken';
  const { data, errors = [] } = body as { readonly data?: unknown; readonly errors?: unknown };
  if (!Array.isArray(errors)) return 'broken';
  const types = errors.map(typeOf).filter((type) => type === undefined || !harmless.test(type));
  for (const [pattern, failure] of meanings) {
    if (types.some((type) => type !== undefined && pattern.test(type))) return failure;
  }
  if (types.length > 0) return types.includes(undefined) ? 'too-long' : 'broken';
  return data === undefined || (data === null && errors.length === 0) ? 'broken' : undefined;
}

function typeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { type, extensions } = error as { readonly type?: unknown; readonly extensions?: { readonly code?: unknown } };
  const named = type ?? extensions?.code;
  return typeof named === 'string' ? named : undefined;
}
