import type { MessageFigure, MessageLine } from '../message-content.ts';
import { inert } from './inert-text.ts';
import { addressOf, maxFigures, type Rendering, shortened } from './rendering.ts';

const maxHeading = 150;
const maxText = 2_900;
const maxBlocks = 50;
const maxSections = 12;
const maxParagraphs = 8;
/** Lines of each section: as many as fit. */
const lineCounts = [20, 8, 3, 0];

type Block = Readonly<Record<string, unknown>>;

/** The body for an incoming webhook of Slack. `verbatim` and the rest keep Slack from finding links and names itself. */
export function slackBody(rendering: Rendering): string {
  const { title, intro } = rendering.content;
  const fitting = lineCounts.map((count) => blocksOf(rendering, count)).find(({ length }) => length <= maxBlocks);
  return JSON.stringify({
    text: cut([title, ...intro].map(escaped).join('\n'), maxText),
    blocks: fitting ?? blocksOf(rendering, 0).slice(0, maxBlocks),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  });
}

function blocksOf(rendering: Rendering, maxLines: number): Block[] {
  const { content } = rendering;
  const { title, organisation, period, intro, figures = [], notes = [], button } = content;
  // Signs of links and mentions are other ones in a heading, whose text Slack may read with or without escapes.
  const heading = inert(title).replaceAll('<', '‹').replaceAll('>', '›');
  const address = addressOf(button?.link, rendering);
  const blocks: (Block | undefined)[] = [
    { type: 'header', text: { type: 'plain_text', text: cut(heading, maxHeading), emoji: false } },
    small(
      [organisation, period ?? '']
        .filter((text) => text !== '')
        .map(escaped)
        .join('  ·  '),
    ),
    ...intro.slice(0, maxParagraphs).map((text) => section(escaped(text))),
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
  return blocks.filter((block) => block !== undefined);
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
const escaped = (text: string): string =>
  inert(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

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
