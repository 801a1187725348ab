import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { CommitsSeen } from './commit-watch.ts';
import { tableIn } from './statement.ts';
import type { Task } from './task.ts';

/**
 * Remembers whether an organisation has people who are known and not onboarded. Rows of such people count nowhere, and
 * looking for them takes a third of a small question; where there are none, there is nothing to look for.
 */
export class LeftOutPeople {
  readonly #known = new Map<string, { readonly directoryCommits: number; readonly isAnyone: boolean }>();

  async isAnyone(
    organisationId: string,
    { directoryCommits }: CommitsSeen,
    task: Task,
    schema: string,
  ): Promise<boolean> {
    const known = this.#known.get(organisationId);
    if (known?.directoryCommits === directoryCommits) return known.isAnyone;
    const sql = `SELECT json_array(1) FROM ${tableIn(schema, peopleCopy)} WHERE NOT onboarded LIMIT 1`;
    const isAnyone = (await task.values({ sql, values: [] })).length > 0;
    this.#known.set(organisationId, { directoryCommits, isAnyone });
    return isAnyone;
  }
}
