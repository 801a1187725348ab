// A copy of this tree, in which files can be changed and built without anybody noticing.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesOfTree } from './changed-files.mjs';

/** What is not in Git and changes with the tree. */
const built = ['dist', 'dist-web'];
/** What is not in Git and stays as it is. */
const installed = ['node_modules', 'test/engines/node_modules', 'test/engines/emulated'];

/** Answers the root of the copy, and what removes it. */
export function copyTree(root) {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'plumb-faults-'));
  const copy = join(place, 'main');
  const isHere = (name) => existsSync(join(root, name));
  // A file that is deleted and not committed is still in Git.
  for (const name of [...filesOfTree(root), ...built].filter(isHere)) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of installed.filter(isHere)) linkEntries(join(root, name), join(copy, name));
  // Tests look for recorded data beside the clone.
  const recorded = join(root, '..', 'shared');
  if (existsSync(recorded)) symlinkSync(realpathSync(recorded), join(place, 'shared'));
  return { root: copy, remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}

/** Each package by a link of its own: in a folder that is a link itself, programs would keep their notes for both trees. */
function linkEntries(from, to) {
  mkdirSync(to, { recursive: true });
  const isOwn = (name) => /^\.(?:cache|vite|vite-temp|experimental-.*)$/.test(name);
  for (const name of readdirSync(from).filter((name) => !isOwn(name))) symlinkSync(join(from, name), join(to, name));
}
