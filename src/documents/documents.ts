import { actorOf, type Principal } from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { countDocuments, findDocument, listDocuments, putDocument, removeDocument } from '../store/document-rows.ts';
import type { OrganisationWriting, Reading, Store, StoreCaller } from '../store/store.ts';
import type { DocumentContext, DocumentKind, StoredDocument } from './document-kind.ts';
import {
  type ChangeCheck,
  type ChangeCondition,
  changedMeanwhile,
  isSeen,
  mayChange,
  type PlannedChange,
  type PlannedIn,
  planChange,
  refuseStranger,
  refuseUnless,
  storedDocument,
  type WrittenDocument,
} from './planned-change.ts';
import { TeamsOfReader } from './teams-of-reader.ts';

interface DocumentsParts {
  readonly store: Store;
  readonly now: () => Date;
}

/** Who reads or changes documents, and how long they wait for their turn. */
export interface DocumentCaller extends Pick<StoreCaller, 'ticket'> {
  readonly principal: Principal;
}

/** What became of a document, as people write it. */
interface DocumentChange {
  readonly slug: string;
  readonly change: PlannedChange<object>['change'];
  readonly before: object | null;
  readonly after: object;
  readonly etag: string;
  /** The tag of the document before; null where there was none. */
  readonly etagBefore: string | null;
}

/** A document as it is shown to somebody. */
export interface ShownDocument<D> extends StoredDocument<D> {
  readonly shown: object;
  /** Whether the reader may change or remove it. */
  readonly mayChange: boolean;
}

/** The documents of one kind: who may read, make, change and remove which. */
export class Documents<D extends object> {
  readonly #parts: DocumentsParts;
  readonly kind: DocumentKind<D>;

  constructor(parts: DocumentsParts, kind: DocumentKind<D>) {
    this.#parts = parts;
    this.kind = kind;
  }

  /** Those that the caller may see, by name. */
  list({ principal, ticket }: DocumentCaller): Promise<ShownDocument<D>[]> {
    const { organisationId } = principal;
    const read = async (session: Reading) => {
      const context = await this.#contextOf(session, principal);
      const rows = await listDocuments(session, organisationId, this.kind.kind);
      const seen = rows.map((row) => storedDocument<D>(row)).filter((stored) => isSeen(this.kind, stored, context));
      return seen.map((stored) => this.#shown(stored, context));
    };
    return this.#parts.store.read(read, { ticket, organisationId });
  }

  /** Refuses (`not-found`) one that the caller may not see. */
  read({ principal, ticket }: DocumentCaller, slug: string): Promise<ShownDocument<D>> {
    const read = async (session: Reading) => {
      const context = await this.#contextOf(session, principal);
      return this.#shown(await this.#seen(session, context, slug), context);
    };
    return this.#parts.store.read(read, { ticket, organisationId: principal.organisationId });
  }

  /** Every document of an organisation, for work without a reader, which has to see to rights itself. */
  async all(organisationId: string): Promise<StoredDocument<D>[]> {
    const read = (session: Reading) => listDocuments(session, organisationId, this.kind.kind);
    return (await this.#parts.store.read(read, { organisationId })).map((row) => storedDocument<D>(row));
  }

  /** Makes a document, or puts another one in its place. One that says the same changes nothing. */
  async put(caller: DocumentCaller, document: WrittenDocument, condition: ChangeCondition): Promise<DocumentChange> {
    const check: ChangeCheck<D> = (stored, slug) => refuseUnless(this.kind, condition, stored, slug);
    const [change] = await this.#putAll(caller, [document], check);
    if (!change) throw new Error('a document was put and nothing became of it');
    return change;
  }

  /** Puts several documents, all of them or none. With `etags`, only where each is the one that was looked at. */
  async apply(
    caller: DocumentCaller,
    written: readonly WrittenDocument[],
    options: { readonly isDryRun?: boolean; readonly etags?: Readonly<Record<string, string | null>> } = {},
  ): Promise<DocumentChange[]> {
    const { isDryRun = false, etags = {} } = options;
    const { kind } = this.kind;
    const twice = written.find(({ slug }, i) => written.some((other, j) => j < i && other.slug === slug));
    if (twice) throw new Refusal('bad-input', `The ${kind} '${twice.slug}' is given twice.`);
    const check: ChangeCheck<D> = (stored, slug) => {
      const looked = Object.hasOwn(etags, slug) ? etags[slug] : undefined;
      if (looked !== undefined && (stored?.etag ?? null) !== looked) throw changedMeanwhile(kind, slug);
    };
    return this.#putAll(caller, written, check, isDryRun);
  }

  async remove({ principal, ticket }: DocumentCaller, slug: string, condition: ChangeCondition = {}): Promise<void> {
    const { store, now } = this.#parts;
    const { kind } = this.kind;
    const { organisationId } = principal;
    const check = async (session: Reading) => {
      const stored = await this.#seen(session, await this.#contextOf(session, principal), slug);
      refuseUnless(this.kind, condition, stored, slug);
      refuseStranger(this.kind, principal, stored);
      return stored;
    };
    await store.read(check, { ticket, organisationId });
    const change = async (session: OrganisationWriting) => {
      const { document } = await check(session);
      await removeDocument(session, kind, slug);
      const details = titleOf(document);
      await audit(session, actorOf(principal), now(), [{ action: `${kind}.remove`, subject: slug, details }]);
    };
    await store.change(organisationId, change, { ticket });
  }

  async #putAll(
    { principal, ticket }: DocumentCaller,
    documents: readonly WrittenDocument[],
    check: ChangeCheck<D>,
    isDryRun = false,
  ): Promise<DocumentChange[]> {
    const { store } = this.#parts;
    const { organisationId } = principal;
    const look = async (session: Reading) => {
      const context = await this.#contextOf(session, principal);
      const planned: PlannedChange<D>[] = [];
      const rowOf = await this.#rowsIn(session, organisationId, documents.length);
      for (const document of documents) {
        const plan = planChange(this.kind, session, context, document, { rowOf, check });
        planned.push(await plan.catch(naming(document.from)));
      }
      await this.#refuseCrowd(session, organisationId, planned);
      return { context, planned };
    };
    // Each change gives the organisation another version, and what is kept by version is worked out again.
    const { context, planned } = await store.read(look, { ticket, organisationId });
    const isIdle = planned.every(({ change }) => change === 'unchanged');
    if (isDryRun || isIdle) return planned.map((one) => this.#changeShown(one, context));
    const change = async (session: OrganisationWriting) => {
      const { context, planned } = await look(session);
      for (const one of planned) await this.#write(session, principal, one);
      return planned.map((one) => this.#changeShown(one, context, one.once));
    };
    return store.change(organisationId, change, { ticket });
  }

  /** Finds stored documents by name: one at a time for one, and all of them at once for several. */
  async #rowsIn(session: Reading, organisationId: string, count: number): Promise<PlannedIn<D>['rowOf']> {
    const { kind } = this.kind;
    if (count <= 1) return (slug) => findDocument(session, organisationId, kind, slug);
    const rows = new Map((await listDocuments(session, organisationId, kind)).map((row) => [row.slug, row]));
    return async (slug) => rows.get(slug);
  }

  async #refuseCrowd(session: Reading, organisationId: string, planned: readonly PlannedChange<D>[]): Promise<void> {
    const { kind, plural, maxCount } = this.kind;
    const more = planned.filter(({ change }) => change === 'new').length;
    if (more === 0 || (await countDocuments(session, organisationId, kind)) + more <= maxCount) return;
    throw new Refusal('conflict', `An organisation has at most ${maxCount} ${plural}. Remove one first.`);
  }

  async #write(session: OrganisationWriting, principal: Principal, planned: PlannedChange<D>): Promise<void> {
    const { change, after } = planned;
    if (change === 'unchanged') return;
    const { kind } = this.kind;
    const { slug, document, owner, etag, secrets, createdAt, changedAt } = after;
    await putDocument(session, {
      organisation_id: session.organisationId,
      kind,
      slug,
      body: JSON.stringify(document),
      owner_id: owner?.id ?? null,
      etag,
      secrets,
      created_at: createdAt,
      changed_at: changedAt,
    });
    const action = change === 'new' ? (`${kind}.create` as const) : (`${kind}.update` as const);
    await audit(session, actorOf(principal), changedAt, [{ action, subject: slug, details: titleOf(document) }]);
  }

  async #contextOf(session: Reading, principal: Principal): Promise<DocumentContext> {
    return { principal, teams: await TeamsOfReader.of(session, principal), now: this.#parts.now() };
  }

  async #seen(session: Reading, context: DocumentContext, slug: string): Promise<StoredDocument<D>> {
    const { kind } = this.kind;
    const row = await findDocument(session, context.principal.organisationId, kind, slug);
    const stored = row && storedDocument<D>(row);
    if (stored && isSeen(this.kind, stored, context)) return stored;
    throw new Refusal('not-found', `There is no ${kind} '${slug.slice(0, 60)}' that you may see.`);
  }

  #shown(stored: StoredDocument<D>, context: DocumentContext): ShownDocument<D> {
    const shown = this.kind.shown(stored, context);
    return { ...stored, shown, mayChange: mayChange(context.principal, stored) };
  }

  #changeShown({ change, before, after }: PlannedChange<D>, context: DocumentContext, once = {}): DocumentChange {
    return {
      slug: after.slug,
      change,
      before: before ? this.kind.shown(before, context) : null,
      after: { ...this.kind.shown(after, context), ...once },
      etag: after.etag,
      etagBefore: before?.etag ?? null,
    };
  }
}

/** Says in front of what is wrong with a document which file it is from. */
const naming =
  (from: string | undefined) =>
  (error: unknown): never => {
    throw error instanceof Refusal && from !== undefined
      ? new Refusal(error.reason, `${from}: ${error.message}`, error.hints)
      : error;
  };

const titleOf = (document: object): { readonly title?: unknown } =>
  'title' in document ? { title: document.title } : {};
