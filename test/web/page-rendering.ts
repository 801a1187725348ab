/** Who reads a page, from which server, and when. */
export interface PageReader {
  readonly url: string;
  readonly cookie: string;
  /** What the clock of the page says; the real time unless given. */
  readonly now?: Date;
  /** How the page asks; over HTTP unless given. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
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
