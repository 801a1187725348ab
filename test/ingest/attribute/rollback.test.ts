import { describe, expect, test } from 'vitest';
import { DeliveryWorld, type Event, hour } from './delivery-world.ts';
import { deployed, merged, mergeOf, sha } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}
const rollbacks = (world: DeliveryWorld) =>
  world.deployments({ is_rollback: true }).map(({ deployment_id }) => deployment_id);

describe('a rollback', () => {
  test('A rollback brings back what was live before, carries nothing and fails what it replaces', async () => {
    const world = await tell(
      deployed('d1', 0, { sha: sha('a') }),
      merged('x', 0.5),
      deployed('d2', 1, { sha: sha('b') }),
      merged('y', 1.5),
      deployed('back', 2, { sha: sha('A') }),
      deployed('d3', 4, { sha: sha('c') }),
    );
    expect(rollbacks(world)).toEqual(['back']);
    expect(world.deployment('back')).toMatchObject({ prs_included: 0, failure_reason: null });
    expect(world.deployment('d2')).toMatchObject({
      failure_reason: 'failed_deployment',
      failure_detected_at: hour(2),
      remediation_merged_at: null,
      restored_at: hour(2),
      time_to_restore: 3600,
    });
    expect(world.pullRequest('y').deployment_id).toBe('d3');
  });

  test('A rollback is recognised by the version where no commit is named', async () => {
    const world = await tell(
      deployed('d1', 0, { version: 'v1' }),
      deployed('d2', 1, { version: 'v2' }),
      merged('y', 1.5),
      deployed('back', 2, { version: 'v1' }),
      deployed('d3', 3, { version: 'v3' }),
    );
    expect(rollbacks(world)).toEqual(['back']);
    expect(world.pullRequest('y').deployment_id).toBe('d3');
  });

  test('A rollback is recognised when it comes by itself, by commit or version, whichever both name', async () => {
    const world = await tell(deployed('d1', 0, { version: 'v1' }), deployed('d2', 1, { version: 'v2', sha: sha('b') }));
    await world.batch(deployed('back', 2, { version: 'v1', sha: sha('a') }));
    expect(rollbacks(world)).toEqual(['back']);
    await world.batch(deployed('forth', 3, { version: 'v2' }));
    await world.batch(deployed('back again', 4, { version: 'v1' }));
    expect(rollbacks(world)).toEqual(['back', 'back again']);
  });

  test('A rollback is not recognised by a version that every deployment has', async () => {
    const latest = (name: string) => ({ version: 'latest', sha: sha(name) });
    const world = await tell(
      deployed('d1', 0, latest('a')),
      deployed('d2', 1, latest('b')),
      deployed('d3', 2, latest('c')),
    );
    expect(rollbacks(world)).toEqual([]);
  });

  test('A rollback is not the same deployed again', async () => {
    const world = await tell(
      deployed('d1', 0, { sha: sha('a') }),
      deployed('d2', 1, { sha: sha('b') }),
      deployed('again', 2, { sha: sha('b') }),
    );
    expect(rollbacks(world)).toEqual([]);
    expect(world.deployment('d2').failure_reason).toBeNull();
  });

  test('A rollback is not deploying again what a rollback took away', async () => {
    const world = await tell(
      deployed('d1', 0, { sha: sha('a') }),
      deployed('d2', 1, { sha: sha('b') }),
      deployed('back', 2, { sha: sha('a') }),
      deployed('forth', 3, { sha: sha('b') }),
      deployed('back again', 4, { sha: sha('a') }),
    );
    expect(rollbacks(world)).toEqual(['back', 'back again']);
    expect(world.deployment('back').failure_reason).toBeNull();
    expect(world.deployment('forth').failure_reason).toBe('failed_deployment');
  });

  test('A rollback is one of its own environment: another one catching up is none', async () => {
    const world = await tell(
      deployed('eu1', 0, { environment: 'live', sha: sha('a') }),
      deployed('eu2', 1, { environment: 'live', sha: sha('b') }),
      deployed('us1', 2, { environment: 'prod', sha: sha('a') }),
    );
    expect(rollbacks(world)).toEqual([]);
    await world.batch(deployed('back', 3, { environment: 'LIVE', sha: sha('a') }));
    expect(rollbacks(world)).toEqual(['back']);
  });

  test('A rollback needs something that succeeded before', async () => {
    const world = await tell(
      deployed('failed', 0, { status: 'failure', sha: sha('a') }),
      deployed('d2', 1, { sha: sha('b') }),
      deployed('d3', 2, { sha: sha('a') }),
    );
    expect(rollbacks(world)).toEqual([]);
  });

  test('A rollback is older by the place of its commit, where that is known', async () => {
    const world = await tell(
      merged('one', 1),
      merged('two', 2),
      deployed('new', 3, { sha: mergeOf('two') }),
      // An older build came through late, and the newer one is put back.
      deployed('old', 4, { sha: mergeOf('one') }),
      deployed('new again', 5, { sha: mergeOf('two') }),
    );
    expect(rollbacks(world)).toEqual([]);
  });

  test('A rollback is older by what was deployed first, where the place of either commit is not known', async () => {
    const world = await tell(
      merged('one', -2),
      deployed('unknown', 0, { sha: sha('a') }),
      // Merged before the unknown commit was deployed, and deployed after it.
      deployed('known', 1, { sha: mergeOf('one') }),
      deployed('back', 2, { sha: sha('a') }),
      deployed('forth', 3, { sha: mergeOf('one') }),
    );
    expect(rollbacks(world)).toEqual(['back']);
    expect(world.deployment('back')).toMatchObject({ prs_included: 0, failure_reason: null });
    expect(world.deployment('known')).toMatchObject({ failure_reason: 'failed_deployment', restored_at: hour(2) });
  });

  test('A rollback to a known commit is older by what was deployed first, where what it replaces is of unknown place', async () => {
    const world = await tell(
      merged('late', 0.5),
      // The clock of the deployer is behind: the merge that it deploys comes after it.
      deployed('known', 0, { sha: mergeOf('late') }),
      deployed('unknown', 0.4, { sha: sha('b') }),
      deployed('back', 2, { sha: mergeOf('late') }),
    );
    expect(rollbacks(world)).toEqual(['back']);
    expect(world.deployment('unknown').failure_reason).toBe('failed_deployment');
  });

  test('A rollback is recomputed when the place of a commit becomes known, and by places when it comes by itself', async () => {
    const world = await tell(
      merged('one', -2),
      deployed('unknown', 0, { sha: mergeOf('two') }),
      deployed('known', 1, { sha: mergeOf('one') }),
    );
    await world.batch(deployed('back', 2, { sha: mergeOf('two') }));
    expect(rollbacks(world)).toEqual(['back']);
    await world.batch(merged('two', -1));
    expect(rollbacks(world)).toEqual([]);
    await world.batch(deployed('again', 3, { sha: mergeOf('one') }));
    expect(rollbacks(world)).toEqual(['again']);
    await world.batch(deployed('forth', 4, { sha: mergeOf('two') }));
    expect(rollbacks(world)).toEqual(['again']);
  });

  test('A rollback is found when what it brings back arrives late, and lost when that goes', async () => {
    const world = await tell(deployed('d2', 1, { sha: sha('b') }), deployed('d3', 2, { sha: sha('a') }));
    expect(rollbacks(world)).toEqual([]);
    await world.batch(deployed('d1', 0, { sha: sha('a') }));
    expect(rollbacks(world)).toEqual(['d3']);
    expect(world.deployment('d2').failure_reason).toBe('failed_deployment');
    await world.batch({ ...deployed('d1', 0), isGone: true });
    expect(rollbacks(world)).toEqual([]);
    expect(world.deployment('d2').failure_reason).toBeNull();
  });
});
