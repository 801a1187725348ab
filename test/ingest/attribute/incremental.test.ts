import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namedPullRequests } from '../../../src/catalogue/derivation-state.ts';
import { repositoriesCopy } from '../../../src/catalogue/directory-copies.ts';
import { type Row, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../../src/catalogue/tables/release-details.ts';
import { BufferedSession } from '../../../src/ingest/write/buffered-session.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import type { IntakePort } from '../../../src/warehouse/intake-port.ts';
import { clickhouseAvailable } from '../../setup/clickhouse.ts';
import { isEmulated } from '../../setup/emulated-engine.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { someClickHouse } from '../../warehouse/clickhouse/some-clickhouse.ts';
import { DeliveryWorld, deployment, type Event, hour, pullRequest } from './delivery-world.ts';
import { readPlainly } from './plain-reading.ts';
import { deliveries, steadyDeliveries, troubledDeliveries } from './random-delivery.ts';

async function tell(batches: readonly (readonly Event[])[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  for (const batch of batches) await world.batch(...batch);
  return world;
}

const keys = {
  pullRequest: 'pr_id',
  commit: 'commit_id',
  deployment: 'deployment_id',
  release: 'release_id',
  run: 'workflow_run_id',
  incident: 'incident_id',
  repository: 'repository',
} as const;

/** What a row was said to be in the end, each row once. */
function lastWord(events: readonly Event[]): Event[] {
  const words = new Map<string, Event>();
  for (const event of events) {
    const id = `${event.kind} ${String(event.fields[keys[event.kind]]).toLowerCase()}`;
    const earlier = event.kind === 'repository' ? undefined : words.get(id);
    words.delete(id);
    if (!event.isGone) words.set(id, { ...event, fields: { ...earlier?.fields, ...event.fields } });
    else if (event.kind === 'pullRequest') {
      for (const [key, { kind, fields }] of words) {
        if (kind === 'commit' && fields.pr_id === event.fields.pr_id) words.delete(key);
      }
    }
  }
  return [...words.values()];
}

describe('deployments derived batch by batch', () => {
  test('Deployments derived batch by batch are what deriving everything from the beginning gives, and then nothing is written', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (batches) => {
        const world = await tell(batches);
        const derived = world.tables.state();
        world.tables.written = 0;
        await world.rederive();
        expect(world.tables.state()).toEqual(derived);
        expect(world.tables.written).toBe(0);
      }),
      { numRuns: times(12, 5_000) },
    );
  });

  test('Deployments derived batch by batch stand while a little changes at a time, anywhere in the past', async () => {
    await fc.assert(
      fc.asyncProperty(steadyDeliveries, fc.constantFrom(0, 20, 1_500), async (batches, rowsForPart) => {
        const world = new DeliveryWorld(7, { rowsForPart });
        for (const batch of batches) {
          await world.batch(...batch);
          const derived = world.tables.state();
          world.tables.written = 0;
          await world.rederive();
          expect(world.tables.state()).toEqual(derived);
          expect(world.tables.written).toBe(0);
        }
      }),
      { numRuns: times(12, 2_000) },
    );
  });

  test('Deployments derived batch by batch come from elsewhere for open pull requests, too, whatever else is touched', async () => {
    const world = new DeliveryWorld();
    await world.batch(
      pullRequest({ pr_id: 'open', repository: 'acme/jobs', base_branch: 'main', pr_merged_at: null }),
      pullRequest({ pr_id: 'merged', repository: 'acme/web', base_branch: 'main', pr_merged_at: hour(1) }),
    );
    const reported = { environment: 'production', status: 'success', deployed_at: null, pr_ids: '["merged"]' };
    await world.batch(deployment({ deployment_id: 'd1', repository: 'acme/jobs', ...reported }));
    expect(world.tables.find(pullRequests, 'open')).toMatchObject({ deployment_source: 'workflow_run' });
  });

  test('Deployments derived batch by batch know a revert before the revert of it, one of which lasts to the end', async () => {
    const world = new DeliveryWorld();
    const into = { repository: 'acme/web', base_branch: 'main', pr_number: 1 };
    const taking = { ...into, pr_body: 'Reverts #1' };
    await world.batch(pullRequest({ pr_id: 'p1', ...into, pr_merged_at: hour(1) }));
    await world.batch(pullRequest({ pr_id: 'p2', ...into, head_branch: 'release/1', pr_merged_at: null }));
    await world.batch(
      pullRequest({ pr_id: 'p1', ...taking, pr_merged_at: hour(1) }),
      pullRequest({ pr_id: 'p2', ...taking, head_branch: 'topic', pr_merged_at: hour(1_000) }),
    );
    expect(world.tables.find(pullRequests, 'p1')).toMatchObject({ is_revert: true });
    expect(world.tables.find(pullRequests, 'p2')).toMatchObject({ reverts_pr_id: 'p1', is_revert: false });
  });

  test('Deployments derived batch by batch are the same where a batch is too large to remember its rows', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (batches) => {
        const world = await tell(batches);
        const forgetful = new DeliveryWorld(7, { maxIds: 0 });
        for (const batch of batches) await forgetful.batch(...batch);
        expect(forgetful.tables.state()).toEqual(world.tables.state());
      }),
      { numRuns: times(12, 2_000) },
    );
  });

  test('Deployments derived batch by batch are what all of it in one batch gives, in any order', async () => {
    const shuffled = deliveries.chain((batches) => {
      const said = lastWord(batches.flat());
      return fc.tuple(
        fc.constant(batches),
        fc.shuffledSubarray(said, { minLength: said.length, maxLength: said.length }),
      );
    });
    await fc.assert(
      fc.asyncProperty(shuffled, async ([batches, atOnce]) => {
        const settings = batches.flat().filter(({ kind }) => kind === 'repository');
        const world = await tell(batches);
        const other = await tell([[...settings, ...atOnce]]);
        expect(other.tables.state()).toEqual(world.tables.state());
      }),
      { numRuns: times(16, 3_000) },
    );
  });

  test('Deployments derived batch by batch are what reading the definitions plainly gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(deliveries, troubledDeliveries), async (batches) => {
        const world = await tell(batches);
        const expected = readPlainly(world.tables, world.incidentWindowDays).expected();
        for (const [table, rows] of [
          [pullRequests, expected.pullRequests],
          [deployments, expected.deployments],
          [releaseDetails, expected.releases],
        ] as const) {
          for (const [id, row] of Object.entries(rows)) {
            expect({ id, ...world.tables.find(table, id) }).toMatchObject({ id, ...row });
          }
        }
        for (const row of world.tables.rowsOf(deployments)) {
          const isCounted = row.is_production === true && row.deployed_at !== null;
          if (String(row.deployment_id) in expected.deployments) continue;
          expect(row).toMatchObject({
            prs_included: 0,
            is_remediation: false,
            failure_reason: null,
            is_rollback: false,
          });
          expect(isCounted).toBe(false);
        }
      }),
      { numRuns: times(32, 6_000) },
    );
  });
});

interface Engine {
  readonly warehouse: IntakePort;
  close(): Promise<void>;
}

async function embedded(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-deployments-'));
  const warehouse = await openEmbeddedWarehouse(folder, isLong ? {} : { threads: 1 });
  const close = async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { warehouse, close };
}

describe.each([
  { engine: 'DuckDB', open: embedded, isHere: true },
  { engine: 'ClickHouse', open: someClickHouse, isHere: clickhouseAvailable && !isEmulated },
])('on $engine', ({ open, isHere }) => {
  let engine: Engine | undefined;
  let made = 0;
  beforeAll(async () => {
    if (isHere) engine = await open();
  });
  afterAll(() => engine?.close());

  test.skipIf(!isHere)('Deployments are derived as they are in memory', async () => {
    const warehouse = (engine as Engine).warehouse;
    await fc.assert(
      fc.asyncProperty(fc.oneof(deliveries, steadyDeliveries), async (batches) => {
        made += 1;
        const organisation = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
        const world = new DeliveryWorld();
        for (const batch of batches) {
          await warehouse.change(organisation, async (writer) => {
            const buffered = new BufferedSession(writer);
            const { session } = buffered;
            world.tables.mirror = session;
            const touches = await world.apply(...batch);
            world.tables.mirror = undefined;
            await world.derive(touches, session);
            await world.derive(touches);
            await buffered.flush();
          });
        }
        await warehouse.read(organisation, async (session) => {
          for (const table of comparedTables) {
            const columns = [...storedColumns(table).keys()];
            const rows = (await session.select(table, columns as never)) as unknown as Row[];
            expect(inOrder(rows)).toEqual(inOrder(world.tables.rowsOf(table)));
          }
        });
        await warehouse.remove(organisation);
      }),
      { numRuns: times(1, 100) },
    );
  });
});

const comparedTables: readonly Table[] = [
  pullRequests,
  pullRequestCommits,
  deployments,
  releaseDetails,
  namedPullRequests,
  repositoriesCopy,
];
const inOrder = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
