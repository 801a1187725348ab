import { Html, type HtmlPart, html } from '../../escaped-html.ts';
import { colours, systemFont } from '../../theme/tokens.ts';
import type { MessageFigure, MessageLine, MessageSection, Tone } from '../message-content.ts';
import { messageWords as words } from '../message-words.ts';
import { onOneLine } from './inert-text.ts';
import { addressOf, maxFigures, type Rendering, shortened } from './rendering.ts';

const maxLines = 100;
const maxBars = 12;
const barHeight = 28;

type Colour = keyof typeof colours;
const light = (name: Colour): string => colours[name][0];
const font = systemFont.replaceAll('"', "'");

/** Programs that know no style sheet see the light theme, which stands beside each text. Others follow the system. */
const sheet = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${Object.entries(colours)
  .flatMap(([name, [, dark]]) => [
    `.c-${name} { color: ${dark} !important; }`,
    `.b-${name} { background-color: ${dark} !important; }`,
    `.l-${name} { border-color: ${dark} !important; }`,
  ])
  .join('\n')}
}
@media (max-width: 620px) {
  .page { width: 100% !important; }
  .pad { padding-left: 20px !important; padding-right: 20px !important; }
}
@media (max-width: 480px) {
  .half { display: block !important; width: 100% !important; box-sizing: border-box !important; }
  .below { border-top-width: 1px !important; border-top-style: solid !important; }
  .filler { display: none !important; }
}`;

/** Attributes of an element: the light colours inline, and the classes by which the dark ones replace them. */
function look({ text, ground, line, style = '' }: Look): Html {
  const classes = [text && `c-${text}`, ground && `b-${ground}`, line && `l-${line}`].filter(Boolean).join(' ');
  const inline = [
    `font-family:${font}`,
    ...(text ? [`color:${light(text)}`] : []),
    ...(ground ? [`background-color:${light(ground)}`] : []),
    ...(line ? [`border-color:${light(line)}`] : []),
    style,
  ];
  return html`class="${classes}" style="${inline.join(';')}"`;
}

interface Look {
  readonly text?: Colour;
  readonly ground?: Colour;
  readonly line?: Colour;
  readonly style?: string;
}

const toneColours = { good: 'good', bad: 'bad', neutral: 'tertiary' } as const satisfies Record<Tone, Colour>;

/**
 * A mail that common programs show alike: tables of 600 px, inline styles, both themes, nothing loaded from anywhere and
 * not a picture in it.
 */
export function mailHtml(rendering: Rendering, stopUrl: string): string {
  const { content } = rendering;
  const { title, organisation, period, intro, notes = [], button } = content;
  const address = addressOf(button?.link, rendering);
  const blocks: HtmlPart[] = [
    header(organisation, period),
    row(
      html`<h1 ${look({ text: 'text', style: 'margin:0;font-size:22px;line-height:29px;font-weight:600' })}>${onOneLine(title)}</h1>`,
    ),
    ...intro.map((text) =>
      row(
        html`<p ${look({ text: 'secondary', style: 'margin:8px 0 0;font-size:16px;line-height:25px' })}>${onOneLine(text)}</p>`,
      ),
    ),
    figuresOf(rendering),
    ...shortened(content.sections, maxLines).map((one) => sectionOf(one, rendering)),
    address && button ? buttonOf(button.text, address) : undefined,
  ];
  const small = 'font-size:12.5px;line-height:19px;padding:0 32px 6px';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${onOneLine(title)}</title>
<style>${new Html(sheet)}</style>
</head>
<body ${look({ ground: 'canvas', style: 'margin:0;padding:0' })}>
<div style="display:none;max-height:0;overflow:hidden">${onOneLine(intro[0] ?? title)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${look({ ground: 'canvas' })}><tr><td align="center" style="padding:24px 8px">
<table role="presentation" class="page" width="600" cellpadding="0" cellspacing="0" style="width:600px;max-width:600px"><tr><td ${look({ ground: 'surface', line: 'border', style: 'border-width:1px;border-style:solid;border-radius:12px' })}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${blocks}<tr><td style="height:28px;line-height:28px;font-size:0">&nbsp;</td></tr></table>
</td></tr></table>
<table role="presentation" class="page" width="600" cellpadding="0" cellspacing="0" style="width:600px;max-width:600px">
<tr><td style="height:16px;line-height:16px;font-size:0">&nbsp;</td></tr>
${[...notes, words.sentBy(organisation)].map((note) => html`<tr>${cell({ text: 'tertiary', style: small }, onOneLine(note), 'pad')}</tr>\n`)}
<tr>${cell({ text: 'tertiary', style: small }, html`<a href="${stopUrl}" ${look({ text: 'secondary', style: 'font-weight:500' })}>${words.stop}</a>`, 'pad')}</tr>
</table>
</td></tr></table>
</body>
</html>
`.text;
}

/** An element has one class attribute: the name of a place goes into the one that its look makes. */
function cell(style: Look, content: HtmlPart, place = ''): Html {
  return html`<td ${new Html(look(style).text.replace('class="', `class="${place} `))}>${content}</td>`;
}

const row = (content: HtmlPart): Html => html`<tr><td class="pad" style="padding:12px 32px 0">${content}</td></tr>\n`;

function header(organisation: string, period: string | undefined): Html {
  const mark =
    'width:26px;height:26px;border-radius:7px;font-size:15px;line-height:26px;font-weight:700;text-align:center';
  return html`<tr><td class="pad" style="padding:28px 32px 4px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td style="width:26px"><div ${look({ text: 'accent-text', ground: 'accent', style: mark })}>P</div></td>
<td ${look({ text: 'text', style: 'padding-left:10px;font-size:15px;font-weight:600' })}>${onOneLine(organisation)}</td>
<td align="right" ${look({ text: 'tertiary', style: 'font-size:13px' })}>${onOneLine(period ?? '')}</td>
</tr></table>
</td></tr>
`;
}

function figuresOf(rendering: Rendering): Html | undefined {
  const figures = (rendering.content.figures ?? []).slice(0, maxFigures);
  if (figures.length === 0) return undefined;
  const rows: Html[] = [];
  for (let at = 0; at < figures.length; at += 2) {
    const pair = figures.slice(at, at + 2);
    const line = at === 0 ? 'border-top-width:0' : 'border-top-width:1px;border-top-style:solid';
    const cells = pair.map((figure, side) =>
      cell(
        { line: 'border', style: `${line};padding:16px 18px;width:50%;vertical-align:top` },
        figureOf(figure, rendering),
        side === 0 ? 'half' : 'half below',
      ),
    );
    const filler =
      pair.length === 1
        ? cell({ line: 'border', style: `${line};width:50%` }, new Html('&nbsp;'), 'filler')
        : undefined;
    rows.push(html`<tr>${cells}${filler}</tr>\n`);
  }
  const frame = 'border-width:1px;border-style:solid;border-radius:12px;border-collapse:separate';
  return html`<tr><td class="pad" style="padding:20px 32px 0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${look({ line: 'border', style: frame })}>
${rows}</table>
</td></tr>
`;
}

function figureOf({ label, value, change, trend, link }: MessageFigure, rendering: Rendering): Html {
  const name = linkedTo(addressOf(link, rendering), onOneLine(label), 'secondary');
  return html`<div ${look({ text: 'secondary', style: 'font-size:13px;line-height:18px;font-weight:500' })}>${name}</div>
<div ${look({ text: 'text', style: 'font-size:26px;line-height:34px;font-weight:600' })}>${onOneLine(value)}</div>
${change && html`<div ${look({ text: toneColours[change.tone], style: 'font-size:13px;line-height:18px;font-weight:500' })}>${onOneLine(change.text)}</div>`}
${trend && bars(trend)}`;
}

/** Bars of table cells. Who cannot see them loses nothing: value and change say the same. */
function bars(trend: readonly (number | null)[]): Html | undefined {
  const shown = trend.slice(-maxBars);
  const most = Math.max(0, ...shown.map((value) => value ?? 0));
  if (shown.length < 2 || most <= 0) return undefined;
  const cells = shown.map((value, at) => {
    const height = Math.max(2, Math.round((Math.max(0, value ?? 0) / most) * barHeight));
    const ground: Colour = value === null ? 'sunken' : at === shown.length - 1 ? 'accent' : 'border';
    const style = `width:11px;height:${height}px;border-radius:2px;font-size:0;line-height:0`;
    return html`<td valign="bottom" style="padding-right:3px;height:${String(barHeight)}px;vertical-align:bottom"><div ${look({ ground, style })}>&nbsp;</div></td>`;
  });
  return html`<table role="presentation" cellpadding="0" cellspacing="0" aria-hidden="true" style="margin-top:10px"><tr>${cells}</tr></table>`;
}

function sectionOf({ title, lines }: MessageSection, rendering: Rendering): Html {
  const heading = look({ text: 'text', style: 'margin:0;font-size:15px;line-height:20px;font-weight:600' });
  return html`<tr><td class="pad" style="padding:26px 32px 8px"><h2 ${heading}>${onOneLine(title)}</h2></td></tr>
<tr><td class="pad" style="padding:0 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${lines.map((line) => lineOf(line, rendering))}</table>
</td></tr>
`;
}

function lineOf({ text, detail, state, link }: MessageLine, rendering: Rendering): Html {
  const address = addressOf(link, rendering);
  const edge = 'padding:11px 0;border-top-width:1px;border-top-style:solid;vertical-align:top';
  const end = `${edge};padding-left:12px;font-size:14px;line-height:20px;font-weight:500;white-space:nowrap`;
  const right = state
    ? html`<td align="right" ${look({ text: toneColours[state.tone], line: 'border', style: end })}>${onOneLine(state.text)}</td>`
    : html`<td align="right" ${look({ text: 'accent', line: 'border', style: end })}>${linkedTo(address, words.open, 'accent')}</td>`;
  return html`<tr><td ${look({ text: 'text', line: 'border', style: edge })}>
<div ${look({ text: 'text', style: 'font-size:14px;line-height:20px;font-weight:500;word-break:break-word' })}>${state ? linkedTo(address, onOneLine(text), 'text') : onOneLine(text)}</div>
${detail && html`<div ${look({ text: 'tertiary', style: 'font-size:13px;line-height:18px;word-break:break-word' })}>${onOneLine(detail)}</div>`}
</td>${right}</tr>
`;
}

function linkedTo(address: string | undefined, text: string, colour: Colour): HtmlPart {
  if (address === undefined) return colour === 'accent' ? undefined : text;
  return html`<a href="${address}" ${look({ text: colour, style: 'text-decoration:none' })}>${text}</a>`;
}

function buttonOf(text: string, address: string): Html {
  const style =
    'display:inline-block;padding:10px 16px;border-radius:8px;font-size:14px;line-height:20px;font-weight:500;text-decoration:none';
  return html`<tr><td class="pad" style="padding:26px 32px 0"><a href="${address}" ${look({ text: 'accent-text', ground: 'accent', style })}>${onOneLine(text)}</a></td></tr>
`;
}
