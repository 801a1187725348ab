// The engines and programs that only tests need. A machine that cannot have one skips its tests, and says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages, root, runQuietly, say } from './set-up.mjs';

export async function installTestEngines() {
  await Promise.all([
    attempt('PostgreSQL and ClickHouse', () => installPackages(join(root, 'test/engines'))),
    // One after the other: only one process at a time may install packages of the system.
    attempt('Chromium and yamllint', installPrograms).then(() => attempt('ClickHouse', emulateClickHouse)),
  ]);
}

/** The tests that need the engine find it missing later and are skipped: here is only why it is. */
async function attempt(engine, install) {
  try {
    await install();
  } catch (error) {
    say(`${error.message}\n${engine} could not be installed.`);
  }
}

async function installPrograms() {
  const missing = [...(isChromiumLight() ? [] : ['Chromium']), ...(findYamllint() ? [] : ['yamllint'])];
  if (missing.length === 0 || process.getuid?.() !== 0 || !findOnPath('apt-get')) return;
  say(`Installing ${missing.join(' and ')}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args) => runQuietly('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], { env });
  await aptGet('update');
  const isKnown = (name) => spawnSync('apt-cache', ['show', name]).status === 0;
  const chromium = isKnown(lightChromium) ? [lightChromium] : findChromium() ? [] : ['chromium'];
  const packages = missing.flatMap((name) => (name === 'Chromium' ? chromium : name));
  if (packages.length > 0) await aptGet('install', '-y', '--no-install-recommends', ...packages);
}

/** There is no ClickHouse for tests that is built for arm64. */
async function emulateClickHouse() {
  const folder = join(root, 'test/engines/emulated');
  const isNeeded = process.platform === 'linux' && process.arch === 'arm64' && !process.env.CLICKHOUSE_URL;
  if (!isNeeded || existsSync(join(folder, 'node')) || process.getuid?.() !== 0 || !findOnPath('apt-get')) return;
  say('Installing an emulated ClickHouse…');
  await runQuietly(join(root, 'scripts/emulated-clickhouse.sh'), [folder]);
}

/** Chromium without windows, menus and profiles, which tests do not need: it takes a third less processor time. */
const lightChromium = 'chromium-headless-shell';

/** The path of a Chromium that starts here: $CHROMIUM, or the first one on the PATH. */
export function findChromium() {
  const candidates = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : [lightChromium, 'chromium', 'chromium-browser', 'google-chrome'].map(findOnPath);
  return startingOnes(candidates, '--version')[0];
}

/** Whether the tests have the Chromium that they would install, or one that was chosen for them. */
const isChromiumLight = () =>
  Boolean(process.env.CHROMIUM) || startingOnes([findOnPath(lightChromium)], '--version').length > 0;

export const findYamllint = () => startingOnes([findOnPath('yamllint')], '--version')[0];

/** Debian does not have it. */
export const findHelm = () => startingOnes([findOnPath('helm')], 'version')[0];

/** Some systems carry a mere placeholder of a program's name, which tells how to get the real one and fails. */
const startingOnes = (paths, ...args) => paths.filter((path) => path && spawnSync(path, args).status === 0);

function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
