import { createHash } from 'node:crypto';
import { type HostDirectory, type Page, SourceProblem, type Stream } from '../source.ts';

interface DirectoryParts {
  /** The settings name the owner. */
  readonly isNamed: boolean;
  /** What an Owner can do where the token may not see them. */
  readonly toDo: string;
  read(): Promise<Page>;
}

/**
 * Members and teams of an owner of repositories, read whole each time: code hosts do not say when they changed. Of an owner
 * that the settings do not name they may be nobody's business here: `check` says what the token may not see, and that is
 * no failure of a sync.
 */
export const directoryStream = (owner: string, { isNamed, toDo, read }: DirectoryParts): Stream => ({
  id: `directory@${owner.toLowerCase()}`,
  name: 'members and teams',
  feeds: [],
  isDirectory: true,
  scope: owner,
  read: async ({ mark }) => {
    const page = await read().catch((error: unknown): Page => {
      if (isNamed || !(error instanceof SourceProblem) || error.mayPass) throw error;
      const what = `Members and teams of ${owner} are not shown to the token`;
      return { records: [], count: 0, at: 0, notSeen: [{ why: 'right', what, toDo }] };
    });
    const digest = createHash('sha256')
      .update(JSON.stringify(page.directory ?? null))
      .digest('hex');
    // Said again also where it is as before: people and links may have been changed here meanwhile.
    return { ...page, mark: digest, ...(digest === mark ? { isUnchanged: true } : {}) };
  },
});

/** A page of nothing but members and teams. `hidden` is said where addresses of people are not shown. */
export function directoryPage(directory: HostDirectory, at: number, hidden: string): Page {
  const { people } = directory;
  const isHidden = people.some(({ verifiedEmail, isBot }) => verifiedEmail === undefined && !isBot);
  const notSeen = isHidden ? { notSeen: [{ why: 'hidden' as const, what: hidden }] } : {};
  return { records: [], directory, count: people.length, total: people.length, at, ...notSeen };
}
