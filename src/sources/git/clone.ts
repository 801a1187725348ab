import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { SourceProblem } from '../source.ts';
import { gitLog, type LoggedCommit, pullRequestIn } from './log.ts';
import { cloneWhole, type GitCall, gitPieces, gitText } from './run-git.ts';
import type { GitSettings } from './settings.ts';

export interface Branch {
  /** `main` */
  readonly name: string;
  /** The sha of its newest commit. */
  readonly tip: string;
  /** Whether it is known to be the default branch of the host, not only the one that is checked out. */
  readonly isDefault: boolean;
}

export interface Tag {
  readonly name: string;
  /** When the tag was made, or the commit that it names where the tag itself does not say. Seconds since 1970. */
  readonly createdAt: number;
  /** Who made it: only annotated tags say so. */
  readonly taggerName?: string;
  readonly taggerEmail?: string;
}

/** A clone on this machine, read by git. */
export class Clone {
  readonly #settings: GitSettings;
  readonly #call: GitCall;
  #isLackingSaid = false;

  private constructor(settings: GitSettings, call: GitCall) {
    this.#settings = settings;
    this.#call = call;
  }

  static async open(settings: GitSettings, signal: AbortSignal): Promise<Clone> {
    const path = await realpath(settings.path).catch(() => undefined);
    if (path === undefined || !(await stat(path)).isDirectory()) {
      throw new SourceProblem(
        `${settings.path} is not a folder that can be read`,
        'Give the folder of a clone on the machine that Plumb runs on, readable by the user that Plumb runs as.',
      );
    }
    const clone = new Clone(settings, { path, signal });
    await gitText(['rev-parse', '--git-dir'], clone.#call);
    return clone;
  }

  /** The branch that pull requests are merged into, as it is now. */
  async branch(): Promise<Branch> {
    const remoteDefault = await this.#target('refs/remotes/origin/HEAD', 'refs/remotes/origin/');
    const head = await this.#target('HEAD', 'refs/heads/');
    const isBare = (await gitText(['rev-parse', '--is-bare-repository'], this.#call)) === 'true';
    const knownDefault = remoteDefault ?? (isBare ? head : undefined);
    const name = this.#settings.branch ?? knownDefault ?? head;
    if (name === undefined) {
      throw new SourceProblem('No branch is checked out in the clone', 'Name one: --set branch=main');
    }
    const tip = await this.#newest(
      await this.#commit(`refs/remotes/origin/${name}`),
      await this.#commit(`refs/heads/${name}`),
    );
    if (tip === undefined) {
      throw new SourceProblem(`The clone has no branch ${name}`, 'Fetch it, or name another one: --set branch=main');
    }
    return { name, tip, isDefault: name === knownDefault };
  }

  /** The first-parent line from a commit down, newest first; without what `below` has in it. */
  async line(from: string, { count, below }: { count: number; below?: string | undefined }): Promise<LoggedCommit[]> {
    const without = below === undefined ? [] : [`^${below}`];
    return gitLog(['--first-parent', from, ...without], count, this.#call);
  }

  /** The commits that `from` has in it and `below` has not, newest first, as many as asked for at most. */
  async commits(
    from: string,
    { count, below }: { count: number; below?: string | undefined },
  ): Promise<LoggedCommit[]> {
    const without = below === undefined ? [] : [`^${below}`];
    return gitLog(['--topo-order', from, ...without], count, this.#call);
  }

  /** The newest commits of pull requests, where the clone has fetched them from the host (`refs/pull/N/head`). */
  async pullRequestHeads(numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (numbers.length === 0) return new Map();
    const heads = new Map<number, string>();
    const patterns = numbers.map((number) => `refs/pull/${number}/head`);
    for await (const line of this.#refs('%(refname)%00%(objecttype)%00%(objectname)', patterns)) {
      const [name = '', type, sha] = line;
      const number = Number(name.split('/')[2]);
      if (type === 'commit' && sha !== undefined) heads.set(number, sha);
    }
    return heads;
  }

  /** Tags of commits, the newest first. */
  async tags(): Promise<Tag[]> {
    const tags: Tag[] = [];
    const format = [
      '%(refname:strip=2)',
      '%(if)%(*objecttype)%(then)%(*objecttype)%(else)%(objecttype)%(end)',
      '%(creatordate:unix)',
      '%(taggername)',
      '%(taggeremail:trim)',
    ].join('%00');
    for await (const [name = '', type, createdAt, taggerName, taggerEmail] of this.#refs(format, ['refs/tags'])) {
      if (type !== 'commit') continue;
      tags.push({
        name,
        createdAt: Number(createdAt),
        ...(taggerName && { taggerName }),
        ...(taggerEmail && { taggerEmail }),
      });
    }
    return tags.sort((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1));
  }

  /** Changes with every tag that is made, moved or deleted. */
  async tagsMark(): Promise<string> {
    const mark = createHash('sha256');
    const format = '--format=%(objectname) %(refname)%00';
    for await (const tag of gitPieces(['for-each-ref', format, 'refs/tags'], this.#call)) mark.update(tag);
    return mark.digest('hex');
  }

  /** Says it once while a clone is open, not for each page: the commits whose sizes cannot be read. */
  lacking(shas: readonly string[]): readonly string[] {
    const [first] = shas;
    if (first === undefined || this.#isLackingSaid) return [];
    this.#isLackingSaid = true;
    return [`the clone lacks file contents of commits such as ${first}: their sizes are left out. ${cloneWhole}`];
  }

  async isShallow(): Promise<boolean> {
    return (await gitText(['rev-parse', '--is-shallow-repository'], this.#call)) === 'true';
  }

  /** Whether a clone has file contents only as far as they were needed. */
  async isPartial(): Promise<boolean> {
    const names = await gitText(['config', '--name-only', '--get-regexp', '^remote\\..*\\.promisor$'], {
      ...this.#call,
      alsoGood: [1],
    });
    return names !== '';
  }

  /** Whether one of the newest commits of a line names a pull request. */
  async namesPullRequests(tip: string, count: number): Promise<boolean> {
    const format = '--format=tformat:%P%n%s';
    const args = ['log', '-z', '--first-parent', `--max-count=${count}`, '--encoding=UTF-8', format, tip, '--'];
    for await (const commit of gitPieces(args, this.#call)) {
      const [parents = '', subject = ''] = commit.split('\n');
      if (pullRequestIn(subject, parents.includes(' '))) return true;
    }
    return false;
  }

  /** The pull requests, of these, that a line of history names from a commit down to `since`. */
  async namedFrom(commit: string, numbers: readonly number[], since: number): Promise<ReadonlySet<number>> {
    const named = new Set<number>();
    if (numbers.length === 0) return named;
    // Matches of git are checked again, since these words may stand anywhere in a message.
    const sought = numbers.flatMap((number) => [`--grep=(#${number})`, `--grep=Merge pull request #${number} `]);
    const options = [
      '--first-parent',
      '--fixed-strings',
      ...sought,
      '--encoding=UTF-8',
      '--format=tformat:%ct%n%P%n%s',
    ];
    for await (const piece of gitPieces(['log', '-z', ...options, commit, '--'], this.#call)) {
      const [committedAt, parents = '', subject = ''] = piece.split('\n');
      const pullRequest = pullRequestIn(subject, parents.includes(' '));
      if (pullRequest && Number(committedAt) >= since) named.add(pullRequest.number);
    }
    return named;
  }

  async countLine(tip: string): Promise<number> {
    return Number(await gitText(['rev-list', '--count', '--first-parent', tip, '--'], this.#call));
  }

  /** Whether a commit is in the history of another. One that is no longer there is not. */
  async isAncestor(sha: string, of: string): Promise<boolean> {
    if ((await this.#commit(sha)) === undefined) return false;
    const common = await gitText(['merge-base', sha, of], { ...this.#call, alsoGood: [1] });
    return common === sha;
  }

  /** Two names of one branch: what was fetched and what lies here. The one that holds the other, else what was fetched. */
  async #newest(fetched: string | undefined, local: string | undefined): Promise<string | undefined> {
    if (fetched === undefined || local === undefined) return fetched ?? local;
    return (await this.isAncestor(fetched, local)) ? local : fetched;
  }

  /** The branch that a symbolic name stands for. */
  async #target(symbol: string, beginning: string): Promise<string | undefined> {
    const target = await gitText(['symbolic-ref', '--quiet', symbol], { ...this.#call, alsoGood: [1] });
    return target.startsWith(beginning) ? target.slice(beginning.length) : undefined;
  }

  async #commit(revision: string): Promise<string | undefined> {
    const sha = await gitText(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], {
      ...this.#call,
      alsoGood: [1],
    });
    return sha === '' ? undefined : sha;
  }

  /** References by their fields, which NUL sets apart; a line break ends each, since no name can hold one. */
  async *#refs(format: string, patterns: readonly string[]): AsyncGenerator<string[]> {
    let fields: string[] = [];
    for await (const piece of gitPieces(['for-each-ref', `--format=${format}%00`, ...patterns], this.#call)) {
      if (piece.startsWith('\n')) {
        yield fields;
        fields = [piece.slice(1)];
      } else fields.push(piece);
    }
    if (fields.length > 1) yield fields;
  }
}
