import { describe, expect, test } from 'vitest';
import { commit, DeliveryWorld, type Event, hour } from './delivery-world.ts';
import { deployed, firstSignal, merged, mergeOf, sha } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}

const deploymentsOf = (world: DeliveryWorld, ...ids: readonly string[]) =>
  ids.map((id) => world.pullRequest(id).deployment_id);

describe('a deployment', () => {
  test('A deployment carries what was merged up to its time and not carried before', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      merged('b', 2),
      deployed('d1', 3),
      merged('c', 4),
      deployed('d2', 5),
    );
    expect(deploymentsOf(world, 'a', 'b', 'c')).toEqual(['d1', 'd1', 'd2']);
    expect(world.deployment('d1').prs_included).toBe(2);
    expect(world.pullRequest('a')).toMatchObject({
      deployment_attribution_status: 'deployed',
      deployed_at: hour(3),
      lead_time: 5 * 3600,
      open_to_deploy: 4 * 3600,
      merge_to_deploy: 2 * 3600,
    });
  });

  test('A deployment of a merge carries up to that merge: what was merged during the rollout belongs to the next', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      merged('b', 2),
      deployed('d1', 3, { sha: mergeOf('a').toUpperCase() }),
      deployed('d2', 4, { sha: mergeOf('b') }),
    );
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d1', 'd2']);
  });

  test('A deployment of a commit of a pull request carries up to the merge of that pull request', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      commit({ commit_id: 'c', pr_id: 'a', sha: sha('cafe') }),
      merged('b', 2),
      deployed('d1', 3, { sha: sha('cafe') }),
    );
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d1', null]);
  });

  test('A deployment of a commit that is merged only later says nothing about the production branch', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      merged('late', 9),
      merged('b', 5),
      commit({ commit_id: 'c', pr_id: 'late', sha: sha('cafe') }),
      deployed('d1', 3, { sha: sha('cafe') }),
    );
    expect(deploymentsOf(world, 'a', 'b', 'late')).toEqual(['d1', null, null]);
  });

  test('A deployment of a merge carries it even if its clock is behind', async () => {
    const world = await tell(firstSignal, merged('a', 2), deployed('d1', 1.99, { sha: mergeOf('a') }));
    expect(world.pullRequest('a')).toMatchObject({ deployment_id: 'd1', merge_to_deploy: 0, lead_time: 2.99 * 3600 });
  });

  test('A deployment of an unknown commit that was live before holds no more than it did then', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      deployed('d1', 2, { sha: sha('beef'), environment: 'prod' }),
      merged('b', 3),
      deployed('d2', 4, { sha: sha('beef'), environment: 'live' }),
      deployed('d3', 5),
    );
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d1', 'd3']);
  });

  test('A deployment with nothing new carries nothing', async () => {
    const world = await tell(firstSignal, merged('a', 1), deployed('d1', 2), deployed('d2', 3));
    expect(world.deployment('d2')).toMatchObject({ prs_included: 0, is_remediation: false, failure_reason: null });
  });

  test('A deployment that is the first known carries nothing, and nothing before it is carried later', async () => {
    const world = await tell(
      merged('a', 1),
      merged('b', 2),
      deployed('d1', 3, { sha: mergeOf('a') }),
      deployed('d2', 4),
    );
    expect(world.deployment('d1').prs_included).toBe(0);
    expect(world.pullRequest('a')).toMatchObject({
      deployment_attribution_status: 'before_first_signal',
      deployment_id: null,
      lead_time: null,
    });
    expect(deploymentsOf(world, 'b')).toEqual(['d2']);
  });

  test.each(['failure', 'cancelled', null])(
    'A deployment that ended with %s carries nothing, and is no signal',
    async (status) => {
      const world = await tell(merged('a', 1), deployed('d1', 2, { status }));
      expect(world.deployment('d1').prs_included).toBe(0);
      expect(world.pullRequest('a').deployment_attribution_status).toBe('before_first_signal');
    },
  );

  test('A deployment elsewhere than in production carries nothing', async () => {
    const world = await tell(
      merged('a', 1),
      deployed('s1', 2, { environment: 'staging' }),
      deployed('s2', 3, { environment: 'qa' }),
    );
    expect(world.deployment('s2')).toMatchObject({ is_production: false, prs_included: 0 });
    expect(world.pullRequest('a')).toMatchObject({ deployment_attribution_status: 'before_first_signal' });
  });

  test('A deployment goes to production when its provider says so, whatever the environment is called', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      deployed('no', 2, { production: false }),
      deployed('yes', 3, { environment: 'blue', production: true }),
    );
    expect([world.deployment('no').is_production, world.deployment('yes').is_production]).toEqual([false, true]);
    expect(deploymentsOf(world, 'a')).toEqual(['yes']);
  });

  test('A deployment to the first of several production environments carries, to the others nothing more', async () => {
    const world = await tell(
      firstSignal,
      merged('a', 1),
      deployed('eu', 2, { environment: 'live', sha: mergeOf('a') }),
      deployed('us', 3, { environment: 'prod', sha: mergeOf('a') }),
    );
    expect(deploymentsOf(world, 'a')).toEqual(['eu']);
    expect(world.deployment('us')).toMatchObject({ prs_included: 0, is_rollback: false });
  });

  test('A deployment without a repository holds nothing of pull requests without one, whichever came first', async () => {
    const deployment = deployed('d1', 3, { repository: null, sha: sha('cafe') });
    const owner = [
      merged('a', 1, { repository: null }),
      commit({ commit_id: 'c', pr_id: 'a', sha: sha('cafe') }),
      merged('b', 2, { repository: null, merge_commit_sha: sha('beef') }),
    ];
    const later = deployed('d2', 4, { repository: null, sha: sha('beef') });
    for (const batches of [
      [[deployment], owner, [later]],
      [owner, [deployment, later]],
      [[later], owner, [deployment]],
    ]) {
      const world = new DeliveryWorld();
      for (const batch of batches) await world.batch(...batch);
      expect(world.deployment('d1')).toMatchObject({ is_rollback: false, prs_included: 0 });
      expect(world.deployment('d2')).toMatchObject({ is_rollback: false, prs_included: 0 });
    }
  });

  test('A deployment without a time is nowhere in the story', async () => {
    const world = await tell(merged('a', 1), deployed('d1', 2, { deployed_at: null }));
    expect(world.deployment('d1')).toMatchObject({ is_production: true, prs_included: 0 });
    expect(world.pullRequest('a').deployment_attribution_status).toBe('before_first_signal');
  });
});

describe('a deployment that names what it carried', () => {
  const naming = (...ids: readonly string[]) => ({ pr_ids: JSON.stringify(ids) });

  test('A deployment that names what it carried carries exactly that, even when it is the first', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), deployed('d1', 3, naming('b')), deployed('d2', 4));
    expect(deploymentsOf(world, 'a', 'b')).toEqual([null, 'd1']);
    expect(world.deployment('d1').prs_included).toBe(1);
    expect(world.pullRequest('a').deployment_attribution_status).toBe('before_first_signal');
  });

  test('A deployment that names what it carried carries nothing when it names none', async () => {
    const world = await tell(firstSignal, merged('a', 1), deployed('d1', 2, naming()), deployed('d2', 3));
    expect(deploymentsOf(world, 'a')).toEqual(['d2']);
    expect(world.deployment('d1').prs_included).toBe(0);
  });

  test('A deployment that names what it carried may name pull requests of other repositories, and of other branches', async () => {
    const world = await tell(
      merged('web', 1),
      merged('api', 1, { repository: 'acme/api' }),
      merged('branch', 1, { base_branch: 'topic' }),
      deployed('both', 3, naming('web', 'api', 'branch', 'unheard-of')),
    );
    expect(deploymentsOf(world, 'web', 'api', 'branch')).toEqual(['both', 'both', 'both']);
    expect(world.deployment('both').prs_included).toBe(3);
    // Nothing is reported in its own repository, where every merge would be a deployment otherwise.
    expect(world.pullRequest('api').deployed_at).toBe(hour(3));
    expect(world.deployment('merge:api').prs_included).toBe(0);
    await world.batch({ ...deployed('both', 3), isGone: true });
    expect(deploymentsOf(world, 'api')).toEqual(['merge:api']);
    expect(world.deployment('merge:api').prs_included).toBe(1);
  });

  test('A deployment that names what it carried is not asked when another carried it before', async () => {
    const world = await tell(firstSignal, merged('a', 1), deployed('d1', 2), deployed('d2', 3, naming('a')));
    expect(deploymentsOf(world, 'a')).toEqual(['d1']);
    expect(world.deployment('d2').prs_included).toBe(0);
  });

  test('A deployment that names what it carried counts what comes to be known later', async () => {
    const world = await tell(deployed('d1', 3, naming('late')));
    expect(world.deployment('d1').prs_included).toBe(0);
    await world.batch(merged('late', 1));
    expect(world.deployment('d1').prs_included).toBe(1);
    await world.batch({ ...merged('late', 1), isGone: true });
    expect(world.deployment('d1').prs_included).toBe(0);
  });
});

describe('what arrives late', () => {
  test('What arrives late is derived as if it had always been there: a deployment before those that are known', async () => {
    const world = await tell(firstSignal, merged('a', 1), merged('b', 4), deployed('d2', 5));
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d2', 'd2']);
    await world.batch(deployed('d1', 2));
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d1', 'd2']);
    expect([world.deployment('d1').prs_included, world.deployment('d2').prs_included]).toEqual([1, 1]);
  });

  test('What arrives late may be the first signal after all', async () => {
    const world = await tell(merged('a', 1), merged('b', 4), deployed('d2', 5));
    expect(world.pullRequest('b').deployment_attribution_status).toBe('before_first_signal');
    await world.batch(deployed('d1', 2));
    expect(world.pullRequest('a').deployment_attribution_status).toBe('before_first_signal');
    expect(deploymentsOf(world, 'b')).toEqual(['d2']);
    await world.batch({ ...deployed('d1', 2), isGone: true });
    expect(deploymentsOf(world, 'b')).toEqual([null]);
  });

  test('What arrives late is the first signal where others of the same second come after it', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), deployed('m', 3));
    expect(world.pullRequest('b').deployment_attribution_status).toBe('before_first_signal');
    await world.batch(deployed('k', 3, { sha: mergeOf('a') }));
    expect(deploymentsOf(world, 'a', 'b')).toEqual([null, 'm']);
  });

  test('What arrives late may be the first success of a repository that only had failures', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), deployed('f', 0, { status: 'failure' }));
    await world.batch(deployed('d1', 3, { sha: mergeOf('a') }));
    expect(world.pullRequest('b').deployment_attribution_status).toBe('awaiting_deploy');
  });

  test('Moves what a deployment held: the pull request whose merge it deployed', async () => {
    const world = await tell(firstSignal, merged('b', 3), deployed('d1', 4, { sha: mergeOf('a') }), deployed('d2', 5));
    expect(deploymentsOf(world, 'b')).toEqual(['d1']);
    await world.batch(merged('a', 2));
    expect(deploymentsOf(world, 'a', 'b')).toEqual(['d1', 'd2']);
  });

  test('Changes nothing when it is what is known already', async () => {
    const events = [firstSignal, merged('a', 1), deployed('d1', 2, { sha: mergeOf('a') }), deployed('d0', 1.5)];
    const world = await tell(...events);
    const before = world.tables.state();
    await world.batch(...events);
    expect(world.tables.state()).toEqual(before);
  });
});
