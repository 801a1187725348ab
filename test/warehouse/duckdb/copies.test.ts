import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personEmailsCopy } from '../../../src/catalogue/directory-copies.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { storedTables } from '../../../src/warehouse/schema.ts';
import { everyRow, fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

describe('copies of a warehouse', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  let whole: string;
  beforeAll(async () => {
    place = await someWarehouse(fewRows);
    await place.warehouse.change(id, async (session) => {
      await putRows(
        session,
        pullRequests,
        Array.from({ length: 500 }, (_, i) =>
          rowOf(pullRequests, {
            pr_id: `p${i}`,
            pr_title: i % 3 === 0 ? null : `"quoted" 🦆 ${i}\n`,
            pr_created_at: 1_600_000_000 + i,
            complexity_score: i / 7,
            is_draft: i % 2 === 0,
            labels: '["a"]',
            additions: Number.MAX_SAFE_INTEGER - i,
          }),
        ),
      );
      await putRows(session, incidents, [rowOf(incidents, { incident_id: '', title: '' })]);
      await session.setDirectoryVersion(12);
      await session.setDerivationVersion(3);
    });
    whole = await place.warehouse.makeCopyFolder();
    await place.warehouse.copyOut(id, whole);
  });
  afterAll(() => place.close());

  /** Copies of everything, in a folder of their own. */
  async function copied(): Promise<string> {
    const folder = await place.warehouse.makeCopyFolder();
    cpSync(whole, folder, { recursive: true });
    return folder;
  }

  test('Copies of a warehouse hold everything, and fill another warehouse with exactly the same', async () => {
    const { warehouse } = place;
    const folder = await warehouse.makeCopyFolder();
    const copies = await warehouse.copyOut(id, folder);
    expect(copies.map(({ table }) => table)).toEqual(storedTables.map(({ name }) => name));
    expect(copies.find(({ table }) => table === 'pull_requests')).toEqual({
      table: 'pull_requests',
      path: join(folder, 'pull_requests.parquet'),
      rows: 500,
    });
    const other = someOrganisationId();
    const taken = await warehouse.copyIn(other, folder);
    expect(taken).toEqual(copies);
    expect(await warehouse.checksum(other)).toEqual(await warehouse.checksum(id));
    const versions = await warehouse.read(other, async (session) => [
      await session.directoryVersion(),
      await session.derivationVersion(),
    ]);
    expect(versions).toEqual([12, 3]);
    const [a, b] = await Promise.all(
      [id, other].map((one) => warehouse.read(one, (session) => everyRow(session, pullRequests))),
    );
    expect(b).toEqual(a);
  });

  test('Copies of a warehouse are of one state, whatever is written meanwhile', async () => {
    const { warehouse } = place;
    const before = await warehouse.checksum(id);
    const folder = await warehouse.makeCopyFolder();
    let isOver = false;
    const writer = (async () => {
      for (let i = 0; !isOver; i++) {
        await warehouse.change(id, async (session) => {
          await putRows(session, issues, [rowOf(issues, { issue_id: `x${i}` })]);
          await putRows(session, incidents, [rowOf(incidents, { incident_id: `x${i}` })]);
        });
      }
    })();
    await warehouse.copyOut(id, folder);
    isOver = true;
    await writer;
    const other = someOrganisationId();
    await warehouse.copyIn(other, folder);
    const digests = await warehouse.checksum(other);
    const rowsOf = (name: string) => digests.find(({ table }) => table === name)?.rows;
    expect(rowsOf('issues')).toBe((rowsOf('incidents') ?? 0) - 1);
    expect(digests.find(({ table }) => table === 'pull_requests')).toEqual(
      before.find(({ table }) => table === 'pull_requests'),
    );
  });

  test('Copies of a warehouse are taken in only where nothing is yet', async () => {
    const { warehouse } = place;
    const folder = await copied();
    const other = someOrganisationId();
    await warehouse.change(other, (session) => putRows(session, issues, [rowOf(issues, { issue_id: 'here' })]));
    const before = await warehouse.checksum(other);
    await expect(warehouse.copyIn(other, folder)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await warehouse.checksum(other)).toEqual(before);
  });

  test('Copies of a warehouse are taken in all or nothing', async () => {
    const { warehouse } = place;
    const folder = await copied();
    writeFileSync(join(folder, 'workflow_runs.parquet'), 'this is no Parquet file');
    const other = someOrganisationId();
    await expect(warehouse.copyIn(other, folder)).rejects.toThrow();
    expect((await warehouse.checksum(other)).filter(({ rows }) => rows > 0)).toEqual([]);
  });

  test('Copies of a warehouse of an older warehouse, without some tables, leave those empty', async () => {
    const { warehouse } = place;
    const folder = await copied();
    rmSync(join(folder, 'incidents.parquet'));
    rmSync(join(folder, 'state.parquet'));
    const other = someOrganisationId();
    await warehouse.copyIn(other, folder);
    expect(await warehouse.read(other, (session) => everyRow(session, incidents))).toEqual([]);
    expect(await warehouse.read(other, (session) => everyRow(session, pullRequests))).toHaveLength(500);
    expect(await warehouse.read(other, (session) => session.directoryVersion())).toBe(0);
  });

  test('Copies of a warehouse of an older warehouse, without some of the directory, have the directory published again', async () => {
    const { warehouse } = place;
    const folder = await copied();
    rmSync(join(folder, `${personEmailsCopy.name}.parquet`));
    const other = someOrganisationId();
    await warehouse.copyIn(other, folder);
    expect(await warehouse.read(other, (session) => session.directoryVersion())).toBe(0);
  });

  test('Copies of a warehouse are made nowhere but in folders of the warehouse', async () => {
    const { warehouse } = place;
    for (const folder of [
      place.folder,
      place.place,
      join(place.place, 'other'),
      '/tmp',
      `${place.place}/copy-x/../..`,
    ]) {
      await expect(warehouse.copyOut(id, folder)).rejects.toMatchObject({ reason: 'bad-input' });
      await expect(warehouse.copyIn(id, folder)).rejects.toMatchObject({ reason: 'bad-input' });
    }
    expect(readdirSync(place.folder)).toEqual(['warehouse']);
  });
});
