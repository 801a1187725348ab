import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  addSource,
  beginSync,
  endLease,
  endLostLeases,
  findSource,
  findSourceByName,
  finishSync,
  forgetErrors,
  listSources,
  listStreams,
  listSyncs,
  putStreams,
  removeSource,
  requestSync,
  SourceRemoved,
  type SourceStreamRow,
  takeLease,
} from '../../src/store/source-rows.ts';
import type { Store } from '../../src/store/store.ts';
import {
  finishDeliveries,
  forgetDeliveries,
  keepDeliveries,
  openDeliveries,
} from '../../src/store/webhook-deliveries.ts';
import { unfed } from '../setup/unfed-stream.ts';
import { describeOnEveryStore, noon, sharedStore, someOrganisation } from './stores.ts';

async function someSource(store: Store, name = 'Code') {
  const organisation = await someOrganisation(store);
  const source = {
    id: randomUUID(),
    organisation_id: organisation.id,
    kind: 'github',
    name,
    name_key: name.toLowerCase(),
    added_by: 'command',
    settings: '{}',
    secrets: null,
    webhook_secret: null,
    created_at: noon,
  };
  await store.change(organisation.id, (session) => addSource(session, source));
  return source;
}

const streamOf = (source: { id: string; organisation_id: string }, more: Partial<SourceStreamRow> = {}) => ({
  source_id: source.id,
  stream_id: 'pull_requests@R_1',
  organisation_id: source.organisation_id,
  name: 'pull requests',
  scope: 'acme/web',
  state: '{}',
  updated_at: noon,
  succeeded_at: null,
  failed_at: null,
  error: null,
  to_do: null,
  read_count: 0,
  estimated_count: null,
  ...unfed,
  newest_record_at: null,
  ...more,
});

describeOnEveryStore('sources in a store', (engine) => {
  const store = sharedStore(engine);

  test('Sources in a store are found by identifier, and by name in their own organisation only', async () => {
    const [one, other] = [await someSource(store()), await someSource(store())];
    await store().read(async (session) => {
      expect(await findSource(session, one.id)).toEqual(one);
      expect(await findSourceByName(session, one.organisation_id, 'code')).toEqual(one);
      expect(await findSourceByName(session, other.organisation_id, 'code')).toEqual(other);
      expect(await listSources(session, one.organisation_id)).toEqual([one]);
      expect(await listSources(session)).toEqual(expect.arrayContaining([one, other]));
    });
  });

  test('One process at a time reads a source, until it gives it back or its lease runs out', async () => {
    const { id } = await someSource(store());
    const takers = await Promise.all(['a', 'b', 'c'].map((holder) => takeLease(store(), id, holder, 60_000)));
    expect(takers.filter(Boolean)).toHaveLength(1);
    const holder = ['a', 'b', 'c'][takers.indexOf(true)] as string;
    expect(await takeLease(store(), id, 'another', 60_000)).toBe(false);
    expect(await takeLease(store(), id, holder, 60_000)).toBe(true);
    await store().note((session) => endLease(session, id, 'another'));
    expect(await takeLease(store(), id, 'another', 60_000)).toBe(false);
    await store().note((session) => endLease(session, id, holder));
    expect(await takeLease(store(), id, 'another', -1)).toBe(true);
    expect(await takeLease(store(), id, holder, 60_000)).toBe(true);
  });

  test('What lost processes were reading can be read on at once', async () => {
    const { id } = await someSource(store());
    expect(await takeLease(store(), id, 'lost', 60_000)).toBe(true);
    await endLostLeases(store());
    expect(await takeLease(store(), id, 'next', 60_000)).toBe(true);
  });

  test('A source that is not there cannot be taken', async () => {
    expect(await takeLease(store(), randomUUID(), 'a', 60_000)).toBe(false);
  });

  test('A sync that begins answers the request for it, and how it ended is kept', async () => {
    const source = await someSource(store());
    const later = new Date(noon.getTime() + 60_000);
    await store().note((session) => requestSync(session, source.id, noon));
    const syncs = () => store().read((session) => listSyncs(session, source.organisation_id));
    expect(await syncs()).toMatchObject([{ requested_at: noon, started_at: null, outcome: null }]);
    await store().note((session) => beginSync(session, source.id, noon));
    expect(await syncs()).toMatchObject([{ requested_at: null, started_at: noon, finished_at: null }]);
    const failed = { at: later, outcome: 'failed', error: 'The token is refused.', toDo: 'Make a new one.' } as const;
    await store().note((session) => finishSync(session, source.id, failed));
    expect(await syncs()).toMatchObject([
      { finished_at: later, outcome: 'failed', error: 'The token is refused.', to_do: 'Make a new one.' },
    ]);
    await store().note((session) => finishSync(session, source.id, { at: later, outcome: 'complete' }));
    expect(await syncs()).toMatchObject([{ outcome: 'complete', error: null, to_do: null }]);
  });

  test('The newest state of a stream counts', async () => {
    const source = await someSource(store());
    const stream = streamOf(source);
    const newer = { ...stream, state: '{"next":2}', read_count: 200, not_seen: '{"ofPages":[]}' };
    await store().note((session) => putStreams(session, [stream]));
    await store().note((session) => putStreams(session, [newer]));
    expect(await store().read((session) => listStreams(session, source.id))).toEqual([newer]);
  });

  test('The errors of streams are forgotten, and those of which nothing was ever read altogether', async () => {
    const source = await someSource(store());
    const stream = { ...streamOf(source), failed_at: noon, error: 'It is gone.', to_do: 'Leave it out.' };
    const read = { ...stream, stream_id: 'read', succeeded_at: noon };
    const never = { ...stream, stream_id: 'never', succeeded_at: null, read_count: 0 };
    await store().note((session) => putStreams(session, [stream, read, never]));
    await store().note((session) => forgetErrors(session, source.id, ['read', 'never']));
    const left = await store().read((session) => listStreams(session, source.id));
    const forgotten = { ...read, failed_at: null, error: null, to_do: null };
    expect(left).toHaveLength(2);
    expect(left).toEqual(expect.arrayContaining([stream, forgotten]));
  });

  test('Removing a source removes what is known of it, and nothing more is taken of it', async () => {
    const source = await someSource(store());
    await store().note((session) => putStreams(session, [streamOf(source)]));
    await store().change(source.organisation_id, (session) => removeSource(session, source.id));
    const late = store().note((session) => putStreams(session, [streamOf(source)]));
    await expect(late).rejects.toThrow(SourceRemoved);
    await store().read(async (session) => {
      expect(await findSource(session, source.id)).toBeUndefined();
      expect(await listStreams(session, source.id)).toEqual([]);
      expect(await listSyncs(session, source.organisation_id)).toEqual([]);
    });
  });

  test('A source that is removed while a stream of it is written takes that stream along', async () => {
    const source = await someSource(store());
    let removal: Promise<void> | undefined;
    await store().note(async (session) => {
      await putStreams(session, [streamOf(source)]);
      removal = store().change(source.organisation_id, (other) => removeSource(other, source.id));
      // The removal has all the time that it would take if nothing held it.
      await Promise.race([removal, pause(300)]);
    });
    await removal;
    expect(await store().read((session) => listStreams(session, source.id))).toEqual([]);
  });

  test('A delivery waits once, however often it comes, and is recognised after it was read', async () => {
    const source = await someSource(store());
    const delivery = {
      source_id: source.id,
      delivery_id: 'd-1',
      organisation_id: source.organisation_id,
      event: 'pull_request',
      objects: '[]',
      received_at: noon,
      done_at: null,
    };
    const open = () => store().read((session) => openDeliveries(session, source.id, 10));
    const later = { ...delivery, objects: '[1]' };
    await store().note((session) => keepDeliveries(session, [delivery, later]));
    await store().note((session) => keepDeliveries(session, [later]));
    expect(await open()).toEqual([delivery]);
    await store().note((session) => finishDeliveries(session, source.id, ['d-1'], noon));
    await store().note((session) => forgetDeliveries(session, noon));
    await store().note((session) => keepDeliveries(session, [delivery]));
    expect(await open()).toEqual([]);
    await store().note((session) => forgetDeliveries(session, new Date(noon.getTime() + 1)));
    await store().note((session) => keepDeliveries(session, [delivery]));
    expect(await open()).toEqual([delivery]);
  });
});
