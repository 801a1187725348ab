import type { OrganisationWriting, Store } from '../store/store.ts';

const maxTries = 3;

/**
 * Writes what was found out about an organisation, only where it has not changed meanwhile: roles, receivers, and what
 * other processes have told are then as they were when they were read. Otherwise all of it is found out again. False
 * where the organisation never stood still.
 */
export async function writeUnchanged<T>(
  store: Pick<Store, 'change'>,
  organisationId: string,
  find: () => Promise<FoundChange<T> | undefined>,
): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await find();
    if (!found) return true;
    const isWritten = await store
      .change(organisationId, async (session) => {
        if (session.version !== found.version + 1) throw new ChangedMeanwhile();
        await found.write(session);
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ChangedMeanwhile) return false;
        throw error;
      });
    if (isWritten) return true;
  }
  return false;
}

interface FoundChange<T> {
  /** The version of the organisation that it was found in. */
  readonly version: number;
  readonly write: (session: OrganisationWriting) => Promise<T>;
}

/** Takes the transaction back, so that the organisation gets no new version either. */
class ChangedMeanwhile extends Error {}
