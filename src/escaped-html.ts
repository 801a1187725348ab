/** HTML that goes into a page unescaped. Everything else has to come through `html`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The content of a page: text, pieces one behind the other, or nothing. */
export type HtmlPart = string | Html | readonly HtmlPart[] | null | undefined;

/** A piece of a page. Every text put into it is escaped, unless it is a piece of a page itself. */
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(String.raw({ raw: texts }, ...parts.map(textOf)));

function textOf(part: HtmlPart): string {
  if (part === undefined || part === null) return '';
  if (typeof part === 'string') return escaped(part);
  return part instanceof Html ? part.text : part.map(textOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
