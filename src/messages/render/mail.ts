import MailComposer from 'nodemailer/lib/mail-composer';
import type { QueuedMail } from '../channels/mail-channel.ts';
import type { MessageLine } from '../message-content.ts';
import { messageWords as words } from '../message-words.ts';
import { onOneLine } from './inert-text.ts';
import { mailHtml } from './mail-html.ts';
import { addressOf, maxFigures, type Rendering, shortened } from './rendering.ts';

interface MailEnvelope {
  /** PLUMB_SMTP_FROM. */
  readonly from: MailSender;
  readonly to: string;
  readonly stopUrl: string;
  /** The host of the public address: identifiers of mails end with it. */
  readonly host: string;
}

export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** A whole mail as bytes. Composed once, when it is queued: every try sends the same. */
export async function composedMail(rendering: Rendering, envelope: MailEnvelope): Promise<QueuedMail> {
  const { deliveryId, content, queuedAt } = rendering;
  const { from, to, stopUrl, host } = envelope;
  const raw = await new MailComposer({
    from,
    // As an object, so that nothing in an address begins another one.
    to: { name: '', address: to },
    subject: onOneLine(content.title),
    text: mailText(rendering, stopUrl),
    html: mailHtml(rendering, stopUrl),
    textEncoding: 'quoted-printable',
    messageId: `<${deliveryId}@${host}>`,
    date: queuedAt,
    headers: {
      'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${stopUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      'X-Plumb-Delivery': deliveryId,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
  return { from: from.address, to, raw: raw.toString('latin1') };
}

const maxLines = 100;

/** A mail for those who read no HTML: it says the same. */
function mailText(rendering: Rendering, stopUrl: string): string {
  const { content } = rendering;
  const { title, organisation, period, intro, figures = [], notes = [], button } = content;
  const address = addressOf(button?.link, rendering);
  const blocks = [
    [organisation, period ?? '']
      .filter((text) => text !== '')
      .map(onOneLine)
      .join(' · '),
    [onOneLine(title), '='.repeat(Math.min(72, Math.max(3, onOneLine(title).length)))].join('\n'),
    ...intro.map(onOneLine),
    figures
      .slice(0, maxFigures)
      .flatMap(({ label, value, change, link }) => [
        `${onOneLine(label)}: ${onOneLine(value)}${change ? ` (${onOneLine(change.text)})` : ''}`,
        ...indented(addressOf(link, rendering)),
      ])
      .join('\n'),
    ...shortened(content.sections, maxLines).map(({ title: heading, lines }) =>
      [
        onOneLine(heading),
        '-'.repeat(Math.min(72, Math.max(3, onOneLine(heading).length))),
        ...lines.flatMap((line) => lineTexts(line, rendering)),
      ].join('\n'),
    ),
    address && button ? `${onOneLine(button.text)}: ${address}` : '',
    ['-- ', ...notes.map(onOneLine), words.sentBy(onOneLine(organisation)), words.stopAt(stopUrl)].join('\n'),
  ];
  return `${blocks.filter((text) => text !== '').join('\n\n')}\n`;
}

const indented = (text: string | undefined): string[] => (text === undefined ? [] : [`  ${text}`]);

function lineTexts({ text, detail, state, link }: MessageLine, rendering: Rendering): string[] {
  return [
    `* ${onOneLine(text)}${state ? `: ${onOneLine(state.text)}` : ''}`,
    ...indented(detail === undefined ? undefined : onOneLine(detail)),
    ...indented(addressOf(link, rendering)),
  ];
}
