import { beforeEach, expect, test } from 'vitest';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { patchRows } from '../../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../records-app.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeEach(async () => {
  app = await anOrganisation();
});

const deployed = (deployment_id: string, environment: string | null, more: object = {}) => ({
  deployment_id,
  repository: 'acme/web',
  status: 'success',
  deployed_at: '2024-03-04T10:00:00Z',
  environment,
  ...more,
});
const marks = async () =>
  Object.fromEntries(
    (await app.select(deployments, ['deployment_id', 'is_production'])).map((row) => [
      row.deployment_id,
      row.is_production,
    ]),
  );

test('What a source says of production wins over names of environments and over settings', async () => {
  await app.directory('repositories', [{ repository: 'acme/web', production_environments: ['blue'] }]);
  await app.put('deployments', [
    deployed('named', 'blue'),
    deployed('not-named', 'green'),
    deployed('denied', 'blue', { production: false }),
    deployed('stated', 'green', { production: true }),
    deployed('unknown', 'blue', { production: null }),
    deployed('none-given', null, { production: false }),
  ]);
  expect(await marks()).toEqual({
    named: true,
    'not-named': false,
    denied: false,
    stated: true,
    unknown: true,
    'none-given': false,
  });
  await app.put('deployments', [
    { deployment_id: 'denied', production: null },
    { deployment_id: 'stated', production: false },
    { deployment_id: 'named', status: 'failure' },
  ]);
  expect(await marks()).toMatchObject({ denied: true, stated: false, named: true });
});

test('A record may call production is_production, as earlier versions did', async () => {
  await app.put('deployments', [deployed('old', 'green', { is_production: true })]);
  expect(await marks()).toEqual({ old: true });
});

test.each([
  ['before', (production: boolean | null) => ({ is_production: production !== true, production })],
  ['after', (production: boolean | null) => ({ production, is_production: production !== true })],
])('What a record derived as is_production says nothing beside production, whether it comes %s it', async (_, both) => {
  await app.put('deployments', [
    deployed('stated', 'green', both(true)),
    deployed('denied', 'production', both(false)),
    deployed('unknown', 'green', both(null)),
  ]);
  expect(await marks()).toEqual({ stated: true, denied: false, unknown: false });
});

test('What an earlier version kept of production is taken over by the upgrade, once, and can be cleared then', async () => {
  await app.put('deployments', [deployed('kept', 'green'), deployed('said', 'green', { production: false })]);
  const { warehouse, ingest } = app.app;
  const { organisationId } = app.context;
  await warehouse.change(organisationId, (session) =>
    patchRows(
      session,
      deployments,
      ['given_is_production'],
      [
        { deployment_id: 'kept', given_is_production: true },
        { deployment_id: 'said', given_is_production: true },
      ],
    ),
  );
  await ingest.rederive(organisationId);
  expect(
    await app.select(deployments, ['deployment_id', 'production', 'given_is_production', 'is_production']),
  ).toEqual(
    expect.arrayContaining([
      { deployment_id: 'kept', production: true, given_is_production: null, is_production: true },
      { deployment_id: 'said', production: false, given_is_production: null, is_production: false },
    ]),
  );
  await app.put('deployments', [{ deployment_id: 'kept', production: null }]);
  await ingest.rederive(organisationId);
  expect(await marks()).toEqual({ kept: false, said: false });
});
