import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataFolder } from '../src/data-folder.ts';
import { callPlumb } from './setup/plumb-call.ts';
import { runPlumb } from './setup/plumb-process.ts';

const root = mkdtempSync(join(tmpdir(), 'plumb-data-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newPath = () => join(root, `data-${folders++}`);

function folderWith(mode: number, path = newPath()): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

/** What others may need to read. */
function foldersOfOthers(mode: number, path?: string): string {
  const made = folderWith(mode, path);
  writeFileSync(join(made, 'notes.txt'), '');
  return made;
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

async function refusalOf(path: string): Promise<string> {
  const claimed = await DataFolder.claim(path).catch((error: unknown) => error);
  if (claimed instanceof DataFolder) {
    claimed.release();
    throw new Error('it was accepted');
  }
  expect(claimed).toMatchObject({ name: 'Refusal', reason: 'bad-input' });
  return (claimed as Error).message;
}

/** Runs the command that a message ends with, as somebody would who pastes it. */
function obey(message: string): void {
  const [, line = 'false'] = /with: (chmod .*)$/.exec(message) ?? [];
  execFileSync('sh', ['-c', line]);
}

test.runIf(process.platform === 'linux')(
  'a place that takes no folders is refused, and not tried without end',
  async () => {
    expect(await refusalOf('/proc/plumb/data')).toMatch(/^The data folder \/proc\/plumb\/data cannot be made: ENOENT/);
  },
);

describe('who else can read a data folder', () => {
  test.each([0o755, 0o705, 0o704, 0o701, 0o777])(
    'Others: mode %o is refused, and the command in the message mends it',
    async (mode) => {
      const path = foldersOfOthers(mode);
      const message = await refusalOf(path);
      expect(message).toContain(`chmod o-rwx ${path}`);
      obey(message);
      expect(statSync(path).mode & 0o777).toBe(mode & 0o770);
      (await DataFolder.claim(path)).release();
    },
  );

  test.each([0o755, 0o701, 0o777])('Others: an empty one of mode %o is closed to them', async (mode) => {
    const path = folderWith(mode);
    (await DataFolder.claim(path)).release();
    expect(modeOf(path)).toBe(mode & 0o770);
  });

  test('Others: one of Plumb is closed to them, and where links in it lead', async () => {
    const path = folderWith(0o700);
    (await DataFolder.claim(path)).release();
    const warehouse = folderWith(0o755);
    writeFileSync(join(warehouse, '5d1f0c1e-6a53-4c55-9d35-8f5b3a0e7c21.duckdb'), '');
    symlinkSync(warehouse, join(path, 'warehouse'));
    chmodSync(path, 0o755);
    (await DataFolder.claim(path)).release();
    expect([modeOf(path), modeOf(warehouse)]).toEqual([0o750, 0o750]);
  });

  test('A folder in which everybody makes files is not taken from them', async () => {
    const path = folderWith(0o1777);
    expect(await refusalOf(path)).toContain('chmod o-rwx');
    expect(modeOf(path)).toBe(0o1777);
  });

  test.runIf(process.getuid?.() === 0)('A folder that is owned by somebody else is refused', async () => {
    const path = folderWith(0o755);
    chownSync(path, 12_345, 12_345);
    expect(await refusalOf(path)).toContain('chmod o-rwx');
    expect(modeOf(path)).toBe(0o755);
  });

  test.each([0o700, 0o750, 0o770])(
    'The owner and the group can read a data folder: mode %o is accepted',
    async (mode) => {
      (await DataFolder.claim(folderWith(mode))).release();
    },
  );

  test('A folder that is made is for its owner only, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const path = join(newPath(), 'in', 'another');
      (await DataFolder.claim(path)).release();
      expect(statSync(path).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  test('A file inside that everyone could read is no matter: nobody gets that far', async () => {
    const path = folderWith(0o700);
    writeFileSync(join(path, 'store.duckdb'), '');
    chmodSync(join(path, 'store.duckdb'), 0o644);
    (await DataFolder.claim(path)).release();
  });

  test('A link as data folder is judged by what it names', async () => {
    const link = newPath();
    symlinkSync(foldersOfOthers(0o755), link);
    const message = await refusalOf(link);
    obey(message);
    (await DataFolder.claim(link)).release();
  });

  test('A link out of the folder is judged too, in the folder and among the warehouses', async () => {
    const path = folderWith(0o700);
    mkdirSync(join(path, 'warehouse'));
    symlinkSync(foldersOfOthers(0o755), join(path, 'elsewhere'));
    symlinkSync(foldersOfOthers(0o755), join(path, 'warehouse', 'also'));
    symlinkSync(join(root, 'nowhere'), join(path, 'dangling'));
    const message = await refusalOf(path);
    expect(message).toContain(`chmod o-rwx ${join(path, 'elsewhere')} ${join(path, 'warehouse', 'also')}`);
    obey(message);
    (await DataFolder.claim(path)).release();
  });

  test('A path that a shell would take apart is quoted', async () => {
    const path = foldersOfOthers(0o755, join(root, "it's $HOME; a folder"));
    const message = await refusalOf(path);
    obey(message);
    (await DataFolder.claim(path)).release();
  });
});

describe('every command that opens the folder', () => {
  const records = join(root, 'people.ndjson');
  const backup = join(root, 'a.backup');
  const closed = newPath();
  /** Where a link in it leads, which commands leave as it is. */
  const open = newPath();
  beforeAll(async () => {
    foldersOfOthers(0o755, open);
    writeFileSync(records, '');
    await callPlumb(closed, ['org', 'create', '--name', 'Acme', '--owner-email', 'o@acme.example']);
    await callPlumb(closed, ['backup', backup]);
    symlinkSync(open, join(closed, 'elsewhere'));
  });

  test.each([
    [['serve']],
    [['demo']],
    [['org', 'list']],
    [['org', 'create', '--name', 'B', '--owner-email', 'o@b.example']],
    [['person', 'unknown', '--org', 'Acme']],
    [['key', 'list', '--org', 'Acme']],
    [['import', '--org', 'Acme', '--table', 'people', records]],
    [['export', '--org', 'Acme', '--table', 'people']],
    [['query', 'users-count', '--org', 'Acme', '--as', 'o@acme.example']],
    [['audit', '--org', 'Acme']],
    [['backup', join(root, 'b.backup')]],
    [['verify']],
  ])('plumb %j closes it to others, and refuses what it may not close', async (args) => {
    chmodSync(closed, 0o755);
    // A server that is not refused would not end.
    const { code, stderr } = await (args[0] === 'serve' ? runPlumb : callPlumb)(closed, args);
    expect(stderr).toContain(`chmod o-rwx ${join(closed, 'elsewhere')}`);
    expect([code, modeOf(closed)]).toEqual([2, 0o750]);
  });

  test('plumb restore refuses one that others can read', async () => {
    const { code, stderr } = await callPlumb(foldersOfOthers(0o755), ['restore', backup]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('chmod o-rwx')]);
  });

  test('plumb doctor looks at it all the same, and says what to do', async () => {
    chmodSync(closed, 0o755);
    const { code, stdout } = await callPlumb(closed, ['doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('chmod o-rwx')]);
  });
});
