import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Author {
  readonly name: string;
  readonly email: string;
}

export const ada: Author = { name: 'Ada', email: 'ada@acme.test' };
export const bo: Author = { name: 'Bo', email: 'bo@acme.test' };

export interface Committing {
  readonly by?: Author;
  /** ISO time of the committer, and of the author unless `authoredAt` says otherwise. */
  readonly at: string;
  readonly authoredAt?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** What a repository without a commit consists of. Copying it takes less than a process of git. */
let empty: string | undefined;

/** A repository in a folder of its own, written to by the git command. */
export class SomeClone {
  readonly path: string;

  constructor(options: readonly string[] = []) {
    this.path = mkdtempSync(join(tmpdir(), 'plumb-clone-'));
    const init = ['init', '-q', '-b', 'main', '--template=', ...options];
    if (options.length > 0) this.git(init);
    else if (empty && existsSync(empty)) cpSync(empty, join(this.path, '.git'), { recursive: true });
    else {
      this.git(init);
      empty = `${this.path}-empty`;
      cpSync(join(this.path, '.git'), empty, { recursive: true });
      const made = empty;
      process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    }
  }

  git(
    args: readonly string[],
    { by = ada, at = '2024-03-01T09:00:00Z', authoredAt = at }: Partial<Committing> = {},
  ): string {
    const env = {
      PATH: process.env.PATH,
      HOME: this.path,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: by.name,
      GIT_AUTHOR_EMAIL: by.email,
      GIT_AUTHOR_DATE: authoredAt,
      GIT_COMMITTER_NAME: by.name,
      GIT_COMMITTER_EMAIL: by.email,
      GIT_COMMITTER_DATE: at,
    };
    return execFileSync('git', args, {
      cwd: this.path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Returns the sha. */
  commit(message: string, committing: Committing): string {
    for (const [path, text] of Object.entries(
      committing.files ?? { [`notes-${committing.at.replaceAll(':', '')}.txt`]: 'a note\n' },
    )) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), text);
    }
    this.git(['add', '-A']);
    this.git(['commit', '-q', '--allow-empty', '-m', message], committing);
    return this.tip();
  }

  /** A branch with commits, merged into main the way that a code host does it. */
  merge(
    branch: string,
    message: string,
    commits: readonly (Committing & { readonly message: string })[],
    merging: Committing,
  ): string {
    this.git(['checkout', '-q', '-b', branch]);
    for (const { message: text, ...committing } of commits) this.commit(text, committing);
    this.git(['checkout', '-q', 'main']);
    this.git(['merge', '-q', '--no-ff', '-m', message, branch], merging);
    return this.tip();
  }

  /** Many commits at once, by a stream for `git fast-import`. */
  import(stream: string): void {
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: this.path, input: stream });
  }

  tip(): string {
    const gitFolder = join(this.path, '.git');
    const branch = /^ref: (.*)\n$/.exec(readFileSync(join(gitFolder, 'HEAD'), 'utf8'))?.[1];
    const file = branch === undefined ? undefined : join(gitFolder, branch);
    if (file === undefined || !existsSync(file)) return this.git(['rev-parse', 'HEAD']);
    return readFileSync(file, 'utf8').trim();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
