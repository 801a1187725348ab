// What is changed in this clone: since its branch left main, and on main what is not committed.
import { spawnSync } from 'node:child_process';

/** Files by their paths, those that are new or gone among them. `since` names another commit to compare with. */
export function changedFiles(root, since) {
  const base = since ?? mergeBase(root) ?? 'HEAD';
  const changed = git(root, ['diff', '--name-only', '--no-renames', '-z', base, '--']);
  const untracked = git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  for (const { status, stderr } of [changed, untracked])
    if (status !== 0) throw new Error(`Git cannot say what is changed since ${base}: ${stderr.trim()}`);
  return [...new Set([...namesIn(changed), ...namesIn(untracked)])].sort();
}

/** Files that are in Git or could be: neither packages nor what is built. */
export function filesOfTree(root) {
  return namesIn(git(root, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']));
}

function mergeBase(root) {
  for (const branch of ['main', 'origin/main']) {
    const { status, stdout } = git(root, ['merge-base', 'HEAD', branch]);
    if (status === 0) return stdout.trim();
  }
}

const git = (root, args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

const namesIn = ({ stdout }) => stdout.split('\0').filter((name) => name !== '');
