import { HttpChannel } from '../../src/messages/channels/http-channel.ts';
import { MailChannel } from '../../src/messages/channels/mail-channel.ts';
import { MessageSender } from '../../src/messages/message-sender.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { openStore } from '../../src/store/open.ts';

// Sends what is queued until it is killed.
const [folder = '', databaseUrl = '', at = ''] = process.argv.slice(2);
const store = await openStore({ folder, ...(databaseUrl === '' ? {} : { databaseUrl }) });
const now = () => new Date(at);
const http = new HttpChannel({ mayBePrivate: () => true, now });
const sender = new MessageSender({
  store,
  secrets: new Secrets({ folder, secret: 'a word' }),
  channels: { slack: http, teams: http, webhook: http, email: new MailChannel({ server: undefined }) },
  holder: `process ${process.pid}`,
  now,
  onError: (error) => {
    throw error;
  },
  terms: { leaseMs: 1_000, lookMs: 20 },
});
sender.start();
setInterval(() => {}, 1_000);
