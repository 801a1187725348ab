import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';
import { type SignedIn, signIn } from '../../setup/signed-in.ts';

interface Answer {
  readonly missing_settings: readonly string[];
  readonly received: readonly { readonly kind: string; readonly slug: string; readonly is_stopped: boolean }[];
  readonly deliveries: readonly { readonly slug: string; readonly receiver: object; readonly state: string }[];
}

const addresses = { ada: 'ada@example.com', grace: 'grace@example.com', edsger: 'edsger@example.com' };
const behind = { source_behind: { hours: 6 } };

let service: Service;
let ada: SignedIn;
let grace: SignedIn;
let edsger: SignedIn;
beforeAll(async () => {
  service = await startService();
  [ada, grace, edsger] = (await Promise.all(Object.values(addresses).map((address) => signIn(service, address)))) as [
    SignedIn,
    SignedIn,
    SignedIn,
  ];
  const to = [{ email: addresses.ada }, { email: addresses.edsger }];
  await make(ada, '/alerts/behind', { rule: behind, to });
  await make(grace, '/digests/monday', { every: 'monday 08:00', to: [{ email: addresses.grace }] });
  await make(ada, '/boards/hidden', { title: 'Hidden', visible_to: 'me', panels: [] });
  await make(ada, '/digests/of-hidden', { board: 'hidden', every: 'day 08:00', to });
});
afterAll(() => service.close());

async function make(person: SignedIn, path: string, body: object): Promise<void> {
  const headers = { ...person.headers, 'if-none-match': '*' };
  expect((await service.request('PUT', path, { headers, body })).status).toBe(201);
}

const shownTo = async (person: SignedIn) => (await person.request('GET', '/app/notifications')).json as Answer;
const names = async (person: SignedIn) =>
  (await shownTo(person)).received.map(
    ({ kind, slug, is_stopped }) => `${kind} ${slug}${is_stopped ? ' stopped' : ''}`,
  );

test('Everyone sees what is sent to their address, whoever has made it, but nothing of a board they may not see', async () => {
  expect(await names(ada)).toEqual(['alert behind', 'digest of-hidden']);
  expect(await names(grace)).toEqual(['digest monday']);
  expect(await names(edsger)).toEqual(['alert behind']);
});

test('One stops for oneself alone, and begins again; each change is in the audit log once', async () => {
  for (const times of [1, 2])
    expect((await edsger.request('PUT', '/app/stopped-notifications/alert/behind')).status, String(times)).toBe(204);
  expect([await names(edsger), (await names(ada))[0]]).toEqual([['alert behind stopped'], 'alert behind']);
  await ada.request('POST', '/alerts/behind/test');
  const sent = (await shownTo(ada)).deliveries.filter(({ slug }) => slug === 'behind');
  expect(sent.map(({ receiver }) => receiver)).toEqual([{ email: addresses.ada }]);
  expect((await edsger.request('DELETE', '/app/stopped-notifications/alert/behind')).status).toBe(204);
  expect(await names(edsger)).toEqual(['alert behind']);
  const { entries } = (await ada.request('GET', '/app/audit?limit=50')).json as { entries: { action: string }[] };
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('message.'));
  expect(actions).toEqual(['message.resume', 'message.stop']);
});

test('What is not sent to somebody, they cannot stop', async () => {
  for (const path of ['alert/behind', 'digest/monday', 'digest/none'])
    expect((await grace.request('PUT', `/app/stopped-notifications/${path}`)).status).toBe(
      path === 'digest/monday' ? 204 : 404,
    );
  expect((await edsger.request('PUT', '/app/stopped-notifications/digest/of-hidden')).status).toBe(404);
  expect((await grace.request('PUT', '/app/stopped-notifications/board/hidden')).status).toBe(400);
});

test('Owners see the deliveries of the organisation, everyone else those to their own address', async () => {
  await ada.request('POST', '/alerts/behind/test');
  const receiversFor = async (person: SignedIn) =>
    new Set((await shownTo(person)).deliveries.map(({ receiver }) => JSON.stringify(receiver)));
  const mail = (email: string) => JSON.stringify({ email });
  expect(await receiversFor(ada)).toEqual(new Set([mail(addresses.ada), mail(addresses.edsger)]));
  expect(await receiversFor(edsger)).toEqual(new Set([mail(addresses.edsger)]));
  expect((await shownTo(grace)).deliveries).toEqual([]);
});

test('Without mail the settings that are missing are named, and a mail has failed', async () => {
  const { missing_settings, deliveries } = await shownTo(edsger);
  expect(missing_settings).toEqual(['PLUMB_SMTP_URL', 'PLUMB_SMTP_FROM', 'PLUMB_PUBLIC_URL']);
  expect(deliveries.map(({ state }) => state)).toEqual(['failed']);
});

test('Notifications are for people who are signed in', async () => {
  const answer = await service.request('GET', '/app/notifications', { key: service.keys.owner });
  expect(answer.status).toBe(403);
});
