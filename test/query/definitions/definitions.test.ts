import { beforeAll, describe, expect, test } from 'vitest';
import { type DirectoryTable, directoryRecords } from '../../../src/catalogue/directory-records.ts';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../../ingest/records-app.ts';
import { evaluate } from '../../reference/evaluate.ts';
import type { Seeing, World } from '../../reference/world.ts';
import { differenceOf } from '../agreement.ts';
import { principalOf, said } from '../asked-world.ts';
import { worldIn } from '../recorded-world.ts';
import { assistantDefinitions } from './ai-assistants.ts';
import { deliveryDefinitions } from './deliveries.ts';
import { issueDefinitions } from './issues.ts';
import { peopleDefinitions, surveyDefinitions } from './people-and-surveys.ts';
import { pullRequestDefinitions } from './pull-requests.ts';
import { runDefinitions, sessionDefinitions } from './sessions-and-runs.ts';

const domains = [
  pullRequestDefinitions,
  issueDefinitions,
  assistantDefinitions,
  sessionDefinitions,
  runDefinitions,
  deliveryDefinitions,
  peopleDefinitions,
  surveyDefinitions,
];
const now = new Date('2024-12-31T12:00:00Z');

test('Every metric has a number that was worked out by hand', () => {
  const defined = new Set(domains.flatMap(({ cases }) => cases.map(({ metric }) => metric)));
  expect([...metrics.keys()].filter((name) => !defined.has(name))).toEqual([]);
});

const anOrganisation = recordsOrganisations();

describe.each(domains)('$about', ({ records, settings, filters, cases }) => {
  let app: RecordsOrganisation;
  let world: World;
  beforeAll(async () => {
    app = await anOrganisation();
    if (settings) await setOrganisation(app.app.directory, app.context, settings);
    for (const table of Object.keys(directoryRecords) as DirectoryTable[])
      if (records[table]) await app.directory(table, records[table]);
    await app.putAll(records);
    await app.app.ingest.publisher.publish(app.context.organisationId);
    world = await worldIn(app.app.warehouse, app.context.organisationId, { timeZone: 'UTC', now });
  });

  test.each(cases)('$metric: $because', async ({ metric, body, rows, engineer }) => {
    const seeing: Seeing =
      engineer === undefined ? 'organisation' : { self: engineer, teamIds: [], hasReports: false, leadsSquads: false };
    const asked = { ...body, filters: { ...filters, ...body?.filters } };
    const expected = body?.date_level ? rows : rows.map((row) => ({ date_level_not_set: true, ...row }));
    expect(evaluate(world, seeing, metric, asked).answer, 'in loops over rows').toEqual(expected);
    const principal = principalOf(app.context.organisationId, seeing, 'UTC');
    const { text } = await said(app.app.metrics, principal, metric, asked);
    expect(differenceOf(text, expected), 'by the service').toBeUndefined();
  });
});
