import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfiguredSources } from '../../../src/configured-sources/configured-sources.ts';
import { WebhookIntake } from '../../../src/configured-sources/webhook-intake.ts';
import { Rereads } from '../../../src/jobs/rereads.ts';
import { gitlab } from '../../../src/sources/gitlab/gitlab.ts';
import { tableStateOf } from '../../ingest/state.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { ReplayHost } from '../contract/replay-host.ts';
import { makeGitlabWorld } from './gitlab-case.ts';
import { gitlabAnswer, gitlabNow, gitlabToken } from './gitlab-world.ts';

const world = makeGitlabWorld();
let host: ReplayHost;
let service: Service;
let rereads: Rereads;
let source: { readonly id: string; readonly token: string };

beforeAll(async () => {
  host = await ReplayHost.start({ now: () => gitlabNow, answer: (asked) => gitlabAnswer(world, asked) });
  let sources: ConfiguredSources | undefined;
  service = await startService({
    isQuick: true,
    parts: ({ store, secrets, now, directory, ingest }) => {
      const own = new ConfiguredSources({ store, secrets, kinds: [gitlab], now, sourceHosts: [], environment: {} });
      const onError = (error: unknown) => {
        throw error;
      };
      sources = own;
      rereads = new Rereads({ directory, ingest, prepare: (row) => own.prepare(row), onError });
      return { webhooks: new WebhookIntake({ store, sources: own, now, kept: (id) => rereads.nudge(id) }) };
    },
  });
  const change = {
    organisationId: service.organisationId,
    actor: { via: 'command', user: 'test' },
    origin: 'command',
  } as const;
  const added = await sources?.add(change, 'gitlab', 'Code', { base_url: host.url, token: gitlabToken, group: 'acme' });
  source = { id: added?.id ?? '', token: added?.webhookSecret ?? '' };
});
afterAll(async () => {
  await rereads.close();
  await service.close();
  await host.close();
});

const deliver = (title: string, delivery: string, token: string | undefined = source.token) =>
  service.request('POST', `/webhooks/gitlab/${source.id}`, {
    body: JSON.stringify({ object_kind: 'merge_request', project: { id: 101 }, object_attributes: { iid: 5, title } }),
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-event-uuid': delivery,
      ...(token === '' ? {} : { 'x-gitlab-token': token }),
    },
  });

const titles = async () =>
  (await tableStateOf(service.app.warehouse, service.organisationId, 'pull_requests')).map(
    (row) => (JSON.parse(row) as { readonly pr_title: string }).pr_title,
  );

test('Deliveries that are forged change nothing, and such that are repeated or late read what there is now, once', async () => {
  // 32 random bytes that Plumb made, and nobody could set.
  expect(source.token).toHaveLength(43);
  expect(gitlab.settings.map(({ name }) => name)).not.toContain('webhook_secret');
  for (const token of ['', source.token.slice(1), `${source.token}x`]) {
    expect((await deliver('Forged', 'forged', token)).status).toBe(401);
  }
  await rereads.settled();
  expect(await titles()).toEqual([]);

  const before = host.seen.length;
  for (const [title, delivery] of [
    ['Newer', 'b'],
    ['Older', 'a'],
    ['Newer', 'b'],
  ] as const) {
    expect((await deliver(title, delivery)).status).toBe(202);
  }
  await rereads.settled();
  expect(await titles()).toEqual(['Change 5']);
  const notes = host.seen.slice(before).filter(({ path }) => path.endsWith('/5/notes'));
  expect(notes.length).toBeLessThanOrEqual(2);

  const asked = host.seen.length;
  expect((await deliver('Again', 'a')).status).toBe(202);
  await rereads.settled();
  expect(host.seen).toHaveLength(asked);
  expect(service.log.join('')).not.toContain(source.token.slice(1));
});
