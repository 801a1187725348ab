import { describe, expect, test } from 'vitest';
import { DeliveryWorld, type Event, hour, incident, pullRequest } from './delivery-world.ts';
import { deployed, firstSignal, merged } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}

const opened = (incident_id: string, hours: number, more: Event['fields'] = {}) =>
  incident({ incident_id, repository: 'acme/web', opened_at: hour(hours), resolved_at: hour(hours + 2), ...more });
const hotfix = (id: string, hours: number, more: Event['fields'] = {}) =>
  merged(id, hours, { pr_title: 'Hotfix the door', ...more });
const reason = (world: DeliveryWorld, id: string) => world.deployment(id).failure_reason;

describe('a failed run', () => {
  test('A failed run failed when it ended, and is put right by the next success in its environment', async () => {
    const world = await tell(
      firstSignal,
      deployed('f1', 1, { status: 'failure' }),
      deployed('f2', 2, { status: 'failure', environment: 'live' }),
      deployed('c', 2.5, { status: 'cancelled' }),
      deployed('s', 3),
    );
    expect(world.deployment('f1')).toMatchObject({
      failure_reason: 'failed_deployment',
      failure_detected_at: hour(1),
      remediation_merged_at: null,
      restored_at: hour(3),
      time_to_restore: 2 * 3600,
    });
    expect(world.deployment('f2')).toMatchObject({ failure_reason: 'failed_deployment', restored_at: null });
    expect(world.deployment('f2').time_to_restore).toBeNull();
    expect(reason(world, 'c')).toBeNull();
  });

  test('A failed run is put right by a success that arrives later, and by an earlier one that arrives later still', async () => {
    const world = await tell(firstSignal, deployed('f', 1, { status: 'failure' }));
    await world.batch(deployed('s2', 5));
    expect(world.deployment('f').restored_at).toBe(hour(5));
    await world.batch(deployed('s1', 3));
    expect(world.deployment('f').restored_at).toBe(hour(3));
    await world.batch({ ...deployed('s1', 3), isGone: true });
    expect(world.deployment('f').restored_at).toBe(hour(5));
  });

  test('A failed run is not put right any more when the success in its environment goes', async () => {
    const world = await tell(
      firstSignal,
      deployed('f', 1, { status: 'failure', environment: 'live' }),
      deployed('other', 3),
      deployed('s', 5, { environment: 'live' }),
    );
    expect(world.deployment('f').restored_at).toBe(hour(5));
    await world.batch({ ...deployed('s', 5), isGone: true });
    expect(world.deployment('f').restored_at).toBeNull();
  });

  test('A failed run elsewhere than in production is no failure', async () => {
    const world = await tell(firstSignal, deployed('f', 1, { status: 'failure', environment: 'staging' }));
    expect(reason(world, 'f')).toBeNull();
  });
});

describe('an incident', () => {
  test('An incident blames the deployment it names, from its opening to its resolution', async () => {
    const world = await tell(
      firstSignal,
      deployed('d1', 1),
      deployed('d2', 2),
      opened('i', 5, { deployment_id: 'd1' }),
    );
    expect(world.deployment('d1')).toMatchObject({
      failure_reason: 'incident',
      failure_detected_at: hour(5),
      restored_at: hour(7),
      time_to_restore: 2 * 3600,
    });
    expect(reason(world, 'd2')).toBeNull();
  });

  test('An incident that names none blames the latest success of its repository in the week before', async () => {
    const world = await tell(
      firstSignal,
      deployed('d1', 1),
      deployed('f', 2, { status: 'failure' }),
      deployed('s', 3, { environment: 'staging' }),
      deployed('other', 4, { repository: 'acme/api' }),
      opened('i', 5),
      deployed('d2', 6),
    );
    expect(['first', 'd1', 's', 'other', 'd2'].map((id) => reason(world, id))).toEqual([
      null,
      'incident',
      null,
      null,
      null,
    ]);
  });

  test('An incident outside of the window blames nobody', async () => {
    const world = await tell(firstSignal, opened('i', 7 * 24 + 0.1));
    expect(reason(world, 'first')).toBeNull();
    await world.batch(opened('j', 7 * 24));
    expect(reason(world, 'first')).toBe('incident');
  });

  test('An incident knows a repository by the name of its service', async () => {
    const world = await tell(firstSignal, incident({ incident_id: 'i', service: 'Web', opened_at: hour(1) }));
    expect(world.deployment('first')).toMatchObject({
      failure_reason: 'incident',
      restored_at: null,
      time_to_restore: null,
    });
  });

  test('An incident means by a service the repository of that name, and nobody while two owners have one', async () => {
    const down = incident({ incident_id: 'i', service: 'web', opened_at: hour(1) });
    const other = deployed('other', 0, { repository: 'other/web' });
    const world = await tell(firstSignal, other, down);
    expect([reason(world, 'first'), reason(world, 'other')]).toEqual([null, null]);
    await world.batch({ ...other, isGone: true });
    expect(reason(world, 'first')).toBe('incident');
    await world.batch(other);
    expect(reason(world, 'first')).toBeNull();
    await world.batch(deployed('whole', 0, { repository: 'web' }));
    expect(['first', 'other', 'whole'].map((id) => reason(world, id))).toEqual([null, null, 'incident']);
  });

  test('Moves to a deployment that arrives later, and lets go of the other', async () => {
    const world = await tell(firstSignal, opened('i', 5));
    expect(reason(world, 'first')).toBe('incident');
    await world.batch(deployed('d1', 4));
    expect([reason(world, 'first'), reason(world, 'd1')]).toEqual([null, 'incident']);
    await world.batch(opened('i', 5, { deployment_id: 'first' }));
    expect([reason(world, 'first'), reason(world, 'd1')]).toEqual(['incident', null]);
    await world.batch({ ...opened('i', 5), isGone: true });
    expect(reason(world, 'first')).toBeNull();
  });

  test('An incident begins with the first of several, and ends when the last of them is resolved', async () => {
    const whole = { failure_detected_at: hour(2), restored_at: hour(9), time_to_restore: 7 * 3600 };
    const world = await tell(firstSignal, opened('j', 3), opened('i', 2, { resolved_at: hour(9) }));
    expect(world.deployment('first')).toMatchObject(whole);
    await world.batch(opened('i', 2), opened('j', 3, { resolved_at: hour(9), deployment_id: 'first' }));
    expect(world.deployment('first')).toMatchObject(whole);
    await world.batch(opened('k', 8, { resolved_at: null }));
    expect(world.deployment('first')).toMatchObject({
      failure_detected_at: hour(2),
      restored_at: null,
      time_to_restore: null,
    });
  });
});

describe('a hotfix', () => {
  test('A hotfix blames what was live when it was merged, and puts it right when it is deployed', async () => {
    const world = await tell(
      firstSignal,
      deployed('d1', 1),
      hotfix('h', 3),
      deployed('d2', 4),
      merged('a', 5),
      deployed('d3', 6),
    );
    expect(world.deployment('d1')).toMatchObject({
      failure_reason: 'hotfix_pr',
      failure_detected_at: hour(1),
      remediation_merged_at: hour(3),
      restored_at: hour(4),
      time_to_restore: 3 * 3600,
    });
    expect([reason(world, 'first'), reason(world, 'd2')]).toEqual([null, null]);
  });

  test('A hotfix blames no failed run that came after what was live', async () => {
    const world = await tell(
      firstSignal,
      deployed('d1', 1),
      deployed('f', 2, { status: 'failure' }),
      hotfix('h', 3),
      deployed('d2', 4),
    );
    expect([reason(world, 'd1'), reason(world, 'f')]).toEqual(['hotfix_pr', 'failed_deployment']);
  });

  test('A hotfix is deployed by a remediation, unless anything else comes with it', async () => {
    const world = await tell(
      firstSignal,
      hotfix('h', 1),
      deployed('d1', 2),
      hotfix('h2', 3),
      merged('a', 3),
      deployed('d2', 4),
    );
    expect(['d1', 'd2', 'first'].map((id) => world.deployment(id).is_remediation)).toEqual([true, false, false]);
  });

  test('A hotfix that is promoted alone is still a remediation', async () => {
    const world = await tell(
      firstSignal,
      hotfix('h', 1, { base_branch: 'develop' }),
      merged('p', 2, { head_branch: 'develop' }),
      deployed('d1', 3),
    );
    expect(world.deployment('d1')).toMatchObject({ is_remediation: true, prs_included: 2 });
  });

  test('A hotfix leaves the failure unrestored while it is not deployed', async () => {
    const world = await tell(firstSignal, hotfix('h', 1));
    expect(world.deployment('first')).toMatchObject({ failure_reason: 'hotfix_pr', restored_at: null });
    await world.batch(deployed('d1', 9));
    expect(world.deployment('first')).toMatchObject({ restored_at: hour(9), time_to_restore: 9 * 3600 });
  });

  test('A hotfix blames the merge before it where every merge is a deployment', async () => {
    const world = await tell(merged('a', 1), hotfix('h', 2));
    expect(world.deployment('merge:a')).toMatchObject({ failure_reason: 'hotfix_pr', restored_at: hour(2) });
    expect(world.deployment('merge:h')).toMatchObject({ failure_reason: null, is_remediation: true });
  });

  test('A hotfix that turns out to be none excuses what it blamed', async () => {
    const world = await tell(firstSignal, hotfix('h', 1), deployed('d1', 2));
    await world.batch(pullRequest({ pr_id: 'h', pr_title: 'Paint the door' }));
    expect(reason(world, 'first')).toBeNull();
    expect(world.deployment('d1').is_remediation).toBe(false);
  });
});

describe('a remediation that names what it carried', () => {
  test('A remediation that names what it carried is one as long as what it names are hotfixes, in whichever repository', async () => {
    const ship = deployed('ship', 2, { repository: 'acme/ship', pr_ids: '["a"]' });
    const world = await tell(merged('a', 1, { pr_title: 'Paint the door' }), ship);
    expect(world.deployment('ship')).toMatchObject({ is_remediation: false, prs_included: 1 });
    await world.batch(pullRequest({ pr_id: 'a', pr_title: 'Hotfix the door' }));
    expect(world.deployment('ship').is_remediation).toBe(true);
    await world.batch({ ...merged('a', 1), isGone: true });
    expect(world.deployment('ship')).toMatchObject({ is_remediation: false, prs_included: 0 });
  });
});

describe('of several reasons', () => {
  const reverting = merged('r', 4, { head_branch: 'revert-7-door' });
  const reverted = merged('a', 1, { pr_number: 7 });

  test('A failed deployment comes before an incident, that before a revert, and that before a hotfix', async () => {
    const world = await tell(firstSignal, reverted, deployed('d1', 2, { version: 'v2' }), hotfix('h', 3));
    expect(reason(world, 'd1')).toBe('hotfix_pr');
    await world.batch(reverting);
    expect(reason(world, 'd1')).toBe('revert_pr');
    await world.batch(opened('i', 5));
    expect(reason(world, 'd1')).toBe('incident');
    await world.batch(deployed('first', 0, { version: 'v1' }), deployed('back', 6, { version: 'v1' }));
    expect(reason(world, 'd1')).toBe('failed_deployment');
  });
});
