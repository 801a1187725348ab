import type { Json } from '../../catalogue/record.ts';
import type { NotSeen } from '../not-seen.ts';
import type { Page, SourceRecords, Stream, StreamPosition } from '../source.ts';
import type { Branch, Clone } from './clone.ts';
import {
  type CloneNaming,
  type GitPullRequest,
  isMerge,
  pullRequestRecords,
  releaseRecords,
  repositoryRecords,
} from './convert.ts';
import { type LoggedCommit, pullRequestIn } from './log.ts';
import type { GitSettings } from './settings.ts';

/** Commits of the first-parent line on a page, and all commits that they may bring along. */
const maxLineCommits = 100;
const maxCommits = 5_000;
const maxTags = 1_000;

interface CloneReading {
  readonly clone: Clone;
  readonly settings: GitSettings;
  readonly naming: CloneNaming;
  readonly notSeen: readonly NotSeen[];
  readonly maxLineCommits?: number;
  readonly maxCommits?: number;
}

/**
 * Where the next page begins. Times say nothing about what is new in a clone, since a branch arrives when it is fetched;
 * commits do, and so the line is read down to the commit that was its tip when it was read last.
 */
interface LinePosition {
  readonly commit: string;
  readonly below?: string;
}

export function pullRequestStream(reading: CloneReading): Stream {
  const { repository } = reading.settings;
  return {
    id: `pull_requests@${repository}`,
    name: 'pull requests',
    feeds: ['pull_requests', 'pull_request_commits'],
    scope: repository,
    notSeen: reading.notSeen,
    read: (from) => new LineReading(reading, from).page(),
  };
}

class LineReading {
  readonly #clone: Clone;
  readonly #settings: GitSettings;
  readonly #naming: CloneNaming;
  readonly #from: StreamPosition;
  readonly #maxLineCommits: number;
  readonly #maxCommits: number;

  constructor(reading: CloneReading, from: StreamPosition) {
    this.#clone = reading.clone;
    this.#settings = reading.settings;
    this.#naming = reading.naming;
    this.#from = from;
    this.#maxLineCommits = reading.maxLineCommits ?? maxLineCommits;
    this.#maxCommits = reading.maxCommits ?? maxCommits;
  }

  async page(): Promise<Page> {
    const branch = await this.#clone.branch();
    const position = await this.#position(branch);
    const isFirst = this.#from.next === undefined;
    const mark = isFirst ? { mark: { tip: branch.tip, branch: branch.name } } : {};
    const at = nowSeconds();
    if (position === 'unchanged') return { records: [], count: 0, at, ...mark, isUnchanged: true };

    const wanted = await this.#clone.line(position.commit, { count: this.#maxLineCommits, below: position.below });
    const { line, brought, isCut } = await this.#withCommits(wanted);
    const merged = await this.#merged(line, brought, position.below);
    const { records, problems } = pullRequestRecords(merged, { ...this.#naming, branch: branch.name });
    const unsized = merged.flatMap(({ merge, commits }) =>
      [merge, ...commits].flatMap(({ sha, files }) => (files === undefined ? [sha] : [])),
    );
    const aboutRepository: readonly SourceRecords[] = isFirst ? repositoryRecords(branch, this.#naming) : [];
    const cut = isCut
      ? [`the merge ${line[0]?.sha} brings more than ${this.#maxCommits} commits: the newest of them are kept`]
      : [];
    return {
      records: [...aboutRepository, ...records],
      count: merged.length,
      at,
      ...mark,
      ...this.#next(line, position),
      ...(line.length > 0 && { reachedDownTo: Math.max(...line.map(({ committedAt }) => committedAt)) }),
      problems: [...problems, ...cut, ...this.#clone.lacking(unsized)],
    };
  }

  /** A position that the branch no longer leads to was pushed over: the line is read again from its tip. */
  async #position({ tip, name }: Branch): Promise<LinePosition | 'unchanged'> {
    const next = linePosition(this.#from.next);
    if (next) return (await this.#clone.isAncestor(next.commit, tip)) ? next : { commit: tip };
    const last = lineMark(this.#from.mark);
    if (last === undefined || last.branch !== name) return { commit: tip };
    if (last.tip === tip) return 'unchanged';
    return (await this.#clone.isAncestor(last.tip, tip)) ? { commit: tip, below: last.tip } : { commit: tip };
  }

  /**
   * The line with what its merges brought. One merge can bring the history of a whole other repository: then the page
   * has fewer commits of the line, and of a single one as many commits as a page may have.
   */
  async #withCommits(wanted: readonly LoggedCommit[]) {
    let line = wanted;
    for (;;) {
      const newest = line[0];
      if (!newest || !line.some(isMerge)) return { line, brought: [], isCut: false };
      const below = line.at(-1)?.parents[0];
      const brought = await this.#clone.commits(newest.sha, { below, count: this.#maxCommits + 1 });
      const isTooMuch = brought.length > this.#maxCommits;
      if (!isTooMuch || line.length === 1)
        return { line, brought: brought.slice(0, this.#maxCommits), isCut: isTooMuch };
      line = line.slice(0, Math.ceil(line.length / 2));
    }
  }

  async #merged(
    line: readonly LoggedCommit[],
    brought: readonly LoggedCommit[],
    below: string | undefined,
  ): Promise<GitPullRequest[]> {
    const own = ownCommits(line, brought);
    const named = await this.#named(line, below);
    const heads = await this.#clone.pullRequestHeads(
      named.flatMap(({ merge, number }) => (isMerge(merge) ? [] : [number])),
    );
    // Older ones come later, here and in later pages.
    const merged = new Map<number, GitPullRequest>();
    for (const { number, merge } of named) {
      const head = heads.get(number);
      const below = merge.parents[0];
      const squashed = head && below ? await this.#clone.commits(head, { below, count: this.#maxCommits }) : [];
      merged.set(number, { number, merge, commits: isMerge(merge) ? (own.get(merge.sha) ?? []) : squashed });
    }
    return [...merged.values()];
  }

  /** Of two commits that name one pull request the older has brought it, also where that was read long ago. */
  async #named(line: readonly LoggedCommit[], below: string | undefined) {
    const { since = 0 } = this.#settings;
    const named = line.flatMap((merge) => {
      const pullRequest = pullRequestIn(merge.message, isMerge(merge));
      return pullRequest && merge.committedAt >= since ? [{ number: pullRequest.number, merge }] : [];
    });
    if (below === undefined) return named;
    const numbers = [...new Set(named.map(({ number }) => number))];
    const before = await this.#clone.namedFrom(below, numbers, since);
    return named.filter(({ number }) => !before.has(number));
  }

  #next(line: readonly LoggedCommit[], { below }: LinePosition): { readonly next?: Json } {
    const parent = line.at(-1)?.parents[0];
    const wantedDownTo = Math.max(this.#settings.since ?? 0, below === undefined ? (this.#from.downTo ?? 0) : 0);
    // Clocks of committers differ: only a page that is older as a whole ends the reading.
    const isOldEnough = line.every(({ committedAt }) => committedAt < wantedDownTo);
    if (parent === undefined || isOldEnough || parent === below) return {};
    return { next: { commit: parent, ...(below !== undefined && { below }) } };
  }
}

export function releaseStream({ clone, settings, naming, notSeen }: CloneReading): Stream {
  const { repository } = settings;
  return {
    id: `releases@${repository}`,
    name: 'releases',
    feeds: ['release_details'],
    scope: repository,
    notSeen,
    async read({ next, mark }) {
      const [at, newMark] = [nowSeconds(), await clone.tagsMark()];
      if (next === undefined && mark === newMark) return { records: [], count: 0, at, mark, isUnchanged: true };
      const begin = typeof next === 'number' ? next : 0;
      const since = settings.since ?? 0;
      const tags = (await clone.tags()).filter(({ createdAt }) => createdAt >= since);
      const some = tags.slice(begin, begin + maxTags);
      const { records, problems } = releaseRecords(some, naming);
      return {
        records,
        problems,
        count: some.length,
        total: tags.length,
        at,
        ...(next === undefined && { mark: newMark }),
        ...(begin + maxTags < tags.length && { next: begin + maxTags }),
      };
    },
  };
}

function linePosition(next: Json | undefined): LinePosition | undefined {
  const { commit, below } = fieldsOf(next);
  return typeof commit === 'string' ? { commit, ...(typeof below === 'string' && { below }) } : undefined;
}

function lineMark(mark: Json | undefined): { readonly tip: string; readonly branch: string } | undefined {
  const { tip, branch } = fieldsOf(mark);
  return typeof tip === 'string' && typeof branch === 'string' ? { tip, branch } : undefined;
}

const fieldsOf = (json: Json | undefined): { readonly [name: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { readonly [name: string]: Json }) : {};

/** The clone has no clock but this machine's. */
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * The commits that each merge of a line brought: those that its other parents lead to and no older commit of the line
 * has brought already. `brought` holds everything that the line has and the commit below it has not, so one walk over it
 * answers for all merges what `git log merge^1..merge^2` would answer for each.
 */
function ownCommits(
  line: readonly LoggedCommit[],
  brought: readonly LoggedCommit[],
): ReadonlyMap<string, readonly LoggedCommit[]> {
  const bySha = new Map(brought.map((commit) => [commit.sha, commit]));
  const place = new Map(brought.map(({ sha }, index) => [sha, index]));
  const own = new Map<string, readonly LoggedCommit[]>();
  for (const { sha } of line) bySha.delete(sha);
  for (const merge of line.toReversed()) {
    const found: LoggedCommit[] = [];
    const waiting = merge.parents.slice(1);
    for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
      const commit = bySha.get(sha);
      if (!commit) continue;
      bySha.delete(sha);
      found.push(commit);
      waiting.push(...commit.parents);
    }
    // Newest first, as git has them.
    own.set(
      merge.sha,
      found.sort((a, b) => (place.get(a.sha) ?? 0) - (place.get(b.sha) ?? 0)),
    );
  }
  return own;
}
