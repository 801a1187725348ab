import { beforeEach, describe, expect, test } from 'vitest';
import { reportedAnswers, type SurveyRow, surveys } from '../../../src/catalogue/derivation-state.ts';
import { storedNames } from '../../../src/catalogue/table.ts';
import { surveyResponses } from '../../../src/catalogue/tables/surveys.ts';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import { derivationRules } from '../../../src/warehouse/schema.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { clickhouseAvailable } from '../../setup/clickhouse.ts';
import { someClickHouse } from '../../warehouse/clickhouse/some-clickhouse.ts';
import { someWarehouse } from '../../warehouse/some-warehouse.ts';
import { patchRows, removeRows } from '../../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const places = { ann: 'Graz', bob: 'Graz', cy: 'Wien', dee: 'Wien', eve: 'Linz' };
const people = Object.keys(places);
const now = new Date('2024-03-20T12:00:00Z');
const seconds = now.getTime() / 1_000;

/** Recipients who have all submitted, and their answers. */
const recipientsOf = (survey: string, status: string, names: readonly string[] = people) =>
  names.map((name) => ({
    survey_recipient_id: `${survey}-${name}`,
    survey_id: survey === '' ? null : survey,
    survey_status: status,
    person_email: `${name}@x.org`,
    final_response_submitted_at: '2024-03-18T09:00:00Z',
  }));
const answersOf = (recipients: ReturnType<typeof recipientsOf>) =>
  recipients.map(({ person_email: _, ...one }) => ({
    ...one,
    survey_response_id: `${one.survey_recipient_id}-q`,
    answer_value: '4',
  }));

describe('surveys that an earlier version stored', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
    await app.directory(
      'people',
      Object.entries(places).map(([name, location]) => ({ main_email: `${name}@x.org`, name, location })),
    );
  });

  async function put(ingest: Ingest, recipients: readonly object[], answers: readonly object[]): Promise<void> {
    const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));
    const outcomes = await ingest.put(app.context.organisationId, [
      { table: 'survey_recipients', lines: lines(recipients) },
      { table: 'survey_responses', lines: lines(answers) },
    ]);
    expect(outcomes.flatMap(({ rejected }) => rejected)).toEqual([]);
  }
  const set = (values: Record<string, string>) => setOrganisation(app.app.directory, app.context, values);

  /** What there was before surveys were divided: no row of how they are shown, and no digest of an answer. */
  const age = (warehouse: Warehouse) =>
    warehouse.change(app.context.organisationId, async (writer) => {
      for (const table of [surveys, reportedAnswers]) await removeRows(writer, table, { all: [] });
      const rows = await writer.select(surveyResponses, ['survey_response_id']);
      const undigested = rows.map((row) => ({ ...row, answer_digest: null }));
      await patchRows(writer, surveyResponses, ['answer_digest'], undigested);
      await writer.setDerivationVersion(derivationRules - 1);
    });

  const surveysIn = (warehouse: Warehouse) =>
    warehouse.read(app.context.organisationId, async (reader) => {
      const rows = await reader.select(surveys, storedNames(surveys) as (keyof SurveyRow)[]);
      return Object.fromEntries(rows.map(({ survey_id, ...row }) => [survey_id, row]));
    });
  /** How many answers each reporting group has. */
  const groupsIn = (warehouse: Warehouse) =>
    warehouse.read(app.context.organisationId, async (reader) => {
      const rows = await reader.tally(reportedAnswers, ['report_group']);
      return Object.fromEntries(rows.map(({ report_group, rows: count }) => [report_group, count]));
    });

  const engines = [
    { name: 'DuckDB', open: () => someWarehouse() },
    ...(clickhouseAvailable ? [{ name: 'ClickHouse', open: () => someClickHouse() }] : []),
  ];
  test.each(engines)(
    'Surveys that an earlier version stored take mode, minimum and column as they are set then in $name; closed ones are divided at once, open ones by the same rule',
    async ({ open }) => {
      const { organisationId } = app.context;
      const { warehouse, close } = await open();
      const ingest = new Ingest(app.app.store, warehouse, { now: () => now });
      try {
        const [closed, open, unnamed] = [
          recipientsOf('closed', 'closed'),
          recipientsOf('open', 'active'),
          recipientsOf('', 'closed', ['ann', 'cy']),
        ];
        // One of the closed survey has submitted an answer that never came.
        await put(ingest, [...closed, ...open, ...unnamed], answersOf([...closed.slice(0, 4), ...open, ...unnamed]));
        await age(warehouse);
        await set({ survey_privacy: 'anonymous', survey_minimum_group: '2', survey_report_by: 'location' });
        expect(await ingest.renew(organisationId)).toBe(true);
        const promised = { survey_privacy: 'anonymous', respondents_least: 2, report_by: 'location' };
        const answered_on = Date.parse('2024-03-18T00:00:00Z') / 1_000;
        const divided = { ...promised, last_record_at: null, divided_at: seconds, answered_on };
        const undivided = { ...promised, last_record_at: null, divided_at: null, answered_on: null };
        expect(await surveysIn(warehouse)).toEqual({ closed: divided, open: undivided, '': divided });
        expect(await groupsIn(warehouse)).toEqual({ 'closed#1': 2, 'closed#2': 2, '#1': 2 });
        expect(await ingest.renew(organisationId)).toBe(false);
        // What is set afterwards is for other surveys.
        await set({ survey_privacy: 'role', survey_minimum_group: '5', survey_report_by: 'team' });
        await put(ingest, recipientsOf('open', 'closed'), []);
        expect((await surveysIn(warehouse)).open).toEqual({ ...divided, last_record_at: seconds });
        // The one of Linz is joined with the smallest, of equally small ones the first by name.
        expect(await groupsIn(warehouse)).toMatchObject({ 'open#1': 3, 'open#2': 2 });
      } finally {
        await close();
      }
    },
  );

  test('Recomputing divides nothing again, and is no record of a survey', async () => {
    const { organisationId } = app.context;
    let at = now;
    const { warehouse } = app.app;
    const ingest = new Ingest(app.app.store, warehouse, { now: () => at });
    await set({ survey_privacy: 'anonymous', survey_minimum_group: '2' });
    const records = [...recipientsOf('closed', 'closed'), ...recipientsOf('open', 'active')];
    await put(ingest, records, answersOf(records));
    const before = [await surveysIn(warehouse), await groupsIn(warehouse)];
    expect(before[1]).toEqual({ 'closed#1': 5 });
    at = new Date(now.getTime() + 60_000);
    await app.directory('people', [{ main_email: 'ann@x.org', location: 'Wien', teams: ['A'] }]);
    await ingest.rederive(organisationId);
    expect([await surveysIn(warehouse), await groupsIn(warehouse)]).toEqual(before);
  });
});
