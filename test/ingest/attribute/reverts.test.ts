import { describe, expect, test } from 'vitest';
import { commit, DeliveryWorld, type Event, hour, pullRequest } from './delivery-world.ts';
import { deployed, firstSignal, merged, mergeOf, sha } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}

const bad = merged('bad', 1, { pr_number: 12, pr_title: 'Add a door' });
const innocent = merged('innocent', 1, { pr_number: 13, pr_title: 'Paint it' });
const revert = (hours: number, marks: Event['fields']) =>
  merged('revert', hours, { pr_number: 20, pr_title: 'Back out', ...marks });
const reason = (world: DeliveryWorld, id: string) => world.deployment(id).failure_reason;

describe('a revert', () => {
  test.each([
    ['branch', { head_branch: 'revert-12-add-a-door' }],
    ['number in its body', { pr_body: 'Reverts #12' }],
    ['number with the repository in its body', { pr_body: 'Reverts Acme/Web#12' }],
    ['quoted title', { pr_title: 'Revert "Add a door"' }],
    ['number in its quoted title', { pr_title: 'Revert "Add some door, as it was squashed (#12)"' }],
    ['commit in its body', { pr_body: `This reverts commit ${mergeOf('bad')}.` }],
    ['abbreviated commit in its body', { pr_body: `This reverts commit ${mergeOf('bad').slice(0, 12)}.` }],
    ['commit of the pull request in its body', { pr_body: `This reverts commit ${sha('cafe')}.` }],
  ])('A revert blames the deployment that carried what it names by its %s', async (_, marks) => {
    const world = await tell(
      firstSignal,
      bad,
      commit({ commit_id: 'c', pr_id: 'bad', sha: sha('cafe') }),
      deployed('d1', 2),
      innocent,
      merged('later', 3),
      deployed('d2', 4),
      revert(5, marks),
      deployed('d3', 6),
    );
    expect(['first', 'd1', 'd2', 'd3'].map((id) => reason(world, id))).toEqual([null, 'revert_pr', null, null]);
    expect(world.deployment('d1')).toMatchObject({
      failure_detected_at: hour(3),
      remediation_merged_at: hour(5),
      restored_at: hour(6),
      time_to_restore: 4 * 3600,
    });
    expect(world.pullRequest('revert')).toMatchObject({ is_revert: true, reverts_pr_id: 'bad' });
    expect(world.deployment('d3').is_remediation).toBe(true);
  });

  test('A revert goes by its branch before its body, and by the first that is known', async () => {
    const both = { head_branch: 'revert-12-x', pr_body: 'Reverts #13' };
    const world = await tell(firstSignal, bad, innocent, revert(5, both));
    expect(world.pullRequest('revert').reverts_pr_id).toBe('bad');
    await world.batch(revert(5, { head_branch: 'revert-99-x', pr_title: 'Revert "Paint it"' }));
    expect(world.pullRequest('revert').reverts_pr_id).toBe('innocent');
  });

  test('A revert goes by the number in its quoted title where branch and body name nothing that is known', async () => {
    const title = { pr_title: 'Revert "Paint it (#12)"' };
    const world = await tell(firstSignal, bad, innocent, revert(5, title));
    expect(world.pullRequest('revert').reverts_pr_id).toBe('bad');
    await world.batch(revert(5, { ...title, pr_body: 'Reverts #13' }));
    expect(world.pullRequest('revert').reverts_pr_id).toBe('innocent');
    await world.batch(revert(5, { ...title, pr_body: null, head_branch: 'revert-99-x' }));
    expect(world.pullRequest('revert').reverts_pr_id).toBe('bad');
  });

  test('A revert whose quoted title ends in a number that nobody has goes by the whole title, until somebody has it', async () => {
    const world = await tell(
      firstSignal,
      merged('backport', 1, { pr_number: 13, pr_title: 'Add a door (#12)' }),
      revert(5, { pr_title: 'Revert "Add a door (#12)"' }),
    );
    expect(world.pullRequest('revert').reverts_pr_id).toBe('backport');
    await world.batch(bad);
    expect(world.pullRequest('revert').reverts_pr_id).toBe('bad');
  });

  test('A revert of something merged later, or of itself, takes back nothing', async () => {
    const world = await tell(
      firstSignal,
      merged('bad', 9, { pr_number: 12 }),
      revert(5, { head_branch: 'revert-12-x' }),
    );
    expect(world.pullRequest('revert')).toMatchObject({ reverts_pr_id: null, is_revert: true });
    await world.batch(revert(5, { head_branch: 'revert-20-x' }));
    expect(world.pullRequest('revert').reverts_pr_id).toBeNull();
  });

  test('A revert of the same title takes back the latest before it', async () => {
    const title = { pr_title: 'Bump', merge_commit_sha: null };
    const world = await tell(
      firstSignal,
      merged('one', 1, title),
      merged('two', 2, title),
      merged('three', 9, title),
      revert(5, { pr_title: 'Revert "Bump"' }),
    );
    expect(world.pullRequest('revert').reverts_pr_id).toBe('two');
  });

  test('A revert finds a title as it is written, whatever another revert names besides', async () => {
    const padded = { ...bad, fields: { ...bad.fields, pr_title: 'Add a door ' } };
    const other = merged('other', 5, { pr_number: 21, pr_title: 'Back out', pr_body: 'Reverts #12' });
    const quoting = revert(5, { pr_title: 'Revert "Add a door"' });
    for (const world of [await tell(firstSignal, padded, quoting), await tell(firstSignal, padded, quoting, other)]) {
      expect(world.pullRequest('revert').reverts_pr_id).toBeNull();
    }
  });

  test('A revert of a pull request in another repository blames nobody here', async () => {
    const world = await tell(firstSignal, bad, deployed('d1', 2), revert(5, { pr_body: 'Reverts other/name#12' }));
    expect(world.pullRequest('revert')).toMatchObject({ is_revert: true, reverts_pr_id: null });
    expect(reason(world, 'd1')).toBeNull();
  });

  test('A revert that was deployed together with what it takes back blames nobody', async () => {
    const world = await tell(firstSignal, bad, revert(2, { head_branch: 'revert-12-x' }), deployed('d1', 3));
    expect(reason(world, 'd1')).toBeNull();
    expect(world.deployment('d1').is_remediation).toBe(false);
  });

  test('A revert merged while what it takes back was rolled out blames that deployment', async () => {
    const world = await tell(
      firstSignal,
      bad,
      revert(2, { head_branch: 'revert-12-x' }),
      deployed('d1', 3, { sha: mergeOf('bad') }),
    );
    expect(world.deployment('d1')).toMatchObject({ failure_reason: 'revert_pr', restored_at: null });
  });

  test('A revert that is open blames nobody yet', async () => {
    const world = await tell(firstSignal, bad, deployed('d1', 2));
    await world.batch(revert(5, { head_branch: 'revert-12-x', pr_merged_at: null, pr_state: 'open' }));
    expect(world.pullRequest('revert')).toMatchObject({ is_revert: true, reverts_pr_id: 'bad' });
    expect(reason(world, 'd1')).toBeNull();
    await world.batch(pullRequest({ pr_id: 'revert', pr_state: 'merged', pr_merged_at: hour(5) }));
    expect(reason(world, 'd1')).toBe('revert_pr');
  });

  test('A revert that arrives before what it takes back finds it when it comes', async () => {
    const world = await tell(
      firstSignal,
      revert(5, { pr_title: 'Revert "Add a door"' }),
      deployed('d1', 2),
      deployed('d2', 6),
    );
    expect(reason(world, 'd1')).toBeNull();
    await world.batch(bad);
    expect(world.deployment('d1')).toMatchObject({ failure_reason: 'revert_pr', restored_at: hour(6) });
    await world.batch(pullRequest({ pr_id: 'bad', pr_title: 'Add a window' }));
    expect(reason(world, 'd1')).toBeNull();
  });

  test('A revert that says so no longer is an ordinary change, and excuses what it blamed', async () => {
    const world = await tell(
      firstSignal,
      bad,
      deployed('d1', 2),
      revert(3, { pr_title: 'Revert "Add a door"' }),
      deployed('d2', 4),
    );
    expect([reason(world, 'd1'), world.deployment('d2').is_remediation]).toEqual(['revert_pr', true]);
    await world.batch(pullRequest({ pr_id: 'revert', pr_title: 'Take the door out' }));
    expect([reason(world, 'd1'), world.deployment('d2').is_remediation]).toEqual([null, false]);
  });

  test('A revert blames a deployment of another repository that names what it takes back', async () => {
    const world = await tell(
      bad,
      deployed('ship', 2, { repository: 'acme/ship', pr_ids: '["bad"]' }),
      revert(5, { head_branch: 'revert-12-x' }),
    );
    expect(reason(world, 'ship')).toBe('revert_pr');
    await world.batch({ ...revert(5, {}), isGone: true });
    expect(reason(world, 'ship')).toBeNull();
  });
});

describe('a revert of a revert', () => {
  const again = (marks: Event['fields']) => merged('again', 7, { pr_number: 30, pr_title: 'Add it again', ...marks });

  test('A revert of a revert blames nobody and is an ordinary change', async () => {
    const world = await tell(
      firstSignal,
      bad,
      deployed('d1', 2),
      revert(3, { head_branch: 'revert-12-x' }),
      deployed('d2', 4),
      again({ head_branch: 'revert-20-revert-12-x' }),
      deployed('d3', 8),
    );
    expect(world.pullRequest('again')).toMatchObject({ is_revert: false, reverts_pr_id: 'revert' });
    expect(['d1', 'd2', 'd3'].map((id) => reason(world, id))).toEqual(['revert_pr', null, null]);
    expect(['d2', 'd3'].map((id) => world.deployment(id).is_remediation)).toEqual([true, false]);
  });

  test('A revert of a revert is known by its quoted title where what it takes back is not known', async () => {
    const world = await tell(firstSignal, again({ pr_title: 'Revert "Revert "Add a door""' }));
    expect(world.pullRequest('again').is_revert).toBe(false);
    await world.batch(again({ pr_title: 'Revert "Revert "Add a door (#12)" (#20)"' }));
    expect(world.pullRequest('again').is_revert).toBe(false);
    await world.batch(again({ pr_title: 'Revert "Revert "Revert "Add a door"""' }));
    expect(world.pullRequest('again').is_revert).toBe(true);
  });

  test('A revert of a revert becomes one when the revert that it takes back turns out to be one', async () => {
    const world = await tell(
      firstSignal,
      bad,
      revert(3, {}),
      deployed('d2', 4),
      again({ head_branch: 'revert-20-x' }),
      deployed('d3', 8),
    );
    expect(world.pullRequest('again').is_revert).toBe(true);
    expect(world.deployment('d3').is_remediation).toBe(true);
    await world.batch(revert(3, { head_branch: 'revert-12-x' }));
    expect(world.pullRequest('again').is_revert).toBe(false);
    expect(world.deployment('d3').is_remediation).toBe(false);
  });
});
