import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SourceProblem } from '../../../src/sources/source.ts';
import { openGit, readPullRequests } from './reading.ts';
import { SomeClone } from './some-clone.ts';

/** With one commit. Copying it takes less than the processes of git that make another one. */
let original: SomeClone;
let clone: SomeClone;
let folder: string;
beforeAll(() => {
  original = new SomeClone();
  original.commit('One (#1)', { at: '2024-03-01T09:00:00Z', files: { 'a.txt': 'a\n' } });
});
afterAll(() => original.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumb-git-'));
  clone = new SomeClone();
  cpSync(original.path, clone.path, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  clone.remove();
  rmSync(folder, { recursive: true, force: true });
});

const checked = async (path: string, settings = {}) => openGit({ path, ...settings }).check();
const problemOf = async (work: Promise<unknown>): Promise<SourceProblem> => {
  const error = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof SourceProblem)) throw new Error(`no problem of the source: ${error}`);
  return error;
};

describe('git', () => {
  test('Git runs no program that a clone names', async () => {
    const ran = join(folder, 'ran');
    const program = join(folder, 'program');
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${ran}'\ncat "$1" 2>/dev/null\nexit 0\n`);
    chmodSync(program, 0o755);
    const hooks = join(clone.path, '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    }
    for (const [name, value] of [
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['core.sshCommand', program],
      ['diff.external', program],
      ['diff.odd.textconv', program],
      ['diff.odd.command', program],
      ['log.showSignature', 'true'],
      ['gpg.program', program],
      ['core.hooksPath', hooks],
    ] as const) {
      clone.git(['config', name, value]);
    }
    writeFileSync(join(clone.path, '.gitattributes'), '* diff=odd\n');
    // A commit that claims to be signed: showing its signature would run the program that checks it.
    const signed = clone
      .git(['cat-file', 'commit', 'HEAD'])
      .replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n eA==\n -----END PGP SIGNATURE-----\n\n');
    writeFileSync(join(folder, 'signed'), `${signed}\n`);
    const sha = clone.git(['hash-object', '-t', 'commit', '-w', join(folder, 'signed')]);
    writeFileSync(join(clone.path, '.git', 'refs', 'heads', 'main'), `${sha}\n`);
    rmSync(ran, { force: true });

    const read = await readPullRequests(clone.path);
    await checked(clone.path);

    expect(read.of('pull_requests')).toEqual([expect.objectContaining({ pr_number: 1, additions: 1 })]);
    expect(existsSync(ran)).toBe(false);
  });

  test('Git learns nothing of the secrets of this process', async () => {
    vi.stubEnv('PLUMB_SECRET', 'not for children');
    const seen = join(folder, 'environment');
    writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv > '${seen}'\nexit 1\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);

    await problemOf(checked(clone.path));

    expect(readFileSync(seen, 'utf8')).toContain('GIT_NO_LAZY_FETCH=1');
    expect(readFileSync(seen, 'utf8')).not.toContain('not for children');
  });

  test('Git never fetches what a partial clone lacks, and says what to do', async () => {
    const upstream = `file://${clone.path}`;
    clone.git(['config', 'uploadpack.allowFilter', 'true']);
    const partial = join(folder, 'partial');
    clone.git(['clone', '-q', '--bare', '--filter=blob:none', upstream, partial]);

    const { missing } = await checked(partial);
    const read = await readPullRequests(partial);

    expect(missing).toEqual([expect.stringContaining('clone it without --filter')]);
    const [pullRequest] = read.of('pull_requests');
    expect(pullRequest).toMatchObject({ pr_number: 1, pr_state: 'merged' });
    for (const size of ['additions', 'deletions', 'changed_files', 'files'])
      expect(pullRequest).not.toHaveProperty(size);
    expect(read.pages.flatMap(({ problems }) => problems ?? [])).toEqual([
      expect.stringContaining('lacks file contents of commits such as '),
    ]);
  });

  test('Git reads a damaged clone without the sizes that are lost, and says so once', async () => {
    const lost = clone.commit('Two (#2)', { at: '2024-03-02T09:00:00Z', files: { 'b.txt': 'lost\n' } });
    clone.commit('Three (#3)', { at: '2024-03-03T09:00:00Z', files: { 'c.txt': 'one\ntwo\n' } });
    const blob = clone.git(['rev-parse', `${lost}:b.txt`]);
    rmSync(join(clone.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2)), { force: true });

    const read = await readPullRequests(clone.path);

    const sizes = read.of('pull_requests').map(({ pr_number, additions }) => [pr_number, additions]);
    expect(sizes).toEqual([
      [3, 2],
      [2, undefined],
      [1, 1],
    ]);
    expect(read.pages.flatMap(({ problems }) => problems ?? [])).toEqual([
      expect.stringContaining(`commits such as ${lost}: their sizes are left out`),
    ]);
    expect((await checked(clone.path)).missing).toEqual([expect.stringContaining(lost)]);
  });

  test('Git says where history is missing', async () => {
    clone.commit('Two (#2)', { at: '2024-03-02T09:00:00Z' });
    const shallow = join(folder, 'shallow');
    clone.git(['clone', '-q', '--depth=1', `file://${clone.path}`, shallow]);

    expect((await checked(shallow)).missing).toEqual([expect.stringContaining('git fetch --unshallow')]);
  });

  test.each([
    ['a folder that does not exist', () => join(folder, 'nowhere'), 'is not a folder that can be read'],
    ['a file', () => join(clone.path, 'a.txt'), 'is not a folder that can be read'],
    ['a folder that is no clone', () => folder, 'is not a git repository'],
    ['a folder inside a clone', () => join(clone.path, 'below'), 'is not a git repository'],
  ])('Git refuses %s', async (_, path, message) => {
    mkdirSync(join(clone.path, 'below'));

    const problem = await problemOf(checked(path()));

    expect(problem.message).toContain(message);
    expect(problem.toDo).toContain('Give the folder of a clone');
  });

  test('Git takes no setting for an option', async () => {
    const odd = join(folder, '--upload-pack=touch');
    clone.git(['clone', '-q', clone.path, odd]);

    expect((await checked(odd)).sees).toContain('branch main of acme/web, 1 commit long');
    const problem = await problemOf(checked(clone.path, { branch: '--output=/tmp/x' }));
    expect(problem.message).toBe('The clone has no branch --output=/tmp/x');
  });

  test('Git says that it is not installed', async () => {
    vi.stubEnv('PATH', folder);

    expect((await problemOf(checked(clone.path))).message).toBe('git is not installed where Plumb runs');
  });

  test.runIf(process.getuid?.() === 0)('A check says how to trust a clone of another user', async () => {
    clone.git(['config', 'core.bare', 'false']);
    chownSync(clone.path, 4_711, 4_711);
    chownSync(join(clone.path, '.git'), 4_711, 4_711);

    const problem = await problemOf(checked(clone.path));
    expect(problem.message).toContain('belongs to another user');
    expect(problem.toDo).toContain(`git config --global --add safe.directory '${clone.path}'`);

    vi.stubEnv('HOME', folder);
    writeFileSync(join(folder, '.gitconfig'), `[safe]\n\tdirectory = ${clone.path}\n`);
    await expect(checked(clone.path)).resolves.toBeDefined();
  });

  test('Git stops when it is told to', async () => {
    const stopping = new AbortController();
    stopping.abort(new Error('enough'));

    await expect(openGit({ path: clone.path }, stopping.signal).check()).rejects.toThrow('enough');
  });
});

describe('the branch', () => {
  test('The branch is the default branch of the host, as it was fetched last', async () => {
    const other = join(folder, 'clone');
    clone.git(['branch', '-q', 'topic']);
    clone.git(['clone', '-q', clone.path, other]);
    clone.git(['-C', other, 'checkout', '-q', 'topic']);
    clone.commit('Two (#2)', { at: '2024-03-02T09:00:00Z' });
    clone.git(['-C', other, 'fetch', '-q']);

    const read = await readPullRequests(other);

    expect(read.of('pull_requests').map((row) => [row.pr_number, row.base_branch])).toEqual([
      [2, 'main'],
      [1, 'main'],
    ]);
    expect(read.of('repositories')).toEqual([{ repository: 'acme/web', default_branch: 'main' }]);
  });

  test('The branch that is only checked out is not called the default one', async () => {
    const read = await readPullRequests(clone.path);

    expect(read.of('pull_requests')).toHaveLength(1);
    expect(read.of('repositories')).toEqual([]);
  });

  test('The branch is the one in the settings', async () => {
    clone.git(['checkout', '-q', '-b', 'release']);
    clone.commit('Only here (#9)', { at: '2024-03-02T09:00:00Z' });
    clone.git(['checkout', '-q', 'main']);

    const read = await readPullRequests(clone.path, {}, { branch: 'release' });

    expect(read.of('pull_requests').map((row) => [row.pr_number, row.base_branch])).toEqual([
      [9, 'release'],
      [1, 'release'],
    ]);
  });

  test('The branch that names no pull request is told of by the check', async () => {
    expect((await checked(clone.path)).missing).toEqual([]);

    clone.git(['checkout', '-q', '--orphan', 'notes']);
    clone.commit('Only notes', { at: '2024-03-02T09:00:00Z' });
    expect((await checked(clone.path)).missing).toEqual([
      expect.stringContaining('No commit of notes names a pull request'),
    ]);
  });

  test('The branch has to be named where none is checked out', async () => {
    clone.git(['checkout', '-q', '--detach']);

    expect((await problemOf(checked(clone.path))).toDo).toBe('Name one: --set branch=main');
  });
});

describe('settings', () => {
  test.each([
    [{ path: '' }, 'path is missing'],
    [{ repository: 'web' }, 'repository must be owner/name'],
    [{ repository: 'acme/web#1' }, 'repository must be owner/name'],
    [{ host: 'Git Hub' }, 'host must be a name such as github'],
  ])('%o are refused', (settings, message) => {
    expect(() => openGit({ path: clone.path, ...settings })).toThrow(message);
  });
});
