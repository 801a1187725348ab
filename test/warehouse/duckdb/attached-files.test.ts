import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ticketOf } from '../../../src/admission/ticket.ts';
import { AttachedFiles } from '../../../src/warehouse/duckdb/attached-files.ts';
import { defaultFiles } from '../../../src/warehouse/duckdb/limits.ts';
import { times } from '../../setup/how-long.ts';

/** Stands for the engine, and complains where the real one would lose rows or refuse. */
class WatchedFiles {
  readonly open = new Set<string>();
  readonly #busy = new Set<string>();
  readonly users = new Map<string, number>();
  attachments = 0;
  maxOpen = 0;
  failing = new Set<string>();

  async attach(id: string): Promise<void> {
    await this.#work(id, () => {
      if (this.open.has(id)) throw new Error(`${id} was attached twice`);
      if (this.failing.delete(id)) throw new Error(`${id} cannot be attached`);
      this.open.add(id);
      this.attachments += 1;
    });
  }

  async detach(id: string): Promise<void> {
    await this.#work(id, () => {
      if (!this.open.delete(id)) throw new Error(`${id} was detached twice`);
      if ((this.users.get(id) ?? 0) > 0) throw new Error(`${id} was detached under a reader`);
    });
  }

  async #work(id: string, change: () => void): Promise<void> {
    if (this.#busy.has(id)) throw new Error(`${id} was attached and detached at once`);
    this.#busy.add(id);
    this.maxOpen = Math.max(this.maxOpen, new Set([...this.open, ...this.#busy]).size);
    await new Promise((resolve) => setImmediate(resolve));
    this.#busy.delete(id);
    change();
  }
}

const asking = (maxMs: number) => ticketOf({ organisationId: 'a', keyId: 'k' }, maxMs);
const patient = asking(60_000);

describe('files that are attached', () => {
  test('Files that are attached are never more than allowed, never attached twice, never detached under a reader, and everyone is served', async () => {
    const visit = fc.record({
      file: fc.integer({ min: 0, max: 9 }),
      turnsBefore: fc.integer({ min: 0, max: 6 }),
      turnsInside: fc.integer({ min: 0, max: 6 }),
      fails: fc.boolean(),
    });
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(visit, { minLength: 1, maxLength: 60 }),
      async (most, visits) => {
        const watched = new WatchedFiles();
        const files = new AttachedFiles(watched, most);
        const outcomes = visits.map(async ({ file, turnsBefore, turnsInside, fails }) => {
          const id = `f${file}`;
          for (let i = 0; i < turnsBefore; i++) await new Promise((resolve) => setImmediate(resolve));
          if (fails) watched.failing.add(id);
          const release = await files.hold(id, patient).catch((error: Error) => {
            if (error.message !== `${id} cannot be attached`) throw error;
          });
          if (!release) return;
          watched.users.set(id, (watched.users.get(id) ?? 0) + 1);
          expect(watched.open.has(id)).toBe(true);
          for (let i = 0; i < turnsInside; i++) {
            await new Promise((resolve) => setImmediate(resolve));
            expect(watched.open.has(id)).toBe(true);
          }
          watched.users.set(id, (watched.users.get(id) ?? 0) - 1);
          release();
          release();
        });
        await Promise.all(outcomes);
        expect(watched.maxOpen).toBeLessThanOrEqual(most);
        expect(new Set(await files.close())).toEqual(watched.open);
      },
    );
    await fc.assert(property, { numRuns: times(150) });
  });

  test('Files that are attached stay attached until their place is needed, and those that were used last stay longest', async () => {
    const watched = new WatchedFiles();
    const files = new AttachedFiles(watched, 2);
    const use = async (id: string) => (await files.hold(id, patient))();
    for (const id of ['a', 'b', 'a', 'b', 'a']) await use(id);
    expect(watched.attachments).toBe(2);
    await use('c');
    expect([...watched.open]).toEqual(['a', 'c']);
  });

  test('Whoever finds every file in use waits for one, until patience ends or they leave', async () => {
    const watched = new WatchedFiles();
    const files = new AttachedFiles(watched, 1);
    const release = await files.hold('a', patient);
    await expect(files.hold('b', asking(5))).rejects.toMatchObject({ reason: 'unavailable' });
    const leaving = new AbortController();
    const left = files.hold('b', { ...patient, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const waiting = files.hold('c', patient);
    const stays = await files.hold('a', patient);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect([...watched.open]).toEqual(['a']);
    stays();
    (await waiting)();
    expect([...watched.open]).toEqual(['c']);
  });

  test('A file that could not be detached in peace leaves its place all the same', async () => {
    const detach = vi.fn(async () => {
      throw new Error('the disk is full');
    });
    const files = new AttachedFiles({ attach: async () => {}, detach }, 1);
    for (const id of ['a', 'b', 'a']) (await files.hold(id, patient))();
    expect(detach).toHaveBeenCalledTimes(2);
  });

  test('Closing stops those who wait', async () => {
    const files = new AttachedFiles(new WatchedFiles(), 1);
    await files.hold('a', patient);
    const waiting = files.hold('b', patient);
    waiting.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(await files.close()).toEqual(['a']);
    await expect(waiting).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

test.each([
  [1e9, Number.POSITIVE_INFINITY, 256],
  [1e9, 1_024, 256],
  [1e9, 256, 64],
  [1e9, 8, 4],
  [30e6, 1_024, 10],
  [1e6, 1_024, 4],
])('With %d bytes and %s file descriptors %i files are open at once', (memory, descriptors, files) => {
  expect(defaultFiles(memory, descriptors)).toBe(files);
});
