import type { MessageFigure, MessageLine } from '../message-content.ts';
import { inert } from './inert-text.ts';
import { addressOf, maxFigures, type Rendering, shortened } from './rendering.ts';

const maxHeading = 150;
const maxText = 2_900;
const maxLines = 20;
/** Slack takes fifty. */
const maxSections = 12;

type Block = Readonly<Record<string, unknown>>;

/** The body for an incoming webhook of Slack. `verbatim` and the rest keep Slack from finding links and names itself. */
export function slackBody(rendering: Rendering): string {
  const { content } = rendering;
  const { title, organisation, period, intro, figures = [], notes = [], button } = content;
  const heading = inert(title);
  const address = addressOf(button?.link, rendering);
  const blocks: (Block | undefined)[] = [
    { type: 'header', text: { type: 'plain_text', text: cut(heading, maxHeading), emoji: false } },
    small(
      [organisation, period ?? '']
        .filter((text) => text !== '')
        .map(escaped)
        .join('  ·  '),
    ),
    ...intro.map((text) => section(escaped(text))),
    figures.length === 0
      ? undefined
      : {
          type: 'section',
          fields: figures.slice(0, maxFigures).map((figure) => marked(figureText(figure, rendering))),
        },
    ...shortened(content.sections?.slice(0, maxSections), maxLines).flatMap((one) => [
      section(`*${escaped(one.title)}*`),
      ...piecesOf(one.lines.map((line) => lineText(line, rendering))).map(section),
    ]),
    address && button ? section(linked(escaped(button.text), address)) : undefined,
    notes.length === 0 ? undefined : small(notes.map(escaped).join('\n')),
  ];
  return JSON.stringify({
    text: cut([heading, ...intro.map(inert)].map(withoutMarks).join('\n'), maxText),
    blocks: blocks.filter((block) => block !== undefined),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  });
}

function figureText({ label, value, change, link }: MessageFigure, rendering: Rendering): string {
  const address = addressOf(link, rendering);
  const heading = address === undefined ? escaped(label) : linked(escaped(label), address);
  return [heading, `*${escaped(value)}*`, ...(change ? [escaped(change.text)] : [])].join('\n');
}

function lineText({ text, detail, state, link }: MessageLine, rendering: Rendering): string {
  const address = addressOf(link, rendering);
  const heading = address === undefined ? escaped(text) : linked(escaped(text), address);
  const first = `• ${heading}${state ? `  ·  *${escaped(state.text)}*` : ''}`;
  return detail === undefined ? first : `${first}\n   ${escaped(detail)}`;
}

/** Three signs have a meaning in Slack: mentions and links begin with them. Emphasis does no harm. */
const escaped = (text: string): string => withoutMarks(inert(text));
const withoutMarks = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const linked = (text: string, address: string): string =>
  `<${address.replaceAll('&', '&amp;')}|${text.replaceAll('|', '¦')}>`;

const marked = (text: string): Block => ({ type: 'mrkdwn', text: cut(text, maxText), verbatim: true });
const section = (text: string): Block => ({ type: 'section', text: marked(text) });
const small = (text: string): Block => ({ type: 'context', elements: [marked(text)] });

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Lines put together as far as they fit into a section: none is cut in two. */
function piecesOf(lines: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const line of lines) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + line.length < maxText) pieces[pieces.length - 1] = `${last}\n${line}`;
    else pieces.push(line);
  }
  return pieces;
}
