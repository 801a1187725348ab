import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import type { TableRecords } from '../../../src/ingest/read/record-changes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const part = (...records: readonly object[]): TableRecords => ({
  table: 'pull_requests',
  lines: records.map((value, i) => ({ line: i + 1, value })),
});

describe('records that are all taken or none', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const ids = async () => (await app.select(pullRequests, ['pr_id'])).map(({ pr_id }) => pr_id).sort();
  const putStrictly = (parts: AsyncIterable<TableRecords>) =>
    app.app.ingest.putStrictly(app.context.organisationId, parts);

  test('Records that are all taken or none keep nobody waiting while their sender sends', async () => {
    let goOn = () => {};
    const slowly = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const strict = putStrictly(
      (async function* () {
        yield part({ pr_id: 'slow-1', pr_title: 'One ~ 😀' });
        await slowly;
        yield part({ pr_id: 'slow-2' }, { pr_id: 'slow-1', pr_body: 'more' });
      })(),
    );
    await app.put('pull_requests', [{ pr_id: 'quick' }]);
    expect(await ids()).toEqual(['quick']);
    goOn();
    expect(await strict).toEqual({ accepted: 3, rejected: [] });
    expect(await ids()).toEqual(['quick', 'slow-1', 'slow-2']);
    expect(await app.select(pullRequests, ['pr_title', 'pr_body'], { column: 'pr_id', in: ['slow-1'] })).toEqual([
      { pr_title: 'One ~ 😀', pr_body: 'more' },
    ]);
  });

  test('Records that are all taken or none are none where one is bad, and every bad one is reported', async () => {
    const outcome = await putStrictly(
      (async function* () {
        yield part({ pr_id: 'good' }, { pr_id: 'bad', additions: 'many' });
        yield part({ pr_title: 'nameless' });
      })(),
    );
    expect(outcome).toEqual({
      accepted: 0,
      rejected: [
        { line: 2, detail: "additions must be a whole number, not 'many'" },
        { line: 1, detail: expect.stringContaining('pr_id is missing: a pull request cannot do without it') },
      ],
    });
    expect(await ids()).toEqual([]);
  });

  test('Records that are all taken or none are none where they break off, and leave no file behind', async () => {
    const before = readdirSync(app.app.folder).sort();
    const broken = putStrictly(
      (async function* () {
        yield part({ pr_id: 'good' });
        throw new Error('the line went dead');
      })(),
    );
    await expect(broken).rejects.toThrow('the line went dead');
    expect(await ids()).toEqual([]);
    expect(readdirSync(app.app.folder).filter((name) => !before.includes(name) && name !== 'warehouse')).toEqual([]);
  });

  test('Records that are all taken or none for an organisation that is not there are refused before they are sent', async () => {
    const nobody = app.app.ingest.putStrictly(
      '00000000-0000-4000-8000-000000000000',
      (async function* (): AsyncGenerator<TableRecords> {
        yield* [];
        throw new Error('it was asked for records');
      })(),
    );
    await expect(nobody).rejects.toMatchObject({ reason: 'not-found' });
  });
});
