import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Sessions } from '../../src/access/sign-in-sessions.ts';
import { type Verification, verify, verifyPlace } from '../../src/safety/verify.ts';
import { storeTables } from '../../src/store/all-store-tables.ts';
import type { Store } from '../../src/store/store.ts';
import { noon } from '../conformance/some-organisation.ts';
import { describeOnEveryStore, embedded, postgres, type StoreHome, sharedStore } from '../conformance/stores.ts';
import { isLong, times } from '../setup/how-long.ts';
import { filledHome, peopleFilled } from './filled-home.ts';
import { fill } from './filled-store.ts';
import { damagedPartsIn, flipBit, partOf } from './flipped-bits.ts';

/** Verifies a store in a transaction that breaks it and is never committed. */
async function verifiedDamage(
  store: Store,
  organisationId: string,
  statements: readonly string[],
): Promise<Verification> {
  let verification: Verification | undefined;
  class PutRight extends Error {}
  const broken = store.note(async (session) => {
    for (const statement of statements) await session.run(statement, [organisationId]);
    verification = await verify({ ...store, read: (work) => work(session) } as Store);
    throw new PutRight();
  });
  await expect(broken).rejects.toBeInstanceOf(PutRight);
  if (!verification) throw new Error('nothing was verified');
  return verification;
}

describeOnEveryStore('verifying a store', (engine) => {
  const store = sharedStore(engine);
  let organisation = '';
  beforeAll(async () => {
    const filled = await fill(store());
    organisation = filled.id;
    await new Sessions(store(), () => noon).begin(filled.id, filled.ownerId, 'password');
    await store().note((session) =>
      session.run(
        `INSERT INTO messages (organisation_id, id, about_kind, about_slug, receiver, medium, shown, title, state, tries,
           queued_at, next_try_at)
         VALUES ($1, 'd1', 'alert', 'lead-time', 'slack:1', 'slack', 'x', 'Title', 'sent', 1, now(), now())`,
        [filled.id],
      ),
    );
  });

  test('Verifying a store finds nothing where nothing is wrong, and says what it has read', async () => {
    const { findings, rows } = await verify(store());
    expect(findings).toEqual([]);
    expect(Object.keys(rows)).toEqual(storeTables.map(({ name }) => name));
    for (const count of Object.values(rows)) expect(count).toBeGreaterThan(0);
  });

  const p = '(SELECT min(id) FROM people WHERE organisation_id = $1)';
  const damages: readonly [group: string, broken: string, statement: string, problem: RegExp][] = [
    [
      'A',
      'an identity of nobody',
      "UPDATE identities SET person_id = 'ghost' WHERE organisation_id = $1 AND key = 'p3@x.org'",
      /identities\.person_id names something that is not in people/,
    ],
    [
      'A',
      'a session of nobody',
      "UPDATE sessions SET person_id = 'ghost' WHERE organisation_id = $1",
      /sessions\.person_id names something that is not in people/,
    ],
    [
      'A',
      'a password in clear',
      "UPDATE passwords SET hash = 'correct horse' WHERE organisation_id = $1",
      /passwords\.hash|hash is not an Argon2id hash/,
    ],
    [
      'A',
      'a member who is not there',
      "UPDATE team_members SET person_id = 'ghost' WHERE organisation_id = $1 AND person_id = (SELECT min(person_id) FROM team_members WHERE organisation_id = $1)",
      /team_members\.person_id/,
    ],
    [
      'B',
      'a membership of no team',
      "INSERT INTO team_members SELECT $1, 'ghost', id FROM people WHERE organisation_id = $1",
      /team_members\.team_id names something that is not in teams/,
    ],
    [
      'B',
      'a brought membership that is not there',
      "DELETE FROM team_members WHERE organisation_id = $1 AND team_id = (SELECT id FROM teams WHERE organisation_id = $1 AND name = 'Höst')",
      /a source brought a membership that is not there/,
    ],
    [
      'C',
      'a membership that no source brought',
      "UPDATE source_memberships SET source_id = 'ghost' WHERE organisation_id = $1",
      /source_memberships\.source_id names something that is not in sources/,
    ],
    [
      'A',
      'an account of no source',
      "UPDATE source_people SET source_id = 'ghost' WHERE organisation_id = $1",
      /source_people\.source_id/,
    ],
    [
      'B',
      'an account that is not matched',
      "UPDATE source_people SET login = 'Other' WHERE organisation_id = $1",
      /source_people\.login_key is not how login is matched/,
    ],
    ['A', 'a manager of no team', `INSERT INTO team_managers SELECT $1, 'ghost', ${p}`, /team_managers\.team_id/],
    ['B', 'a membership of no squad', `INSERT INTO squad_members SELECT $1, 'ghost', ${p}`, /squad_members\.squad_id/],
    [
      'B',
      'a key of no organisation',
      "UPDATE api_keys SET organisation_id = 'ghost' WHERE organisation_id = $1",
      /api_keys\.organisation_id names something that is not in organisations/,
    ],
    [
      'B',
      'a sign-in of no organisation',
      "UPDATE sign_ins SET organisation_id = 'ghost' WHERE organisation_id = $1",
      /sign_ins\.organisation_id/,
    ],
    [
      'A',
      'a key rotated from nothing',
      "UPDATE api_keys SET rotated_from = 'ghost' WHERE organisation_id = $1",
      /api_keys\.rotated_from/,
    ],
    [
      'A',
      'a merge into nobody',
      "UPDATE merges SET survivor_id = 'ghost' WHERE organisation_id = $1",
      /merges\.survivor_id/,
    ],
    [
      'B',
      'a merge without its record',
      'DELETE FROM merges WHERE organisation_id = $1',
      /merged_into and the record of the merge differ/,
    ],
    [
      'A',
      'a merge that was not carried through',
      'UPDATE people SET effective_id = id WHERE organisation_id = $1',
      /effective_id is not the end of the chain/,
    ],
    [
      'C',
      'a circle of merges',
      'UPDATE people SET merged_into = id WHERE organisation_id = $1 AND merged_into IS NOT NULL',
      /merges lead round in a circle/,
    ],
    [
      'A',
      'a main address of nobody',
      "UPDATE people SET main_email = 'ghost@x.org' WHERE organisation_id = $1 AND main_email = 'p5@x.org'",
      /main_email is not among/,
    ],
    [
      'B',
      'a main address of another',
      "UPDATE people SET main_email = 'P6@x.org' WHERE organisation_id = $1 AND main_email = 'p5@x.org'",
      /main_email is not among/,
    ],
    [
      'A',
      'two teams of one name',
      "INSERT INTO teams SELECT $1, 'twin', 'T1', 't1', false, NULL",
      /two teams of an organisation have the same name/,
    ],
    [
      'B',
      'a name that is not matched',
      "UPDATE teams SET name = 'Other' WHERE organisation_id = $1 AND id = 't1'",
      /teams\.name_key is not how name is matched/,
    ],
    [
      'B',
      'an identity that is not matched',
      "UPDATE identities SET value = 'Other' WHERE organisation_id = $1 AND key = 'gh4'",
      /identities\.key is not how value is matched/,
    ],
    ['D', 'no Owner', "UPDATE people SET access_role = 'Engineer' WHERE organisation_id = $1", /has no Owner/],
    [
      'A',
      'a key instead of its hash',
      "UPDATE api_keys SET hash = 'plumb_secret' WHERE organisation_id = $1",
      /api_keys\.hash is not a SHA-256/,
    ],
    [
      'C',
      'an audit entry of the future',
      'UPDATE organisations SET version = 1 WHERE id = $1',
      /later version than its organisation/,
    ],
    [
      'A',
      'squads in a circle',
      "INSERT INTO squads SELECT $1, 'top', 'Top', 'top', false, NULL, 'red', NULL",
      /a squad is above itself/,
    ],
    [
      'D',
      'broken JSON',
      "UPDATE people SET permissions = '[' WHERE organisation_id = $1",
      /people\.permissions is not a JSON list/,
    ],
  ];
  const expectFound = ({ findings }: Verification, problems: readonly RegExp[]): void => {
    const found = findings.map((finding) => finding.problem);
    for (const problem of problems) expect(found).toContainEqual(expect.stringMatching(problem));
    for (const { count, examples } of findings) {
      expect(count).toBeGreaterThan(0);
      expect(examples.length).toBeLessThanOrEqual(5);
      expect(examples.join()).not.toMatch(/@|gh\d/);
    }
  };

  // Statements take PostgreSQL a fifth of the time: one by one there, and in the ordinary run all that do not hide each
  // other at once in the embedded engine.
  if (engine === postgres || isLong || !postgres.isAvailable) {
    test.each(damages.map(([, ...damage]) => damage))(
      'Verifying a store finds %s',
      async (_broken, statement, problem) => {
        expectFound(await verifiedDamage(store(), organisation, [statement]), [problem]);
      },
    );
  } else {
    test.each(['A', 'B', 'C', 'D'])(
      'Verifying a store finds all damage of group %s, which is there at once',
      async (group) => {
        const some = damages.filter(([one]) => one === group);
        const statements = some.map(([, , statement]) => statement);
        expectFound(
          await verifiedDamage(store(), organisation, statements),
          some.map(([, , , problem]) => problem),
        );
      },
    );
  }
});

describe('verifying a data folder', () => {
  let place: StoreHome;
  beforeEach(async () => {
    ({ place } = await filledHome(embedded));
  });
  afterEach(() => place.remove());

  const file = () => join(place.folder, 'store.duckdb');
  const flip = (at: number) => flipBit(file(), at);

  test('Verifying a data folder finds nothing in a sound one, and leaves it as it was', async () => {
    for (let i = 0; i < times(1, 2); i += 1) {
      const { findings, rows } = await verifyPlace(place);
      expect(findings).toEqual([]);
      expect(rows.people).toBe(peopleFilled + 1);
    }
  });

  test('Verifying a data folder finds a flipped bit wherever it is', async () => {
    const { size } = statSync(file());
    const places = times(4, 12);
    const inside = Array.from({ length: places }, (_, i) => Math.floor((size * (i + 0.5)) / places));
    const anywhere = [9, 4_100, 8_200, 12_290, ...inside];
    // What is wrong with the first byte hides all others.
    const [first = 0, ...others] = anywhere;
    for (const at of isLong ? anywhere : [first]) {
      flip(at);
      expect((await verifyPlace(place)).findings, `byte ${at}`).not.toEqual([]);
      flip(at);
    }
    for (const at of others) flip(at);
    expect(await damagedPartsIn(file())).toEqual(new Set(others.map(partOf)));
    const found = (await verifyPlace(place)).findings.map(({ problem }) => problem);
    expect(found).toContain('a header of the store file does not match its checksum');
    expect(found).toContain('a block of the store file does not match its checksum');
    for (const at of others) flip(at);
    expect((await verifyPlace(place)).findings).toEqual([]);
  });

  test('Verifying a data folder finds a file that is cut short, is something else, or is gone', async () => {
    truncateSync(file(), statSync(file()).size - 300_000);
    expect((await verifyPlace(place)).findings).not.toEqual([]);
    writeFileSync(file(), 'rubbish');
    expect((await verifyPlace(place)).findings).not.toEqual([]);
    rmSync(file());
    expect((await verifyPlace(place)).findings).toMatchObject([
      { problem: 'the store is missing from the data folder' },
    ]);
  });

  test('Verifying a data folder refuses a folder that never had a store', async () => {
    const empty = await embedded.place();
    await expect(verifyPlace(empty)).rejects.toMatchObject({ reason: 'not-found' });
    await empty.remove();
  });
});
