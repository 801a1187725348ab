import type { ListedDocument } from './documents.ts';
import type { MetricName } from './question.ts';

/** Who sees a document beside its owner and the Owners of the organisation. A team by name or identifier. */
export type VisibleTo = 'organisation' | 'me' | { readonly team: string };

type DocumentFilters = Readonly<Record<string, unknown>>;

/** A board: panels that are questions. */
export interface BoardDocument {
  readonly board?: string;
  readonly title: string;
  readonly visible_to?: VisibleTo;
  /** `90d`, `12w`, `6m`, or days of its own. */
  readonly range?: string | { readonly start_date: string; readonly end_date: string };
  readonly filters?: DocumentFilters;
  readonly panels: readonly BoardPanelDocument[];
}

export interface BoardPanelDocument {
  readonly title?: string;
  readonly metric: MetricName;
  /** The body of the question, without its days. */
  readonly request?: DocumentFilters;
  readonly view: 'number' | 'line' | 'bar' | 'stacked' | 'table' | 'heat' | 'share';
  readonly compare?: boolean;
  readonly wide?: boolean;
}

/** A document, and the tag with which it can be replaced. */
export interface ReadDocument<D> {
  readonly document: D;
  readonly etag: string;
}

interface DocumentRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends the request. */
interface Stoppable {
  readonly signal?: AbortSignal;
}

export type SendDocument = (path: string, request: DocumentRequest & Stoppable) => Promise<Response>;

/** The documents of one kind that the key may see, such as boards. */
export class DocumentCollection<D extends object> {
  readonly #path: string;
  readonly #send: SendDocument;

  /** `path`: where they are, such as `boards`. */
  constructor(path: string, send: SendDocument) {
    this.#path = path;
    this.#send = send;
  }

  /** Every one, by name. */
  async list({ signal }: Stoppable = {}): Promise<readonly (D & ListedDocument)[]> {
    const response = await this.#send(this.#path, { method: 'GET', ...given(signal) });
    return (await response.json()) as (D & ListedDocument)[];
  }

  async read(name: string, { signal }: Stoppable = {}): Promise<ReadDocument<D>> {
    return documentIn(await this.#send(this.#pathOf(name), { method: 'GET', ...given(signal) }));
  }

  /** Makes a new one. Throws a `PlumbError` with status 412 where there is one of that name. */
  make(name: string, document: D, options: Stoppable = {}): Promise<ReadDocument<D>> {
    return this.#put(name, document, { 'if-none-match': '*' }, options);
  }

  /** Replaces the one that was read with this tag. Throws a `PlumbError` with status 412 where it was changed since. */
  replace(name: string, document: D, etag: string, options: Stoppable = {}): Promise<ReadDocument<D>> {
    return this.#put(name, document, { 'if-match': etag }, options);
  }

  /** Removes one; with a tag, only where it was not changed since. */
  async remove(name: string, { etag, signal }: Stoppable & { readonly etag?: string } = {}): Promise<void> {
    const headers = etag === undefined ? {} : { 'if-match': etag };
    await this.#send(this.#pathOf(name), { method: 'DELETE', headers, ...given(signal) });
  }

  async #put(
    name: string,
    body: D,
    condition: Readonly<Record<string, string>>,
    { signal }: Stoppable,
  ): Promise<ReadDocument<D>> {
    const headers = { 'content-type': 'application/json', ...condition };
    return documentIn(await this.#send(this.#pathOf(name), { method: 'PUT', body, headers, ...given(signal) }));
  }

  #pathOf(name: string): string {
    return `${this.#path}/${encodeURIComponent(name)}`;
  }
}

const given = (signal: AbortSignal | undefined): Stoppable => (signal === undefined ? {} : { signal });

async function documentIn<D>(response: Response): Promise<ReadDocument<D>> {
  return { document: (await response.json()) as D, etag: response.headers.get('etag') ?? '' };
}
