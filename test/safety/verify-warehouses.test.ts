import { copyFileSync, existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dryRunIn } from '../../src/control/dry-run-in-place.ts';
import { setPerson } from '../../src/directory/people.ts';
import { type Verification, verify, verifyPlace } from '../../src/safety/verify.ts';
import { derivationRules } from '../../src/warehouse/schema.ts';
import { describeOnOneStore, postgres, type StoreHome, someOrganisation } from '../conformance/stores.ts';
import { isLong } from '../setup/how-long.ts';
import { filledPlace, ingestHistory, within, withinLast } from './filled-app.ts';
import { damagedPartsIn, flipBit, partOf } from './flipped-bits.ts';

let id = '';
let place: StoreHome;

beforeEach(async () => {
  ({ place, id } = await filledPlace());
});
afterEach(() => place.remove());

const warehouseFile = () => join(place.folder, 'warehouse', `${id}.duckdb`);
const problems = ({ findings }: Verification) => findings.map(({ problem }) => problem);
const deep = () => dryRunIn(place);

/** Does something to the file that the warehouse itself would never do. */
async function damage(...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(warehouseFile());
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

const flip = (at: number) => flipBit(warehouseFile(), at);

describe('verifying warehouses', () => {
  test('Verifying warehouses finds a flipped bit wherever it is', async () => {
    const { size } = statSync(warehouseFile());
    const anywhere = [9, 4_100, 8_200, ...[0.2, 0.5, 0.8].map((share) => Math.floor(size * share))];
    // What is wrong with the first byte hides all others.
    const [first = 0, ...others] = anywhere;
    for (const at of isLong ? anywhere : [first]) {
      flip(at);
      expect(problems(await verifyPlace(place)).join(), `byte ${at}`).toContain(id);
      flip(at);
    }
    for (const at of others) flip(at);
    expect(await damagedPartsIn(warehouseFile())).toEqual(new Set(others.map(partOf)));
    const found = problems(await verifyPlace(place));
    expect(found).toContain(`a header of the warehouse file of organisation ${id} does not match its checksum`);
    expect(found).toContain(`a block of the warehouse file of organisation ${id} does not match its checksum`);
    for (const at of others) flip(at);
    expect(await damagedPartsIn(warehouseFile())).toEqual(new Set());
  });

  test('Verifying warehouses finds a file that is something else, and what is wrong in others, also where the store cannot be opened', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    await damage("INSERT INTO issues SELECT * FROM issues WHERE issue_id = 'i1'");
    copyFileSync(warehouseFile(), join(place.folder, 'warehouse', `${other}.duckdb`));
    writeFileSync(join(place.folder, 'store.duckdb'), 'rubbish');
    writeFileSync(warehouseFile(), 'rubbish');
    const found = problems(await verifyPlace(place));
    expect(found).toContain('the store file does not begin like one');
    expect(found).toContainEqual(expect.stringMatching(/^the store cannot be opened/));
    expect(found.filter((one) => one.includes(other))).toEqual([
      expect.stringMatching(/issues has several rows for one key/),
    ]);
    expect(found).toContainEqual(
      expect.stringMatching(`the warehouse file of organisation ${id} does not begin like one`),
    );
    expect(found).toContainEqual(
      expect.stringMatching(`organisation ${id}: The file cannot be opened: .* not a valid`),
    );
  });

  test.each<[broken: string, statements: string[], problems: RegExp[]]>([
    [
      'a table and a column that are missing, and a column of another type',
      [
        'DROP TABLE incidents',
        'ALTER TABLE issues DROP COLUMN issue_title',
        'ALTER TABLE issues ALTER COLUMN story_points SET DATA TYPE VARCHAR',
      ],
      [
        /: issues\.issue_title is missing$/,
        /: issues\.story_points is VARCHAR instead of DOUBLE$/,
        /: incidents is missing$/,
      ],
    ],
    [
      'a part that says something else than its whole, and a part of nothing that says something',
      [
        "UPDATE pull_request_reviews SET pr_title = 'x' WHERE pr_id IN ('p1', 'p2')",
        "UPDATE posthook_session_messages SET session_id = 'none'",
      ],
      [
        /: pull_request_reviews\.pr_title differs from that of its pull_requests, in 2 rows$/,
        /: posthook_session_messages\.agent_slug differs from that of its posthook_sessions, in 1 rows$/,
      ],
    ],
  ])('Verifying warehouses finds %s', async (_broken, statements, expected) => {
    await damage(...statements);
    const found = problems(await verifyPlace(place));
    for (const problem of expected) expect(found).toContainEqual(expect.stringMatching(problem));
    expect(found.every((one) => one.startsWith(`organisation ${id}: `))).toBe(true);
  });

  test('Verifying warehouses finds a warehouse whose organisation is not in the store', async () => {
    const stranger = '00000000-0000-4000-8000-000000000000';
    renameSync(warehouseFile(), join(place.folder, 'warehouse', `${stranger}.duckdb`));
    expect(problems(await verifyPlace(place))).toEqual([`left over: organisation ${stranger} is not in the store`]);
  });

  test('Verifying warehouses notices a directory that was not passed on yet, and the rules of another version, which are no damage', async () => {
    await damage(
      'UPDATE pull_request_reviews SET review_rounds_bucket = NULL',
      `UPDATE state SET directory_version = 1, derivation_version = ${derivationRules - 1}`,
    );
    const { findings, notices } = await verifyPlace(place);
    expect(findings).toEqual([]);
    expect(notices).toMatchObject([
      { problem: expect.stringContaining('another directory'), examples: [id] },
      {
        problem:
          'a warehouse was derived by the rules of another version of Plumb, and is recomputed when a server runs',
        examples: [id],
      },
    ]);
  });

  test('Verifying warehouses finds what is derived wrongly when it is asked to recompute everything, and only then, and leaves it as it was', async () => {
    const before = await within(place, async (app) => {
      const [owner] = await app.store.read((session) =>
        session.rows<{ id: string }>("SELECT id FROM people WHERE organisation_id = $1 AND access_role = 'Owner'", [
          id,
        ]),
      );
      // No table depends on a new key: nothing is said of it.
      await app.keys.create(id, { via: 'demo' }, { creatorId: owner?.id ?? '', name: 'new' });
      return app.warehouse.checksum(id);
    });
    await damage("UPDATE pull_requests SET cycle_time = cycle_time + 1 WHERE pr_id = 'p1'");
    const { findings, notices, rows } = await verifyPlace(place);
    expect([findings, notices]).toEqual([[], []]);
    expect(rows).toMatchObject({ people: 21, 'warehouse/pull_requests': 30, 'warehouse/people': 20 });
    // What is in all the other tables is what their records give.
    expect(problems(await verifyPlace(place, deep()))).toEqual([
      `organisation ${id}: pull_requests is not what its records give`,
    ]);
    await damage("UPDATE pull_requests SET cycle_time = cycle_time - 1 WHERE pr_id = 'p1'");
    expect(await withinLast(place, (app) => app.warehouse.checksum(id))).toEqual(before);
    expect(readdirSync(place.folder).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(join(place.folder, 'warehouse')).filter((name) => name.startsWith('copy-'))).toEqual([]);
  });
});

describeOnOneStore('verifying warehouses beside a database', postgres, (engine) => {
  test('Verifying warehouses beside a database finds nothing while an app is open and being changed', async () => {
    const elsewhere = await engine.place();
    const deepThere = dryRunIn(elsewhere);
    await within(elsewhere, async (app) => {
      const { id: other } = await someOrganisation(app.store);
      const context = { organisationId: other, actor: { via: 'demo' } } as const;
      await ingestHistory(app, other, 3, ['pull_requests', 'pull_request_reviews']);
      const options = { warehouse: app.warehouse, deep: deepThere };
      const both = Promise.allSettled([verify(app.store, options), verify(app.store, options)]);
      for (let i = 0; i < 3; i += 1) {
        await setPerson(app.directory, context, 'p6@x.org', { name: `N${i}` }, { create: i === 0 });
      }
      const outcomes = await both;
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') expect(outcome.value.findings).toEqual([]);
        else expect(outcome.reason).toMatchObject({ reason: 'conflict' });
      }
    });
    expect(existsSync(join(elsewhere.folder, '.verifying'))).toBe(false);
    await elsewhere.remove();
  });
});
