// The checks of `npm test` that read the code and run none of it. One that passed is not repeated until a file changes.
import { join } from 'node:path';
import { fingerprintOf, root, runQuietly, say, unlessDone } from './set-up.mjs';

const folders = ['src', 'test', 'bench', 'scripts', 'web', 'bin', 'deploy', 'docs', 'grafana'];
const settings = ['package.json', 'biome.json', 'tsconfig.json', 'vitest.config.ts', '.gitignore'];

/** Checks the types of one project: `tsconfig.json`, or a folder with one of its own. */
export const checkTypes = (project) =>
  check(`Checking types of ${project}…`, `types-of-${project}`, 'node_modules/typescript/bin/tsc', ['-p', project]);

export const checkStyle = () =>
  check('Checking style…', 'style', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']);

async function check(title, name, script, args) {
  await unlessDone(join(root, '.cache', name), fingerprintOf(folders, settings), async () => {
    say(title);
    await runQuietly(process.execPath, [script, ...args]);
  });
}
