import { actorOf } from '../access/principal.ts';
import type { DocumentCaller, Documents } from '../documents/documents.ts';
import { audit } from '../store/audit.ts';
import { listPinnedBoards, pinBoard, unpinBoard } from '../store/document-rows.ts';
import type { OrganisationWriting, Store } from '../store/store.ts';
import type { Board } from './board.ts';

interface PinnedBoardsParts {
  readonly store: Store;
  readonly boards: Documents<Board>;
  readonly now: () => Date;
}

interface PinnedBoard {
  readonly board: string;
  readonly title: string;
}

/** The boards that each person has in the navigation. A board that they may no longer see is not shown there. */
export class PinnedBoards {
  readonly #parts: PinnedBoardsParts;

  constructor(parts: PinnedBoardsParts) {
    this.#parts = parts;
  }

  async list(caller: DocumentCaller): Promise<PinnedBoard[]> {
    const pinned = await this.#slugsOf(caller);
    if (pinned.length === 0) return [];
    const seen = new Map((await this.#parts.boards.list(caller)).map(({ slug, document }) => [slug, document]));
    return pinned.flatMap((board) => {
      const document = seen.get(board);
      return document ? [{ board, title: document.title }] : [];
    });
  }

  /** Refuses (`not-found`) a board that the caller may not see. */
  async pin(caller: DocumentCaller, slug: string): Promise<void> {
    await this.#parts.boards.read(caller, slug);
    if ((await this.#slugsOf(caller)).includes(slug)) return;
    await this.#change(caller, slug, (session) => pinBoard(session, caller.principal.personId, slug));
  }

  async unpin(caller: DocumentCaller, slug: string): Promise<void> {
    if (!(await this.#slugsOf(caller)).includes(slug)) return;
    await this.#change(caller, slug, (session) => unpinBoard(session, caller.principal.personId, slug));
  }

  #slugsOf({ principal, ticket }: DocumentCaller): Promise<string[]> {
    const { organisationId, personId } = principal;
    return this.#parts.store.read((session) => listPinnedBoards(session, organisationId, personId), {
      ticket,
      organisationId,
    });
  }

  async #change(
    { principal, ticket }: DocumentCaller,
    subject: string,
    work: (session: OrganisationWriting) => Promise<void>,
  ): Promise<void> {
    const { store, now } = this.#parts;
    const change = async (session: OrganisationWriting) => {
      await work(session);
      await audit(session, actorOf(principal), now(), [{ action: 'board.pin', subject }]);
    };
    await store.change(principal.organisationId, change, { ticket });
  }
}
