import { isNamedHost } from '../outgoing/checked-hosts.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/store.ts';
import { HttpChannel } from './channels/http-channel.ts';
import { MailChannel } from './channels/mail-channel.ts';
import { MessageSender, type MessageSenderParts } from './message-sender.ts';
import { type MessageSettings, Messages } from './messages.ts';
import { StopLinks } from './stop-links.ts';

/** Messages, ready to be queued and sent. */
export interface OpenedMessages {
  readonly messages: Messages;
  readonly stopLinks: StopLinks;
  /** Sends what is queued, once it is started. */
  readonly messageSender: (tried: MessageSenderParts['tried']) => MessageSender;
}

interface OpeningParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly now: () => Date;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
}

/** The settings of messages, as far as an operator has given any. */
export interface GivenMessageSettings extends Partial<Omit<MessageSettings, 'privateHosts'>> {
  readonly sourceHosts?: readonly string[];
}

export function openMessages(
  { publicUrl, mailServer, mailSender, sourceHosts = [] }: GivenMessageSettings,
  { store, secrets, now, holder, onError }: OpeningParts,
): OpenedMessages {
  const settings = { publicUrl, mailServer, mailSender, privateHosts: sourceHosts };
  const messages = new Messages({ store, secrets, now, settings });
  return {
    messages,
    stopLinks: new StopLinks(store, messages),
    messageSender: (tried) => {
      const http = new HttpChannel({ mayBePrivate: (host) => isNamedHost(host, sourceHosts), now });
      const channels = { slack: http, teams: http, webhook: http, email: new MailChannel({ server: mailServer }) };
      return new MessageSender({ store, secrets, channels, holder, now, onError, tried });
    },
  };
}
