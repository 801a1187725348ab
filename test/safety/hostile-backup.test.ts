import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { verifyBackup } from '../../src/safety/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { openWarehouse } from '../../src/warehouse/open.ts';
import { directoryOf, embedded, freshFolder, type StoreHome } from '../conformance/stores.ts';
import { isLong } from '../setup/how-long.ts';
import { filledHome } from './filled-home.ts';
import { backUp, dump } from './filled-store.ts';
import { repacked, replace } from './repacked.ts';

/** A backup of an organisation that has set everything, to be edited by hand. */
const folder = freshFolder();
const whole = join(folder.path, 'whole.backup');
const edited = join(folder.path, 'edited.backup');
const places: StoreHome[] = [];
beforeAll(async () => {
  const { place, id } = await filledHome(embedded);
  places.push(place);
  const store = await openStore(place);
  const warehouse = await openWarehouse(place);
  await setOrganisation(
    directoryOf(store),
    { organisationId: id, actor: { via: 'demo' } },
    { time_zone: 'Asia/Calcutta', runner_prices: '{"ubuntu": 0.008}', incident_window_days: '14' },
  );
  await backUp({ store, warehouse }, whole);
  await warehouse.close();
  await store.close();
});
afterAll(async () => {
  folder.remove();
  for (const place of places) await place.remove();
});

type BackupRow = Record<string, unknown>;

/** Writes the backup with the first row of a table changed, and everything that is counted or summed put right. */
async function edit(table: string, change: BackupRow): Promise<void> {
  const name = `store/${table}.ndjson`;
  const bytes = await repacked(whole, (entries) => {
    const [first = '', ...rest] = String(entries.get(name)).split('\n');
    const row = { ...(JSON.parse(first) as BackupRow), ...change };
    replace(entries, 'manifest.json', name, Buffer.from([JSON.stringify(row), ...rest].join('\n')));
  });
  writeFileSync(edited, bytes);
}

const cases: readonly [table: string, change: BackupRow, says: RegExp][] = [
  ['organisations', { time_zone: 'Mars/Olympus' }, /time_zone must be an IANA name/],
  ['organisations', { time_zone: 'europe/vienna' }, /time_zone is not written as/],
  ['organisations', { name: ' ' }, /name must not be blank/],
  ['organisations', { incident_window_days: -3 }, /incident_window_days must be a whole number from 1 to 365/],
  ['organisations', { survey_minimum_group: 0 }, /survey_minimum_group must be a whole number from 1 to 1000/],
  ['organisations', { runner_prices: '{"ubuntu": -1}' }, /runner_prices must be JSON such as/],
  ['organisations', { runner_prices: '[1]' }, /runner_prices must be JSON such as/],
  ['organisations', { runner_prices: 'free' }, /runner_prices must be JSON such as/],
  ['organisations', { version: -1 }, /version must be 0 or more/],
  ['organisations', { id: '../../etc' }, /id must be a UUID/],
  ['organisations', { super_admins: true }, /has 'super_admins', which is no column of organisations/],
  ['people', { access_role: 'Emperor' }, /access_role must be one of Owner, Manager, Squad Lead, Engineer\./],
  ['people', { access_role: 'owner' }, /access_role must be spelled as one of Owner, /],
  ['people', { permissions: '["can-do-anything"]' }, /permissions must be one of can-view-salaries\./],
  ['people', { permissions: '{}' }, /permissions is not a JSON list/],
  ['people', { main_email: 'nobody' }, /main_email must be an email address/],
  ['people', { created_date: '2024-02-31' }, /created_date must be a date such as/],
  ['people', { name: 'x'.repeat(10_001) }, /name must have at most 10000 characters/],
  ['identities', { kind: 'face' }, /kind must be email or login/],
  ['identities', { kind: 'email', value: 'p0', key: 'p0', source: '' }, /value must be an email address/],
  ['identities', { value: 'Other@x.org' }, /key is not how value is matched/],
  ['teams', { name_key: 'other' }, /name_key is not how name is matched/],
  ['squads', { level: -1 }, /level must be 1 or more/],
  ['repositories', { deployment_source: 'guess' }, /deployment_source must be one of bitbucket_deployment/],
  ['repositories', { deploy_workflows: '"x"' }, /deploy_workflows is not a JSON list/],
  ['repositories', { name: 'x', key: 'x' }, /name must be 'owner\/name'/],
  ['api_keys', { hash: 'plumb_key' }, /hash is not a SHA-256/],
  ['audit_log', { details: '7' }, /details is not a JSON object/],
  ['sources', { name_key: 'other' }, /name_key is not how name is matched/],
  ['sources', { added_by: 'anyone' }, /added_by must be one of command, api/],
  ['sources', { settings: '{"token":7}' }, /settings is not a JSON object of texts/],
  ['sources', { secrets: 'ghp_in_clear' }, /secrets is not encrypted/],
  ['source_syncs', { outcome: 'splendid' }, /outcome must be one of complete, partial, failed/],
  ['source_streams', { state: '7' }, /state is not a JSON object/],
  ['source_streams', { read_count: -1 }, /read_count must be 0 or more/],
  ['webhook_deliveries', { objects: '{}' }, /objects is not a JSON list/],
];

test.each(cases)('An entry of %s with %o is refused by entry and field', async (table, change, says) => {
  await edit(table, change);
  const problems = (await verifyBackup(edited)).findings.map(({ problem }) => problem);
  expect(problems).toEqual([expect.stringMatching(says)]);
  expect(problems[0]).toContain(`line 1 of store/${table}.ndjson`);
  for (const secret of ['Emperor', 'Mars', 'Other@x.org', 'plumb_key', 'ghp_in_clear']) {
    expect(problems[0]).not.toContain(secret);
  }
});

/** Whatever is wrong is found by the same reader, which a restore asks, too. */
const ofSomeTables = cases.filter(([table], i) => cases.findIndex(([one]) => one === table) === i && i % 3 === 0);

test.each(isLong ? cases : ofSomeTables)(
  'Nothing is restored of a backup with an entry of %s with %o, and the refusal is what `plumb verify FILE` says',
  async (table, change) => {
    await edit(table, change);
    const place = await embedded.place();
    places.push(place);
    const refused = await restoreInto(place, edited).then(
      () => 'restored',
      (error: Error) => error.message,
    );
    expect(readdirSync(place.folder)).toEqual(['folder.lock']);
    expect((await verifyBackup(edited)).findings.map(({ problem }) => problem)).toEqual([refused]);
  },
);

test('What commands and records can set is restored as it is', async () => {
  const place = await embedded.place();
  places.push(place);
  await restoreInto(place, whole);
  expect(existsSync(join(place.folder, 'store.duckdb'))).toBe(true);
  const store = await openStore(place);
  const { organisations } = await dump(store);
  await store.close();
  expect(organisations).toMatchObject([
    { time_zone: 'Asia/Calcutta', runner_prices: '{"ubuntu":0.008}', incident_window_days: 14 },
  ]);
});
