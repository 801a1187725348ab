import { Html, type HtmlPart, html } from '../page.ts';

/** Where a link of a guide leads, or nothing where it leads to what is not served. */
type LinkTarget = (target: string) => string | undefined;

/**
 * Markdown as our own pages use it: headings, paragraphs, lists, tables, code, links, bold and italic. Comments are left
 * out. Everything else is shown as it is written; nothing in it becomes HTML of its own.
 */
export function markdown(text: string, linkTo: LinkTarget = (target) => target): Html {
  const lines = text.replaceAll('\r', '').split('\n');
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = blockEnd(lines, at);
    if (end > at) blocks.push(block(lines.slice(at, end), linkTo));
    at = Math.max(end, at + 1);
  }
  return html`${blocks}`;
}

const isFence = (line: string): boolean => line.startsWith('```');
const isHeading = (line: string): boolean => /^#{1,4} /.test(line);
const isItem = (line: string): boolean => /^(?:-|\d+\.) /.test(line);
const isTable = (line: string): boolean => line.startsWith('|');
const isComment = (line: string): boolean => /^<!--.*-->$/.test(line.trim());
const isBlank = (line: string): boolean => line.trim() === '';

function blockEnd(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  const until = (ends: (line: string, place: number) => boolean): number => {
    const place = lines.findIndex((line, i) => i > at && ends(line, i));
    return place === -1 ? lines.length : place;
  };
  if (isBlank(first)) return at;
  if (isFence(first)) return Math.min(until(isFence) + 1, lines.length);
  if (isHeading(first) || isComment(first)) return at + 1;
  if (isTable(first)) return until((line) => !isTable(line));
  if (isItem(first)) {
    return until((line, i) => isBlank(line) && !isItem(lines[i + 1] ?? '') && !(lines[i + 1] ?? '').startsWith('  '));
  }
  return until((line) => [isBlank, isFence, isHeading, isTable, isItem, isComment].some((ends) => ends(line)));
}

function block(lines: readonly string[], linkTo: LinkTarget): Html {
  const [first = ''] = lines;
  const inline = (text: string): Html => inlineMarkdown(text, linkTo);
  // Wide code scrolls, so it must be reachable with a keyboard.
  if (isFence(first)) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join('\n')}</code></pre>\n`;
  if (isComment(first)) return html``;
  if (isHeading(first)) return heading(first, inline);
  if (isTable(first)) return table(lines, inline);
  if (isItem(first)) return list(lines, linkTo);
  return html`<p>${inline(lines.join('\n'))}</p>\n`;
}

function heading(line: string, inline: (text: string) => Html): Html {
  const [, signs = '#', words = ''] = /^(#+) (.*)$/.exec(line) ?? [];
  const name = new Html(`h${signs.length}`);
  return html`<${name} id="${anchorOf(words)}">${inline(words)}</${name}>\n`;
}

/** The name of a heading in links, as GitHub makes it. */
const anchorOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

function table(lines: readonly string[], inline: (text: string) => Html): Html {
  const cells = (line: string): string[] =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [head = '', , ...rows] = lines;
  return tableOf(
    cells(head).map(inline),
    rows.map((line) => cells(line).map(inline)),
  );
}

/** A table that scrolls by itself where it is wider than the page. */
export function tableOf(heads: readonly HtmlPart[], rows: readonly (readonly HtmlPart[])[]): Html {
  // A heading without words would be read out as one.
  const head = heads.map((part) => {
    const words = html`${part}`;
    return words.text === '' ? html`<td></td>` : html`<th scope="col">${words}</th>`;
  });
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
}

function list(lines: readonly string[], linkTo: LinkTarget): Html {
  const isNumbered = /^\d/.test(lines[0] ?? '');
  const indent = isNumbered ? /^ {1,3}/ : /^ {1,2}/;
  const items: string[][] = [];
  for (const line of lines) {
    if (isItem(line)) items.push([line.replace(/^(?:-|\d+\.) /, '')]);
    else items.at(-1)?.push(line.replace(indent, ''));
  }
  const name = new Html(isNumbered ? 'ol' : 'ul');
  return html`<${name}>${items.map((item) => html`<li>${itemContent(item, linkTo)}</li>`)}</${name}>\n`;
}

/** Most items are a paragraph; some hold code or tables as well. */
function itemContent(lines: readonly string[], linkTo: LinkTarget): Html {
  const text = lines.join('\n').trim();
  return text.split('\n').some(isBlank) ? markdown(text, linkTo) : inlineMarkdown(text, linkTo);
}

const spans = /`([^`]+)`|\[((?:[^\][]|\[[^\]]*\])+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*/g;

/** One paragraph's worth of Markdown. */
function inlineMarkdown(text: string, linkTo: LinkTarget): Html {
  const pieces: Html[] = [];
  let from = 0;
  for (const match of text.matchAll(spans)) {
    const [whole, code, words, target, bold, italic] = match;
    pieces.push(html`${text.slice(from, match.index)}`);
    from = match.index + whole.length;
    if (code !== undefined) pieces.push(html`<code>${code}</code>`);
    else if (words !== undefined) pieces.push(link(inlineMarkdown(words, linkTo), linkTo(target ?? '')));
    else if (bold !== undefined) pieces.push(html`<strong>${inlineMarkdown(bold, linkTo)}</strong>`);
    else pieces.push(html`<em>${italic ?? ''}</em>`);
  }
  return html`${pieces}${text.slice(from)}`;
}

const link = (words: Html, target: string | undefined): Html =>
  target === undefined ? words : html`<a href="${target}">${words}</a>`;
