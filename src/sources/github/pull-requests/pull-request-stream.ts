import { GraphqlMissing, TooMuchAtOnce } from '../../host-port.ts';
import { linkOf } from '../../http/host-connections.ts';
import type { NotSeen } from '../../not-seen.ts';
import { itemsOf, secondsOf } from '../../paging.ts';
import { orUnknown, Payload, UnknownShape } from '../../payload.ts';
import type { Page, SourceMemory, Stream, StreamPosition } from '../../source.ts';
import type { GithubApi } from '../api.ts';
import { convertFamilies, type PullRequestFamily } from '../convert/pull-request.ts';
import type { Repository } from '../convert/repository.ts';
import {
  asJson,
  type ReadRange,
  rangeIn,
  rangeOf,
  repositoryStream,
  type StreamMark,
} from '../streams/repository-stream.ts';
import { readByGraphql, readNumbersByGraphql } from './read-by-graphql.ts';
import { readOneByRest } from './read-by-rest.ts';

/** Where a page begins: a cursor of GraphQL, or the address of a page of REST. */
type PullRequestPosition = ReadRange & { readonly total?: number } & (
    | { readonly via: 'graphql'; readonly after?: string }
    | { readonly via: 'rest'; readonly page: string }
  );

/** A page of pull requests, those that changed last first. */
interface Found {
  readonly families: readonly (PullRequestFamily | UnknownShape)[];
  readonly count: number;
  readonly total?: number;
  readonly at: number;
  /** When the last of them changed. */
  readonly oldest?: string;
  readonly next?: PullRequestPosition;
}

/** GitHub's replicas are seconds behind; events of a merge may arrive minutes later. */
const rereadSeconds = 3_600;
/** Each costs half a dozen requests by REST. */
const restPageSize = 20;

/**
 * Pull requests with all that belongs to them. A conditional request tells whether anything is new; then GraphQL brings
 * many at once, or REST one after the other where the host's GraphQL is missing or too old.
 */
export const pullRequestStream = (api: GithubApi, repository: Repository, pageSize: PageSize): Stream =>
  repositoryStream(repository, {
    key: 'pull_requests',
    name: 'pull requests',
    feeds: [
      'pull_requests',
      'pull_request_reviews',
      'pull_request_comments',
      'pull_request_commits',
      'pull_request_events',
    ],
    rereadSeconds,
    read: (position) => new PullRequestReader(api, repository, pageSize).read(position),
  });

class PullRequestReader {
  readonly #api: GithubApi;
  readonly #repository: Repository;
  readonly #pageSize: PageSize;

  constructor(api: GithubApi, repository: Repository, pageSize: PageSize) {
    this.#api = api;
    this.#repository = repository;
    this.#pageSize = pageSize;
  }

  read(position: StreamPosition): Promise<Page> {
    return position.next === undefined
      ? this.#readFirst(position)
      : this.#readAt(position.next as unknown as PullRequestPosition);
  }

  async #readFirst(position: StreamPosition): Promise<Page> {
    const { mark: last, ...range } = rangeOf(this.#repository, position);
    const answer = await this.#api.get(this.#listPath, {
      query: { ...byUpdate, per_page: 1 },
      ...(last?.etag && { etag: last.etag }),
    });
    if (answer.isUnchanged)
      return { records: [], count: 0, at: answer.at, mark: asJson({ ...last }), isUnchanged: true };
    const newest = newestOf(answer.body);
    const mark: StreamMark = {
      repository: this.#repository.name,
      at: answer.at,
      ...(answer.etag && { etag: answer.etag }),
      ...(newest && { newest }),
    };
    const nothing = { records: [], count: 0, at: answer.at, mark: asJson(mark) };
    if (newest === undefined) return { ...nothing, total: 0 };
    // The newest pull request's payload changes with stars and pushes, and its ETag with it.
    if (newest === last?.newest) return { ...nothing, isUnchanged: true };
    const total = lastPageOf(answer.headers.link);
    return { ...(await this.#readAt({ ...range, via: 'graphql', ...(total && { total }) })), mark: asJson(mark) };
  }

  async #readAt(position: PullRequestPosition): Promise<Page> {
    const { families, oldest, next, ...page } = await this.#find(position);
    const known = families.flatMap((family) => (family instanceof UnknownShape ? [] : [family]));
    const { records, problems } = convertFamilies(this.#repository, known);
    const unknown = families.flatMap((family) => (family instanceof UnknownShape ? [family.message] : []));
    const isPast = oldest !== undefined && secondsOf(oldest) < (position.downTo ?? 0);
    return {
      ...page,
      records,
      ...(oldest && !position.isWhole && { reachedDownTo: secondsOf(oldest) }),
      ...(next && !isPast && { next: asJson(next) }),
      ...(known.some(({ areCommitsCut }) => areCommitsCut) && { notSeen: [cutCommits] }),
      ...(problems.length + unknown.length > 0 && { problems: [...problems, ...unknown] }),
    };
  }

  async #find(position: PullRequestPosition): Promise<Found> {
    if (position.via === 'graphql' && this.#api.hasGraphqlFor('pull requests')) {
      try {
        return await this.#findByGraphql(position);
      } catch (error) {
        if (!(error instanceof GraphqlMissing)) throw error;
        this.#api.noteMissing('pull requests', error);
      }
    }
    // A cursor says nothing to REST, which begins again: what is read twice is written once.
    return this.#findByRest(position, position.via === 'rest' ? position.page : undefined);
  }

  async #findByGraphql({ after, ...position }: PullRequestPosition & { readonly via: 'graphql' }): Promise<Found> {
    const size = await this.#pageSize.get(this.#repository);
    const from = { size, ...(after && { after }) };
    try {
      const page = await readByGraphql(this.#api, this.#repository.name, from);
      await this.#pageSize.noteSuccess(this.#repository);
      const wanted = page.items.filter((item) => isWanted(item, position));
      return {
        families: wanted.map(({ family }) => family),
        ...this.#pageOf(page, { ...position, ...(page.after && { after: page.after }) }),
      };
    } catch (error) {
      if (!(error instanceof TooMuchAtOnce)) throw error;
      if (size === 1) return this.#findOneByOne(position, from);
      await this.#pageSize.halve(this.#repository);
      return this.#findByGraphql({ ...position, ...(after && { after }) });
    }
  }

  /** A pull request that by itself takes GraphQL too long is read by REST, part after part. */
  async #findOneByOne(
    position: PullRequestPosition & { readonly via: 'graphql' },
    from: { size: number; after?: string },
  ) {
    const page = await readNumbersByGraphql(this.#api, this.#repository.name, from).catch(async (error: unknown) => {
      // Numbers alone take no host too long: it is out of order, whatever it is asked.
      if (error instanceof TooMuchAtOnce) await this.#pageSize.forget(this.#repository);
      throw error;
    });
    const wanted = page.items.filter((item) => isWanted(item, position));
    const families = await this.#readEach(wanted.map(({ number }) => number));
    return { families, ...this.#pageOf(page, { ...position, ...(page.after && { after: page.after }) }) };
  }

  #pageOf(
    page: { items: readonly { updatedAt: string }[]; total: number; after?: string; at: number },
    next: PullRequestPosition,
  ): Omit<Found, 'families'> {
    const oldest = page.items.at(-1)?.updatedAt;
    return {
      count: page.items.length,
      total: page.total,
      at: page.at,
      ...(oldest && { oldest }),
      ...(page.after && { next }),
    };
  }

  async #findByRest({ total, ...position }: PullRequestPosition, page: string | undefined): Promise<Found> {
    const range = rangeIn(position);
    const answer = await (page === undefined
      ? this.#api.get(this.#listPath, { query: { ...byUpdate, per_page: restPageSize } })
      : this.#api.get(page));
    const pulls = itemsOf(answer.body).map((item) => Payload.of(item, 'pull request'));
    const items = pulls.map((pull) => ({ number: pull.integer('number'), updatedAt: pull.time('updated_at') }));
    const wanted = items.filter((item) => isWanted(item, range));
    const oldest = items.at(-1)?.updatedAt;
    return {
      families: await this.#readEach(wanted.map(({ number }) => number)),
      count: items.length,
      at: answer.at,
      ...(total && { total }),
      ...(oldest && { oldest }),
      ...(answer.nextPage && {
        next: { ...range, ...(total && { total }), via: 'rest', page: answer.nextPage },
      }),
    };
  }

  /** One after the other: the parts of each are asked for at the same time. */
  async #readEach(numbers: readonly number[]): Promise<(PullRequestFamily | UnknownShape)[]> {
    const families: (PullRequestFamily | UnknownShape)[] = [];
    for (const number of numbers) {
      const found = await orUnknown(() => readOneByRest(this.#api, this.#repository.name, number));
      const family = found instanceof UnknownShape ? found : found.family;
      if (family) families.push(family);
    }
    return families;
  }

  get #listPath(): string {
    return `/repos/${this.#repository.name}/pulls`;
  }
}

const cutCommits: NotSeen = {
  why: 'cut',
  what: 'Commits of a pull request behind its first 250, or of one that is too large to compare, are not listed by REST',
};

const byUpdate = { state: 'all', sort: 'updated', direction: 'desc' };

const isWanted = ({ updatedAt }: { updatedAt: string }, { downTo = 0 }: ReadRange): boolean =>
  secondsOf(updatedAt) >= downTo;

function newestOf(body: unknown): string | undefined {
  const [newest] = itemsOf(body).map((item) => Payload.of(item, 'pull request'));
  return newest && `${newest.integer('number')} ${newest.time('updated_at')}`;
}

/** With one on each page, the number of the last page is how many there are. */
const lastPageOf = (link: string | undefined): number | undefined => {
  const [, page] = /[?&]page=(\d+)/.exec(linkOf(link, 'last') ?? '') ?? [];
  return page === undefined ? undefined : Number(page);
};

/** Pull requests that are asked for at once, with all that belongs to them. */
const usual = 25;
/** Pages that go well before a larger one is tried again: what took too long may have been an outage. */
const growsAfter = 10;

/** How many pull requests of a repository GraphQL can answer at once, found out by asking and remembered. */
export class PageSize {
  readonly #memory: SourceMemory | undefined;
  readonly #known = new Map<string, number>();
  readonly #wentWell = new Map<string, number>();

  constructor(memory: SourceMemory | undefined) {
    this.#memory = memory;
  }

  async get(repository: Repository): Promise<number> {
    const known = this.#known.get(repository.id) ?? (await this.#memory?.get(keyOf(repository)));
    return typeof known === 'number' ? known : usual;
  }

  async halve(repository: Repository): Promise<void> {
    await this.#remember(repository, Math.max(1, Math.floor((await this.get(repository)) / 2)));
  }

  async noteSuccess(repository: Repository): Promise<void> {
    const size = await this.get(repository);
    if (size >= usual) return;
    const wentWell = (this.#wentWell.get(repository.id) ?? 0) + 1;
    this.#wentWell.set(repository.id, wentWell);
    if (wentWell >= growsAfter) await this.#remember(repository, Math.min(usual, size * 2));
  }

  /** These facts say nothing about the repository. */
  async forget(repository: Repository): Promise<void> {
    await this.#remember(repository, usual);
  }

  async #remember(repository: Repository, size: number): Promise<void> {
    this.#wentWell.delete(repository.id);
    this.#known.set(repository.id, size);
    await this.#memory?.set(keyOf(repository), size);
  }
}

const keyOf = ({ id }: Repository): string => `pull_request_page_size@${id}`;
