import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe('rows that are written again and again', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  beforeEach(async () => {
    place = await someWarehouse();
  });
  afterEach(() => place.close());

  /** Texts that no compression makes much smaller. */
  const noise = (seed: number) => createHash('sha512').update(String(seed)).digest('base64').repeat(4);
  const rows = (version: number) =>
    Array.from({ length: 4_000 }, (_, i) =>
      rowOf(workflowRuns, {
        workflow_run_id: `r${i}`,
        run_created_at: 1_600_000_000 + i,
        workflow_name: noise(i * 1_000 + version),
        branch: noise(i * 1_000 + version + 0.5),
      }),
    );
  const path = () => join(place.place, `${id}.duckdb`);
  const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);
  const rounds = 200;
  const maxLogBytes = 100_000_000;
  /** All that is written comes to 600 MB. The file holds two or three generations between two checkpoints. */
  const maxFileBytes = 170_000_000;

  test('Rows that are written again and again take up no more and more space', async () => {
    const { warehouse } = place;
    const sizes: number[] = [];
    for (let i = 0; i < rounds; i++) {
      await warehouse.change(id, (session) => putRows(session, workflowRuns, rows(i)));
      expect(sizeOf(`${path()}.wal`)).toBeLessThan(maxLogBytes);
      sizes.push(sizeOf(path()));
    }
    expect(Math.max(...sizes)).toBeLessThan(maxFileBytes);
  });

  test('Rows that are written again and again take up no more and more space even where somebody is always reading, once they are reclustered', async () => {
    const { warehouse } = place;
    let isOver = false;
    const reader = async (offset: number) => {
      await sleep(offset);
      while (!isOver) {
        await warehouse.read(id, async (session) => {
          await session.tally(workflowRuns, []);
          await sleep(60);
        });
      }
    };
    const readers = [reader(0), reader(20), reader(40)];
    const sizes: number[] = [];
    for (let i = 0; i < rounds; i++) {
      await warehouse.change(id, (session) => putRows(session, workflowRuns, rows(i)));
      if (i % 15 === 14) {
        await warehouse.recluster(id);
        sizes.push(sizeOf(path()));
      }
    }
    isOver = true;
    await Promise.all(readers);
    expect(await warehouse.read(id, (session) => session.tally(workflowRuns, []))).toEqual([{ rows: 4_000 }]);
    expect(Math.max(...sizes)).toBeLessThan(maxFileBytes);
  });
});
