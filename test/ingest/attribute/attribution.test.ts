import { describe, expect, test } from 'vitest';
import { DeliveryWorld, type Event, hour, pullRequest, repository } from './delivery-world.ts';
import { deployed, firstSignal, merged } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}
const statuses = (world: DeliveryWorld, ...ids: readonly string[]) =>
  ids.map((id) => world.pullRequest(id).deployment_attribution_status);

describe('what became of a pull request', () => {
  test('What became of a pull request is deployed, awaited, from before the first signal, or on another branch', async () => {
    const world = await tell(
      merged('early', -1),
      firstSignal,
      merged('live', 1),
      deployed('d1', 2),
      merged('waiting', 3),
      merged('elsewhere', 1, { base_branch: 'topic' }),
    );
    expect(statuses(world, 'early', 'live', 'waiting', 'elsewhere')).toEqual([
      'before_first_signal',
      'deployed',
      'awaiting_deploy',
      'non_production_branch',
    ]);
    expect(world.pullRequest('elsewhere')).toMatchObject({ is_production_merge: false, lead_time: null });
  });

  test('What became of a pull request is nothing while it is open, and ignored when it is closed unmerged', async () => {
    const unmerged = { pr_merged_at: null };
    const world = await tell(
      firstSignal,
      merged('open', 1, { ...unmerged, pr_state: 'open' }),
      merged('bot', 1, { ...unmerged, pr_state: 'open', is_bot: true }),
      merged('closed', 1, { ...unmerged, pr_state: 'closed' }),
    );
    expect(statuses(world, 'open', 'bot', 'closed')).toEqual([null, null, 'ignored']);
  });

  test('What became of a pull request of a bot is ignored and has no lead time, but is counted in what was carried', async () => {
    const world = await tell(firstSignal, merged('bot', 1, { is_bot: true }), deployed('d1', 2));
    expect(world.pullRequest('bot')).toMatchObject({
      deployment_attribution_status: 'ignored',
      deployment_id: 'd1',
      deployed_at: hour(2),
      lead_time: null,
      merge_to_deploy: null,
      open_to_deploy: null,
    });
    expect(world.deployment('d1').prs_included).toBe(1);
  });

  test('What became of a pull request of a bot that waited is counted when it is deployed later', async () => {
    const world = await tell(firstSignal, merged('bot', 1, { is_bot: true }));
    await world.batch(deployed('d1', 2));
    expect(world.pullRequest('bot').deployment_id).toBe('d1');
    expect(world.deployment('d1').prs_included).toBe(1);
  });

  test('What became of a pull request in a repository that is switched off is ignored, and nothing is carried or derived', async () => {
    const world = await tell(
      repository({ repository: 'acme/web', is_active: false }),
      firstSignal,
      merged('a', 1),
      deployed('d1', 2),
      merged('other', 1, { repository: 'acme/off' }),
      repository({ repository: 'Acme/Off', is_active: false }),
    );
    expect(statuses(world, 'a', 'other')).toEqual(['ignored', 'ignored']);
    expect(world.deployment('d1')).toMatchObject({ is_production: true, prs_included: 0 });
    expect(world.deploymentIds()).toEqual(['d1', 'first']);
    await world.batch(repository({ repository: 'acme/web', is_active: true }));
    expect(statuses(world, 'a')).toEqual(['deployed']);
  });
});

describe('lead time', () => {
  test('Lead time begins at the creation where no commit is known, and opening is what became ready', async () => {
    const times = { first_commit_at: null, ready_at: hour(0.5) };
    const world = await tell(firstSignal, merged('a', 1, times), deployed('d1', 2));
    expect(world.pullRequest('a')).toMatchObject({ lead_time: 3 * 3600, open_to_deploy: 1.5 * 3600 });
  });

  test('Lead time follows the first commit when that becomes known, and nothing else is written', async () => {
    const world = await tell(firstSignal, merged('a', 1), merged('b', 1), deployed('d1', 2));
    world.tables.written = 0;
    await world.batch(pullRequest({ pr_id: 'a', first_commit_at: hour(-8) }));
    expect(world.pullRequest('a').lead_time).toBe(10 * 3600);
    // The record itself, and one row with its clock.
    expect(world.tables.written).toBe(2);
  });

  test('Lead time is no time at all when the clocks run backwards', async () => {
    const world = await tell(firstSignal, merged('a', 1, { first_commit_at: hour(5) }), deployed('d1', 2));
    expect(world.pullRequest('a').lead_time).toBe(0);
  });
});

describe('promotion', () => {
  const feature = (id: string, hours: number) => merged(id, hours, { base_branch: 'develop' });
  const promote = (id: string, hours: number, head_branch = 'develop', base_branch = 'main') =>
    merged(id, hours, { head_branch, base_branch });

  test('Promotion carries what was merged into its branch before, and is left out of lead time itself', async () => {
    const world = await tell(
      firstSignal,
      feature('a', 1),
      feature('b', 2),
      promote('p', 3),
      feature('c', 4),
      deployed('d1', 5),
    );
    expect(['a', 'b', 'p', 'c'].map((id) => world.pullRequest(id).deployment_id)).toEqual(['d1', 'd1', 'd1', null]);
    expect(world.deployment('d1').prs_included).toBe(3);
    expect(world.pullRequest('a')).toMatchObject({
      lead_time: 7 * 3600,
      merge_to_deploy: 4 * 3600,
      production_merged_at: hour(3),
      is_production_merge: false,
      branching_model: 'promotion',
    });
    expect(world.pullRequest('p')).toMatchObject({
      deployment_attribution_status: 'deployed',
      is_promotion_pr: true,
      is_production_merge: true,
      lead_time: null,
      merge_to_deploy: null,
    });
    expect(world.pullRequest('c').deployment_attribution_status).toBe('non_production_branch');
  });

  test('Promotion may go through several branches', async () => {
    const world = await tell(
      firstSignal,
      feature('a', 1),
      promote('step', 2, 'develop', 'staging'),
      feature('b', 3),
      promote('p', 4, 'staging'),
      deployed('d1', 5),
    );
    expect(['a', 'step', 'b'].map((id) => world.pullRequest(id).deployment_id)).toEqual(['d1', 'd1', null]);
    expect(world.pullRequest('a').production_merged_at).toBe(hour(4));
    expect(world.pullRequest('step')).toMatchObject({ is_promotion_pr: false, lead_time: null });
  });

  test('Promotion has no coding time and no cycle time, and neither has a step towards one', async () => {
    const clocks = (world: DeliveryWorld, ...ids: readonly string[]) =>
      ids.map((id) => [world.pullRequest(id).coding_time, world.pullRequest(id).cycle_time]);
    const own = [3_600, 3 * 3_600];
    const none = [null, null];
    const world = await tell(feature('a', 1), promote('step', 2, 'develop', 'staging'), promote('p', 4, 'staging'));
    expect(clocks(world, 'a', 'step', 'p')).toEqual([own, none, none]);
    // Which ones are promotions follows from the settings of the repository, and from the branches of all its pull requests.
    await world.batch(repository({ repository: 'acme/web', production_branch: 'staging' }));
    expect(clocks(world, 'a', 'step', 'p')).toEqual([own, none, own]);
    await world.batch(repository({ repository: 'acme/web', production_branch: null }));
    expect(clocks(world, 'a', 'step', 'p')).toEqual([own, none, none]);
    const live = await tell(merged('backport', 1, { head_branch: 'main', base_branch: 'live' }));
    expect(clocks(live, 'backport')).toEqual([none]);
    await live.batch(merged('usual', 2));
    expect(clocks(live, 'backport')).toEqual([own]);
  });

  test('Promotion is none without a repository, where clocks run all the same, also once it has one', async () => {
    const world = await tell(merged('p', 1, { ...promote('p', 1).fields, repository: null }));
    expect(world.pullRequest('p')).toMatchObject({ coding_time: 3_600, cycle_time: 3 * 3_600, branching_model: null });
    await world.batch(promote('p', 1));
    expect(world.pullRequest('p')).toMatchObject({ coding_time: null, cycle_time: null });
    await world.batch(pullRequest({ pr_id: 'p', repository: null }));
    expect(world.pullRequest('p')).toMatchObject({ coding_time: 3_600, cycle_time: 3 * 3_600 });
  });

  test('Promotion is derived when it arrives after everything else', async () => {
    const world = await tell(firstSignal, merged('m', 0), feature('a', 1), deployed('d1', 5), deployed('d2', 9));
    expect(world.pullRequest('a')).toMatchObject({ branching_model: 'trunk', deployment_id: null });
    await world.batch(promote('p', 6));
    expect(world.pullRequest('a')).toMatchObject({ branching_model: 'promotion', deployment_id: 'd2' });
    await world.batch({ ...promote('p', 6), isGone: true });
    expect(world.pullRequest('a')).toMatchObject({ branching_model: 'trunk', deployment_id: null });
  });

  test('Promotion carries what it promotes where every merge is a deployment', async () => {
    const world = await tell(feature('a', 1), promote('p', 3));
    expect(world.pullRequest('a')).toMatchObject({ deployment_id: 'merge:p', deployed_at: hour(3) });
    expect(world.deployment('merge:p').prs_included).toBe(2);
  });
});
