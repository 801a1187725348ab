import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const git = (args: readonly string[], input = ''): string =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });

/** The newest commit of this clone that knows all migrations of the store but the newest, and can share tables. */
export function commitBeforeNewestMigration(): string | undefined {
  const folder = 'src/store/migrations';
  const newest = readdirSync(join(root, folder))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined || !existsSync(join(root, '.git'))) return undefined;
  const needed = [`${folder}/migrations.ts`, 'src/warehouse/clickhouse/served-warehouse.ts', `${folder}/${newest}`];
  try {
    const commits = git(['rev-list', 'HEAD']).trim().split('\n');
    const asked = commits.flatMap((commit) => needed.map((path) => `${commit}:${path}`));
    const found = git(['cat-file', '--batch-check'], `${asked.join('\n')}\n`)
      .trim()
      .split('\n');
    const has = (i: number, n: number) => !found[i * needed.length + n]?.endsWith('missing');
    return commits.find((_, i) => has(i, 0) && has(i, 1) && !has(i, 2));
  } catch {
    return undefined;
  }
}

/** Builds the server of a commit in a folder, with the packages that it was locked to and the pages of this one. */
export function buildCommit(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'dist-web'), join(folder, 'dist-web'));
  const run = (command: string, env = process.env) =>
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env });
  run('npm install --no-save --include=dev --prefer-offline --no-audit --no-fund --loglevel=error');
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { build: string } };
  // The server alone: pages come after it.
  const [server = ''] = scripts.build.split('&&');
  run(server, { ...process.env, PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` });
}
