import { Marked, type RendererObject } from 'marked';
import { Html, type HtmlPart, html } from '../../escaped-html.ts';

/** The address for a link of a guide; undefined where the service does not serve its target. */
type LinkTarget = (target: string) => string | undefined;

/** Markdown as a piece of our own pages. Comments are left out, and HTML in it is shown as it is written. */
export function markdown(text: string, linkTo: LinkTarget = (target) => target): Html {
  // An address without a sign around it is an example, and no link.
  const parser = new Marked({ renderer: rendererWith(linkTo), tokenizer: { url: () => undefined } });
  return new Html(parser.parse(text, { async: false }));
}

const rendererWith = (linkTo: LinkTarget): RendererObject => ({
  html: ({ text }) => (text.startsWith('<!--') ? '' : html`${text}`.text),
  link({ href, tokens }) {
    const words = new Html(this.parser.parseInline(tokens));
    const target = linkTo(href);
    return target === undefined ? words.text : html`<a href="${target}">${words}</a>`.text;
  },
  heading({ depth, text, tokens }) {
    const name = new Html(`h${depth}`);
    return html`<${name} id="${anchorOf(text)}">${new Html(this.parser.parseInline(tokens))}</${name}>\n`.text;
  },
  // Wide code scrolls, so it must be reachable with a keyboard.
  code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
  table({ header, rows }) {
    const cells = (row: typeof header) => row.map(({ tokens }) => new Html(this.parser.parseInline(tokens)));
    return tableOf(cells(header), rows.map(cells)).text;
  },
  list({ ordered, items }) {
    const name = ordered ? 'ol' : 'ul';
    return `<${name}>${items.map((item) => this.listitem(item)).join('')}</${name}>\n`;
  },
  // Only an item of several blocks has paragraphs, whatever the other items of its list have.
  listitem({ text, tokens }) {
    const hasBlocks = /\n\s*\n/.test(text);
    const parts = tokens.map((token) =>
      token.type === 'paragraph' && !hasBlocks
        ? this.parser.parseInline(token.tokens ?? [])
        : this.parser.parse([token]),
    );
    return `<li>${parts.join('')}</li>`;
  },
});

/** The name of a heading in links, as GitHub makes it. */
const anchorOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

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
