import type { MessageFigure, MessageLine, MessageSection, Tone } from '../message-content.ts';
import { inert } from './inert-text.ts';
import { addressOf, maxFigures, type Rendering, shortened } from './rendering.ts';

/** Teams refuses messages of more than 28 KB. */
const maxBytes = 26_000;
/** Lines of each section: as many as fit. */
const lineCounts = [20, 8, 3, 0];
const maxSections = 12;
const maxParagraphs = 8;

type Element = Readonly<Record<string, unknown>>;

const toneColours: Readonly<Record<Tone, string>> = { good: 'Good', bad: 'Attention', neutral: 'Default' };

/**
 * The body for a workflow webhook of Teams: an adaptive card. Texts are runs, which know no markdown: a name cannot
 * become a link or a mention.
 */
export function teamsBody(rendering: Rendering): string {
  const bodies = lineCounts.map((count) => () => JSON.stringify(messageOf(rendering, count)));
  for (const body of bodies) {
    const text = body();
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  const { title, organisation, button } = rendering.content;
  const short = { title, organisation, intro: [], data: {}, ...(button ? { button } : {}) };
  return JSON.stringify(messageOf({ ...rendering, content: short }, 0));
}

function messageOf(rendering: Rendering, maxLines: number): Element {
  const { content } = rendering;
  const { title, organisation, period, intro, figures = [], notes = [], button } = content;
  const address = addressOf(button?.link, rendering);
  const body: Element[] = [
    text(title, { size: 'Large', weight: 'Bolder' }),
    text([organisation, period ?? ''].filter((part) => part !== '').join(' · '), { isSubtle: true, size: 'Small' }),
    ...intro.slice(0, maxParagraphs).map((paragraph) => text(paragraph)),
    ...pairs(figures.slice(0, maxFigures)).map((pair) => columns(pair, rendering)),
    ...shortened(content.sections?.slice(0, maxSections), maxLines).flatMap((one) => sectionOf(one, rendering)),
    ...notes.map((note) => text(note, { isSubtle: true, size: 'Small' })),
  ];
  const card: Element = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    msteams: { width: 'Full' },
    ...(address && button ? { actions: [{ type: 'Action.OpenUrl', title: inert(button.text), url: address }] } : {}),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
  return { type: 'message', attachments: [attachment] };
}

const run = (words: string, style: Element = {}, address?: string): Element => ({
  type: 'TextRun',
  text: inert(words),
  ...style,
  ...(address === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url: address } }),
});
const block = (inlines: readonly Element[], style: Element = {}): Element => ({
  type: 'RichTextBlock',
  inlines,
  ...style,
});
const text = (words: string, style?: Element): Element => block([run(words, style)]);

function columns(figures: readonly MessageFigure[], rendering: Rendering): Element {
  return {
    type: 'ColumnSet',
    columns: figures.map(({ label, value, change, link }) => ({
      type: 'Column',
      width: 'stretch',
      items: [
        block([run(label, { isSubtle: true, size: 'Small' }, addressOf(link, rendering))]),
        text(value, { size: 'Large', weight: 'Bolder' }),
        ...(change ? [text(change.text, { size: 'Small', color: toneColours[change.tone] })] : []),
      ],
    })),
  };
}

function sectionOf({ title, lines }: MessageSection, rendering: Rendering): Element[] {
  const heading = block([run(title, { weight: 'Bolder' })], { spacing: 'Large' });
  return [heading, ...lines.map((line) => lineOf(line, rendering))];
}

function lineOf({ text: words, detail, state, link }: MessageLine, rendering: Rendering): Element {
  const inlines = [
    run(words, {}, addressOf(link, rendering)),
    ...(state ? [run(`  ${state.text}`, { color: toneColours[state.tone], weight: 'Bolder' })] : []),
    ...(detail === undefined ? [] : [run(`  ${detail}`, { isSubtle: true })]),
  ];
  // A run is trimmed of nothing, so the distance between two is part of the second.
  return block(
    inlines.map((inline, at) => (at === 0 ? inline : { ...inline, text: ` · ${String(inline.text).trim()}` })),
  );
}

function pairs<T>(items: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < items.length; at += 2) result.push(items.slice(at, at + 2));
  return result;
}
