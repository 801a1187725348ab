/** Something that a page asked for, and what the server answered. */
export interface Exchange {
  readonly path: string;
  /** As JSON; undefined where nothing was sent. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** As JSON; undefined without a body. */
  readonly answer: unknown;
}

/** Who reads a page, from which server, and when. */
export interface PageReader {
  readonly url: string;
  readonly cookie: string;
  /** What the clock of the page says; the real time unless given. */
  readonly now?: Date;
  /** Is told of everything that the page asks, in the order of the answers. */
  readonly onAnswer?: (exchange: Exchange) => void;
}

export type RenderPage = (address: string, reader: PageReader) => Promise<string>;

/**
 * Draws pages without a browser, as HTML. Pages are compiled with the types of a browser and servers with those of Node, so
 * that the compiler must not follow this import.
 */
export async function loadPageRenderer(): Promise<RenderPage> {
  const file: string = './pages/rendered-page.tsx';
  return ((await import(file)) as { readonly renderPage: RenderPage }).renderPage;
}

/** Somebody who is signed in, as the reader of a page. */
export const readerOf = (
  { url }: { readonly url: string },
  { cookie }: { readonly cookie: string },
  now?: Date,
): PageReader => ({ url, cookie, ...(now ? { now } : {}) });

/** What the reader of a page reads, without its markup. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
