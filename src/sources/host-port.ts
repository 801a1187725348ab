import type { Json } from '../catalogue/record.ts';

/**
 * The requests that a source may send to its host. Every answer that comes back is good: limits, outages and cut
 * answers are dealt with.
 */
export interface Requests {
  /** GET of a path below `base_url` (`/repos/acme/web/pulls`), or of an address that an answer gave. */
  get(path: string, asking?: Asking): Promise<Answer>;
  /** POST of JSON that asks and changes nothing, such as a search: it is sent again where a GET would be. */
  post(path: string, body: Json, asking?: Asking): Promise<Answer>;
  /**
   * POST of JSON, for GraphQL: at the `graphqlPath` of the kind; else `base_url` + `/graphql`, or `/api/graphql` where
   * `base_url` ends in `/api/v3`.
   */
  graphql(query: string, variables: Readonly<Record<string, Json>>, asking?: GraphqlAsking): Promise<GraphqlAnswer>;
}

export interface GraphqlAsking {
  /** Nothing smaller can be asked for: what takes too long is tried again like any outage, and is no `TooMuchAtOnce`. */
  readonly isSmallest?: true;
}

export type AddressQuery = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface Asking {
  /** A list stands in the address once for each of its values. */
  readonly query?: AddressQuery;
  readonly headers?: Readonly<Record<string, string>>;
  /** An ETag: the answer is `isUnchanged` where it is still true. */
  readonly etag?: string;
  /** The token stays at home: for links to report files on other hosts. */
  readonly isAnonymous?: true;
  /** The body as it came, whatever the answer calls it: for report files, which have a JSON document on each line. */
  readonly asText?: true;
  /** Statuses that are answers, such as 404 for something that may be gone. Every other failure is a `SourceProblem`. */
  readonly alsoGood?: readonly number[];
}

export interface Answer {
  readonly status: number;
  /** JSON where the answer says that it is some, text elsewhere, null where there is none. */
  readonly body: unknown;
  readonly isUnchanged: boolean;
  readonly etag?: string;
  /** Of the Link header: asked at `base_url` by path and query. */
  readonly nextPage?: string;
  /** Where a permanent redirect has led, by path: a repository was renamed. */
  readonly movedTo?: string;
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface GraphqlAnswer {
  readonly data: Json;
  readonly at: number;
}

/** A GraphQL answer that a smaller page may avoid: it took the provider too long. */
export class TooMuchAtOnce extends Error {}

/** The host has no GraphQL, or not all of the fields of this query: the same has to be asked by REST. */
export class GraphqlMissing extends Error {
  /** Whether no other query would be answered either. */
  readonly isWhole: boolean;

  constructor(message: string, { isWhole }: { readonly isWhole: boolean }) {
    super(message);
    this.isWhole = isWhole;
  }
}
