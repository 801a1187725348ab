import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { planOf } from '../../../src/query/planner.ts';
import { UnreadableTables } from '../../../src/query/question-port.ts';
import { readMultiple } from '../../../src/query/reading/metric-request.ts';
import { Refusal } from '../../../src/refusal.ts';
import { EngineError, lossOf, understood } from '../../../src/warehouse/duckdb/engine-failures.ts';
import { defaultTuning } from '../../../src/warehouse/duckdb/limits.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import type { EmbeddedWarehouse } from '../../../src/warehouse/warehouse.ts';
import { someOwner } from '../../setup/some-owner.ts';
import { throwAway } from '../../setup/thrown-away.ts';
import { everyRow, rowOf, someLimits, someOrganisationId } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

/** A file system of its own, so small that it is soon full. Only root can make one. */
function smallDisk(megabytes: number): { readonly path: string; remove(): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'plumb-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    remove() {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}

const probe = smallDisk(1);
probe?.remove();
const canMount = probe !== undefined;
if (!canMount)
  console.warn('SKIPPED: a full disk cannot be tried out here, because mounting a small one is not allowed.');

const batch = (batchNumber: number, size: number, titleLength = 6) =>
  Array.from({ length: size }, (_, i) =>
    rowOf(incidents, {
      incident_id: `${batchNumber}-${i}`,
      title: `${batchNumber} ${Math.sin(batchNumber * size + i)}`.repeat(titleLength),
    }),
  );
const count = async (warehouse: EmbeddedWarehouse, id: string) =>
  (await warehouse.read(id, (session) => session.tally(incidents, [])))[0]?.rows;

describe.skipIf(!canMount)('when the disk is full', () => {
  test('The caller is told to come again, nothing committed is lost, others work on, and with room it goes on', async () => {
    const disk = smallDisk(24);
    if (!disk) return;
    const warehouse = await openEmbeddedWarehouse(disk.path, someLimits);
    try {
      const [id, other] = [someOrganisationId(), someOrganisationId()];
      await warehouse.change(other, (session) => putRows(session, incidents, batch(0, 3)));
      const filler = join(disk.path, 'filler');
      let committed = 0;
      let refusal: unknown;
      writeFileSync(filler, Buffer.alloc(8_000_000));
      const size = 1_000;
      for (let i = 0; i < 60 && !refusal; i++) {
        await warehouse
          .change(id, (session) => putRows(session, incidents, batch(i, size, 24)))
          .then(
            () => {
              committed += 1;
            },
            (error: unknown) => {
              refusal = error;
            },
          );
      }
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 1 } });
      expect((refusal as Refusal).cause).toBeInstanceOf(Error);
      expect(committed).toBeGreaterThan(0);
      expect(await count(warehouse, other)).toBe(3);
      expect(await count(warehouse, id)).toBe(committed * size);
      rmSync(filler);
      await warehouse.change(id, (session) => putRows(session, incidents, batch(999, size, 24)));
      expect(await count(warehouse, id)).toBe((committed + 1) * size);
      expect(await warehouse.check(id)).toEqual([]);
    } finally {
      await warehouse.close();
      disk.remove();
    }
  });
});

describe('when a file is damaged', () => {
  test('Among the rows, or where it says what is in it, reading everything tells, and other organisations are not harmed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-damage-'));
    const damages = [
      { id: someOrganisationId(), share: 0.2, problem: /^incidents\.\w+ cannot be read: .*checksum/m },
      { id: someOrganisationId(), share: 0, problem: /^The file cannot be opened: .*checksum/m },
    ];
    const other = someOrganisationId();
    const size = 10_000;
    let warehouse = await openEmbeddedWarehouse(folder, someLimits);
    try {
      for (const one of [...damages.map(({ id }) => id), other])
        await warehouse.change(one, (session) => putRows(session, incidents, batch(1, size)));
      for (const { id } of damages) expect(await warehouse.check(id)).toEqual([]);
      await warehouse.close();
      for (const { id, share } of damages) damage(join(folder, 'warehouse', `${id}.duckdb`), share);
      warehouse = await openEmbeddedWarehouse(folder, someLimits);
      for (const { id, problem } of damages) {
        expect((await warehouse.check(id)).join('\n')).toMatch(problem);
        for (let i = 0; i < 2; i++) {
          const all = warehouse.read(id, (session) => everyRow(session, incidents));
          await expect(all).rejects.toBeInstanceOf(UnreadableTables);
          expect(await count(warehouse, other)).toBe(size);
        }
      }
      expect(await warehouse.check(other)).toEqual([]);
      expect(await count(warehouse, other)).toBe(size);
    } finally {
      await throwAway(folder);
      await warehouse.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** Flips some bytes at a share of the way through a file, behind its headers. */
function damage(path: string, share: number): void {
  const bytes = readFileSync(path);
  const headers = 3 * 4_096;
  const at = headers + 100 + Math.floor((bytes.length - headers) * share);
  for (let i = 0; i < 64; i++) bytes[at + i] = (bytes[at + i] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

describe.skipIf(!canMount)('a long answer on a full disk', () => {
  const id = someOrganisationId();
  const owner = someOwner(id);
  const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
  const asked = { filters, metrics: ['pull-requests-count'], group_by: ['pr_id', 'pr_title'] };
  const query = planOf(readMultiple(asked, { principal: owner, now: new Date() }), owner);
  const rows = Array.from({ length: 300 }, (_, i) =>
    rowOf(pullRequests, { pr_id: `p${1_000 + i}`, pr_created_at: 1_719_792_000, pr_title: `${i} `.repeat(8_000) }),
  );

  test('Fails alone: nothing is reopened, and with room it is given', async () => {
    const disk = smallDisk(120);
    if (!disk) return;
    const tuning = { ...defaultTuning, sortedBytes: 1_000_000, aheadBytes: 2_000_000 };
    const warehouse = await openEmbeddedWarehouse(disk.path, someLimits, tuning);
    try {
      await warehouse.change(id, (session) => putRows(session, pullRequests, rows));
      const read = async (takenFirst: () => void) => {
        let [taken, isFirst] = [0, true];
        for await (const batch of warehouse.answers(id, query)) {
          if (isFirst) takenFirst();
          isFirst = false;
          taken += batch.length;
        }
        return taken;
      };
      expect(await read(() => {})).toBe(300);
      // Somebody else is in the middle of a transaction, and stays there.
      let goOn = () => {};
      const filled = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const reading = warehouse.read(id, async (session) => {
        const before = await session.tally(pullRequests, []);
        await filled;
        return [before, await session.tally(pullRequests, [])];
      });
      const filler = join(disk.path, 'filler');
      await expect(read(() => fillUp(filler))).rejects.toMatchObject({ reason: 'unavailable' });
      goOn();
      expect(await reading).toEqual([[{ rows: 300 }], [{ rows: 300 }]]);
      // Nothing is even begun while so little is free.
      await expect(read(() => {})).rejects.toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 30 } });
      expect(readdirSync(join(disk.path, 'warehouse')).filter((name) => name.startsWith('copy-'))).toEqual([]);
      expect(warehouse.spooledBytes).toBe(0);
      rmSync(filler);
      expect(await read(() => {})).toBe(300);
    } finally {
      await warehouse.close();
      disk.remove();
    }
  });
});

/** Takes all that is left of a disk. */
function fillUp(path: string): void {
  for (const size of [1_000_000, 4_096]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

describe('when the whole engine has to be reopened', () => {
  test('Whoever is at work is told to come again, and everything committed is there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-reopened-'));
    const warehouse = await openEmbeddedWarehouse(folder, someLimits);
    try {
      const [id, other] = [someOrganisationId(), someOrganisationId()];
      for (const one of [id, other])
        await warehouse.change(one, (session) => putRows(session, incidents, batch(1, 50)));
      let isReading = false;
      const reading = warehouse.read(other, async (session) => {
        for (;;) {
          await session.tally(incidents, []);
          isReading = true;
        }
      });
      const outcome = reading.catch((error: unknown) => error);
      await expect.poll(() => isReading).toBe(true);
      const fatal = new EngineError(new Error('database has been invalidated because of a previous fatal error'));
      const failed = warehouse.change(id, async (session) => {
        await putRows(session, incidents, batch(2, 50));
        throw fatal;
      });
      await expect(failed).rejects.toMatchObject({ reason: 'unavailable', cause: fatal });
      expect(await outcome).toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 1 } });
      expect(await count(warehouse, id)).toBe(50);
      expect(await count(warehouse, other)).toBe(50);
      await warehouse.change(id, (session) => putRows(session, incidents, batch(2, 50)));
      expect(await count(warehouse, id)).toBe(100);
    } finally {
      await warehouse.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what the engine says went wrong', () => {
  test.each([
    ['TransactionContext Error: Failed to commit: Could not write file "x.wal": No space left on device', 'file'],
    ['IO Error: Database "org_x" has been invalidated because checkpointing failed.', 'file'],
    ['FATAL Error: Failed: database has been invalidated because of a previous fatal error.', 'instance'],
    ['Binder Error: Table "t" does not have a column named "x"', undefined],
    ['Out of Memory Error: failed to offload data block (1/1 used)', undefined],
  ])('%s', (message, loss) => {
    expect(lossOf(new EngineError(new Error(message)), { isWriting: true })).toBe(loss);
  });

  test('What the engine says went wrong is no loss to whoever only reads when the disk is full: a spooled answer or a sort has no room', () => {
    const full = new EngineError(
      new Error('IO Error: Could not write file "copy-x/0.ndjson": No space left on device'),
    );
    expect(lossOf(full, { isWriting: true })).toBe('file');
    expect(lossOf(full, { isWriting: false })).toBeUndefined();
    expect(understood('x', full)).toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 30 } });
    const invalid = new EngineError(new Error('IO Error: Database "org_x" has been invalidated'));
    expect(lossOf(invalid, { isWriting: false })).toBe('file');
  });

  test('What the engine says went wrong is the caller’s business when there is not enough memory, or a file is still held', () => {
    for (const message of ['Out of Memory Error: failed to allocate', 'Binder Error: Unique file handle conflict: x']) {
      expect(understood('x', new EngineError(new Error(message)))).toMatchObject({ reason: 'unavailable' });
    }
    const other = new EngineError(new Error('something else'));
    expect(understood('x', other)).toBe(other);
    const ofTheCaller = new Error('ENOSPC: no space left on device, write');
    expect(lossOf(ofTheCaller, { isWriting: true })).toBeUndefined();
    expect(understood('x', ofTheCaller)).toBe(ofTheCaller);
  });
});
