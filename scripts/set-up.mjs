// What `npm start` and `npm test` do before anything else. It runs in a bare clone, so it uses nothing but Node itself.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Talk goes to standard error: standard output belongs to the program that is started. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Brings the clone to where `plumb` can run. Each step is skipped when there is nothing for it to do. */
export async function setUp() {
  await installProject();
  await Promise.all([buildServer(), buildPages()]);
}

export async function installProject() {
  checkNode();
  await installPackages(root);
}

const settings = ['tsconfig.json', 'scripts/third-party-licenses.mjs'];

export const buildServer = () =>
  buildFrom(['src'], [...settings, 'scripts/build-server.mjs'], 'dist', 'Building…', () =>
    runQuietly(process.execPath, ['scripts/build-server.mjs']),
  );

/** The pages use a few files of the server. */
export const buildPages = () =>
  buildFrom(['web', 'src'], [...settings, 'scripts/build-web.mjs'], 'dist-web', 'Building the pages…', () =>
    runQuietly(process.execPath, ['scripts/build-web.mjs']),
  );

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Plumb needs Node.js 20.19 or newer, and this is ${process.version}.`);
}

/**
 * Installs what the lockfile of a folder says. Development packages come too, even under NODE_ENV=production: the
 * compiler is one of them, and installing without them would make `npm start` and `npm test` undo each other's work.
 */
export async function installPackages(folder) {
  if (missingPackages(folder).length === 0) return;
  say(folder === root ? 'Installing dependencies…' : `Installing what ${folder.slice(root.length)} needs…`);
  // Not `npm ci`: it refuses a lockfile made where the registry lacked the native packages of some other platform, and
  // it begins by taking node_modules away from whatever is running. The lockfile decides, and stays as it is, either way.
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  // npm is a batch file on Windows, which only a shell can run.
  await runQuietly('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  // A native package that cannot be fetched is optional to npm, which passes over it in silence.
  const missing = missingPackages(folder);
  if (missing.length > 0) throw new Error(`npm did not install ${missing.join(', ')}. Is the registry within reach?`);
}

/** What is packed carries its versions along, which npm does under this name only. */
const lockfileOf = (folder) => (folder === root ? 'npm-shrinkwrap.json' : 'package-lock.json');

/**
 * The locked packages that node_modules lacks, by the record npm itself keeps there: a stamp of our own would not know
 * of an `npm ci` or `npm install` by hand, and would repeat it. Those of other platforms are locked and rightly absent.
 */
function missingPackages(folder) {
  const packagesIn = (lockfile) => JSON.parse(readFileSync(join(folder, lockfile), 'utf8')).packages;
  const { '': _project, ...locked } = packagesIn(lockfileOf(folder));
  const record = 'node_modules/.package-lock.json';
  const installed = existsSync(join(folder, record)) ? packagesIn(record) : {};
  const isMissing = (path) =>
    installed[path] ? installed[path].version !== locked[path].version : isNeededHere(locked[path]);
  return Object.keys(locked).filter(isMissing);
}

function isNeededHere({ optional, os, cpu, libc }) {
  if (!optional) return true;
  const isForThisMachine = os?.includes(process.platform) && cpu?.includes(process.arch);
  if (!isForThisMachine || !libc) return isForThisMachine;
  return libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');
}

/** Fills a folder from the files of others, unless it was filled from the very same files. */
async function buildFrom(folders, settings, into, title, make) {
  const stamp = join(root, into, '.built-from');
  await unlessDone(stamp, fingerprintOf(folders, settings), async () => {
    say(title);
    // What was made from a file that is gone must not stay there.
    rmSync(join(root, into), { recursive: true, force: true });
    await make();
  });
}

/** Does something unless the stamp says that it was done, without an error, from the very same files. */
export async function unlessDone(stamp, fingerprint, act) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  await act();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

export function fingerprintOf(folders, settings) {
  const sources = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/[\\/](?:node_modules|emulated)[\\/]/.test(file))
    .sort();
  const named = [...settings, lockfileOf(root)].map((name) => join(root, name));
  const hash = createHash('sha256');
  for (const file of [...named, ...sources]) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Runs a command to its end. What it prints is shown only when it fails. */
export async function runQuietly(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', resolve);
  });
  if (status === 0) return;
  const printed = Buffer.concat(chunks).toString('utf8').trimEnd();
  const reason = typeof status === 'string' ? `: ${status}` : '.';
  throw new Error(`${printed ? `${printed}\n` : ''}${[command, ...args].join(' ')} failed${reason}`);
}

/** Runs a Node.js script in this terminal until it ends, and answers its exit code. */
export function runInForeground(script, args, { env = {}, onMessage } = {}) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', ...(onMessage ? ['ipc'] : [])],
  });
  if (onMessage) child.on('message', onMessage);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  process.on('SIGINT', () => {
    // Ctrl-C reaches every process of the terminal: passed on as well, it would look like an impatient second one.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  if (process.env.npm_lifecycle_event) {
    // A signal to npm ends npm and the shell between us, and stops there: having lost the parent is the only sign.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      child.kill('SIGTERM');
    }, 250);
    watch.unref();
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
