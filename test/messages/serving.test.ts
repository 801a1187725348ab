import { expect, test } from 'vitest';
import { Messages } from '../../src/messages/messages.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { openStore } from '../../src/store/open.ts';
import { postgres, someOrganisation } from '../conformance/stores.ts';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { mailHost } from './mail-host.ts';
import { receivingHost } from './receiving-host.ts';
import { content, origin } from './sending-world.ts';

describeWithPostgres('a server', () => {
  test('A server sends what waits, counts it, and says what is not through', async () => {
    const home = await postgres.placeWithTables();
    const [host, mails] = [await receivingHost(), await mailHost()];
    const store = await openStore(home);
    const { id } = await someOrganisation(store);
    const publicUrl = 'https://plumb.acme.example';
    const messages = new Messages({
      store,
      secrets: new Secrets({ folder: home.folder, secret: 'a word' }),
      now: () => new Date(),
      settings: {
        mailServer: undefined,
        mailSender: { name: '', address: 'plumb@acme.example' },
        publicUrl,
        privateHosts: [],
      },
    });
    const to = (medium: 'slack' | 'email', address: string) => ({
      origin,
      content,
      receiver: { key: `${medium}:${address}`, medium, address },
    });
    await store.change(id, (session) =>
      messages.queue(session, [
        to('slack', host.url),
        to('email', 'ada@acme.example'),
        to('slack', 'http://127.0.0.1:9/x'),
      ]),
    );
    const environment = {
      DATABASE_URL: home.databaseUrl ?? '',
      PLUMB_SECRET: 'a word',
      PLUMB_SOURCE_HOSTS: '127.0.0.1',
      PLUMB_SMTP_URL: `smtp://127.0.0.1:${mails.server.port}`,
      PLUMB_SMTP_FROM: 'plumb@acme.example',
      PLUMB_PUBLIC_URL: publicUrl,
      PLUMB_ADMIN_PORT: '0',
    };
    const server = await callServer(home.folder, environment);
    const triedOnce = async () => (await messages.deliveries(id)).every(({ status }) => status !== null);
    await expect.poll(triedOnce, { timeout: 10_000 }).toBe(true);
    expect(host.received).toHaveLength(1);
    expect(mails.received.map((mail) => mail.to)).toEqual([['ada@acme.example']]);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    expect(metrics).toContain('plumb_message_tries_total{medium="slack",state="sent"} 1');
    expect(metrics).toContain('plumb_message_tries_total{medium="email",state="sent"} 1');
    expect(metrics).toContain('plumb_message_tries_total{medium="slack",state="queued"} 1');
    expect(metrics).toContain('plumb_messages_waiting 1');
    const status = await callPlumb(home.folder, ['status', '--org', id], { environment });
    expect(status.stdout).toContain('Messages don’t reach 1 receiver. See `plumb doctor`.');
    await server.stop();
    await store.close();
    await Promise.all([host.close(), mails.close()]);
    await home.remove();
  });
});
