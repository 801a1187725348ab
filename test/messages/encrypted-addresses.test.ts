import { expect, test } from 'vitest';
import { rotateSecrets } from '../../src/configured-sources/reencrypt-secrets.ts';
import { messageChecks } from '../../src/control/message-diagnoses.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { resolveReference } from '../../src/sources/setting-references.ts';
import { documents } from '../../src/store/document-tables.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import { insertRows } from '../../src/store/put-rows.ts';
import { embedded } from '../conformance/stores.ts';
import { receivingHost } from './receiving-host.ts';
import { sendingWorld } from './sending-world.ts';

const { queue, sender, webhook, content, origin, deliveries, store, home, organisationId, later } =
  sendingWorld(embedded);

test('Rotating the secret encrypts what waits again, and the receivers of alerts and digests', async () => {
  const host = await receivingHost();
  await queue({ origin, receiver: webhook(host.url), content });
  const old = new Secrets({ folder: home().folder, secret: 'a word' });
  const context = `documents/${organisationId()}/alert/lead-time/secrets`;
  const at = new Date();
  await store().change(organisationId(), async (session) =>
    insertRows(session, documents, [
      {
        organisation_id: organisationId(),
        kind: 'alert',
        slug: 'lead-time',
        body: '{}',
        owner_id: null,
        etag: 'e',
        secrets: await old.encrypt('the receivers', context),
        created_at: at,
        changed_at: at,
      },
    ]),
  );
  const secrets = new Secrets({ folder: home().folder, secret: 'another word', secretOld: 'a word' });
  const rotation = { store: store(), secrets, now: () => at };
  expect(await rotateSecrets(rotation, { via: 'demo' })).toEqual({ sources: 0, addresses: 1 });
  const renewed = new Secrets({ folder: home().folder, secret: 'another word' });
  const [row] = await store().read((session) => session.rows<{ secrets: string }>('SELECT secrets FROM documents'));
  expect(await renewed.decrypt(row?.secrets ?? '', context, 'it')).toBe('the receivers');
  await (await sender({ secret: 'another word' })).settled();
  expect(host.received).toHaveLength(1);
  await host.close();
});

test('An address that cannot be read is said, moved to another delivery it is worth nothing', async () => {
  const host = await receivingHost();
  await queue(
    { origin, receiver: webhook(host.url), content, deliveryId: 'a' },
    { origin, receiver: webhook(`${host.url}/b`), content, deliveryId: 'b' },
  );
  await store().note((session) =>
    session.run("UPDATE messages SET address = (SELECT address FROM messages WHERE id = 'b') WHERE id = 'a'"),
  );
  await (await sender()).settled();
  expect(host.received.map(({ path }) => path)).toEqual(['/hook/b']);
  const found = await deliveries();
  expect(found.find(({ id }) => id === 'a')).toMatchObject({ state: 'queued', status: 'address not readable' });
  await host.close();
});

test('The doctor says which messages fail, and no address', async () => {
  const scope = async () => ({
    organisations: await store().read(listOrganisations),
    isOfOne: false,
    maxExamples: 3,
  });
  const [check] = messageChecks;
  expect(await check?.(store(), await scope())).toEqual([]);
  await queue({ origin, receiver: webhook('http://127.0.0.1:9/hook'), content });
  const one = await sender();
  await one.settled();
  const [diagnosis] = (await check?.(store(), await scope())) ?? [];
  expect(diagnosis).toMatchObject({ name: 'messages', status: 'warning' });
  const [found] = diagnosis?.findings ?? [];
  expect(found?.examples).toEqual(["alert 'lead-time' by webhook: 1 waits for another try (connection refused)"]);
  expect(JSON.stringify(diagnosis)).not.toContain('127.0.0.1');
  await store().note((session) => session.run("UPDATE messages SET state = 'failed', done_at = now()"));
  const [failed] = (await check?.(store(), await scope())) ?? [];
  expect(failed?.findings?.[0]?.examples).toEqual(["alert 'lead-time' by webhook: 1 failed (connection refused)"]);
  later(1);
});

test.each(['PLUMB_SMTP_URL', 'PLUMB_SMTP_FROM', 'PLUMB_PUBLIC_URL', 'PLUMB_SMTP_URL_FILE'])(
  'No source gets %s as its token',
  (name) => {
    expect(() => resolveReference(`env:${name}`, { [name]: 'smtps://u:p@x' })).toThrow(/a setting of Plumb itself/);
  },
);
