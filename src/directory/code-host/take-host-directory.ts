import type { HostDirectory, ReportedTeams } from '../../sources/source.ts';
import type { ChangeContext, Directory } from '../directory.ts';
import type { CodeHost } from './code-host.ts';
import { applyHostDirectory, type TakenDirectory } from './host-changes.ts';
import { applyReportedTeams } from './reported-teams.ts';

/** Ends a change without keeping it, so that nobody takes it for one. */
class KeepNothing<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('nothing of this is kept');
    this.result = result;
  }
}

/** Members and teams of a code host become people and teams. Where nothing is new, nothing changes. */
export function takeHostDirectory(
  directory: Directory,
  context: ChangeContext,
  host: CodeHost,
  members: HostDirectory | ReportedTeams,
): Promise<TakenDirectory> {
  return changeOrNot(directory, context, async (apply) => {
    const { taken, isNews } = await apply(host, members);
    return { result: taken, isKept: isNews };
  });
}

/** The changes that taking the members and teams would make. Nothing is kept. */
export function previewHostDirectories(
  directory: Directory,
  context: ChangeContext,
  host: CodeHost,
  all: readonly HostDirectory[],
): Promise<readonly TakenDirectory[]> {
  return changeOrNot(directory, context, async (apply) => {
    const result: TakenDirectory[] = [];
    for (const members of all) result.push((await apply(host, members)).taken);
    return { result, isKept: false };
  });
}

type Apply = (
  host: CodeHost,
  members: HostDirectory | ReportedTeams,
) => Promise<{ readonly taken: TakenDirectory; readonly isNews: boolean }>;

async function changeOrNot<T>(
  { store, now }: Directory,
  context: ChangeContext,
  work: (apply: Apply) => Promise<{ readonly result: T; readonly isKept: boolean }>,
): Promise<T> {
  try {
    return await store.change(
      context.organisationId,
      async (session) => {
        const of = { at: now(), actor: context.actor };
        const { result, isKept } = await work((host, members) =>
          'people' in members
            ? applyHostDirectory(session, of, host, members)
            : applyReportedTeams(session, of, host, members),
        );
        if (!isKept) throw new KeepNothing(result);
        return result;
      },
      context,
    );
  } catch (error) {
    if (error instanceof KeepNothing) return error.result as T;
    throw error;
  }
}
