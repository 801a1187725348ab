import type { Answer, Asking, GraphqlAnswer, Requests } from '../host-port.ts';
import { GraphqlMissing, TooMuchAtOnce } from '../host-port.ts';
import { type ItemList, readLinked } from '../paging.ts';
import { SourceProblem } from '../source.ts';

/** Items of a list that are asked for at once. GitLab gives no more. */
export const maxPageSize = 100;

/** Gone, or hidden from the token: GitLab says 404 for both, and 403 for a feature that it has not. */
export const unseen = [403, 404];

/** GitLab's interface below `base_url`. */
export class GitlabApi {
  readonly #requests: Requests;
  #hasGraphql = true;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  get(path: string, asking: Asking = {}): Promise<Answer> {
    // A page that leads on says its address whole.
    return this.#requests.get(path.startsWith(root) ? path : `${root}${path}`, asking);
  }

  /** Every item of a list. Undefined where the answer is one of `alsoGood`. */
  list(path: string, asking: Asking = {}): Promise<ItemList | undefined> {
    return readLinked(this, path, { ...asking, query: { per_page: maxPageSize, ...asking.query } });
  }

  /** Undefined where the host has no GraphQL or not these fields, refuses it to the token, or takes too long. */
  async graphql(query: string, variables: Parameters<Requests['graphql']>[1]): Promise<GraphqlAnswer | undefined> {
    if (!this.#hasGraphql) return undefined;
    try {
      return await this.#requests.graphql(query, variables);
    } catch (error) {
      if (error instanceof TooMuchAtOnce) return undefined;
      const isRefused = error instanceof SourceProblem && !error.mayPass;
      if (!isRefused && !(error instanceof GraphqlMissing)) throw error;
      this.#hasGraphql = false;
      return undefined;
    }
  }
}

const root = '/api/v4';

/** A path of a group or a project as one part of an address; its number as it is. */
export const asPart = (pathOrNumber: string): string => encodeURIComponent(pathOrNumber);
