import { describe, expect, test } from 'vitest';
import { DeliveryWorld, type Event, hour, release } from './delivery-world.ts';
import { merged } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}
const released = (release_id: string, hours: number | null, is_prerelease = false) =>
  release({ release_id, repository: 'acme/web', release_date: hours === null ? null : hour(hours), is_prerelease });
const counts = (world: DeliveryWorld, ...ids: readonly string[]) => ids.map((id) => world.release(id).prs_included);
const prs = [1, 2, 3, 4, 5, 6].map((hours) => merged(`p${hours}`, hours - 0.5, { is_bot: hours === 4 }));

describe('a release brings', () => {
  test('Everything since the full release before it, bots included; a prerelease what came since any', async () => {
    const world = await tell(
      ...prs,
      released('v1', 1),
      released('v2-rc1', 2, true),
      released('v2-rc2', 4, true),
      released('v2', 5),
      released('v3-rc1', 6, true),
    );
    expect(counts(world, 'v1', 'v2-rc1', 'v2-rc2', 'v2', 'v3-rc1')).toEqual([0, 1, 2, 4, 1]);
    expect(world.release('v2')).toMatchObject({ contents_after: hour(1), contents_until: hour(5) });
  });

  test('Nothing when it is the first that is known, and since that one when it is the first full one', async () => {
    const world = await tell(...prs, released('rc', 2, true), released('v1', 4));
    expect(counts(world, 'rc', 'v1')).toEqual([0, 2]);
  });

  test('Nothing yet while it is not published', async () => {
    const world = await tell(...prs, released('v1', 1), released('draft', null));
    expect(world.release('draft')).toMatchObject({ prs_included: null, contents_after: null, contents_until: null });
    await world.batch(released('draft', 3));
    expect(counts(world, 'draft')).toEqual([2]);
  });

  test('What is promoted into the production branch by then', async () => {
    const world = await tell(
      merged('m', 0.2),
      merged('a', 2, { base_branch: 'develop' }),
      released('v1', 1),
      released('v2', 3),
      released('v3', 5),
    );
    expect(counts(world, 'v2', 'v3')).toEqual([0, 0]);
    await world.batch(merged('p', 4, { head_branch: 'develop' }));
    expect(counts(world, 'v2', 'v3')).toEqual([0, 2]);
  });

  test('What is derived for pull requests that come late, and of releases in between', async () => {
    const world = await tell(...prs, released('v1', 1), released('v3', 5));
    expect(counts(world, 'v3')).toEqual([4]);
    await world.batch(merged('late', 1.2));
    expect(counts(world, 'v3')).toEqual([5]);
    await world.batch(released('v2', 3));
    expect(counts(world, 'v2', 'v3')).toEqual([3, 2]);
    await world.batch({ ...merged('late', 1.2), isGone: true });
    expect(counts(world, 'v1', 'v2', 'v3')).toEqual([0, 2, 2]);
  });
});
