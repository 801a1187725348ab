import { pullRequestCommits } from '../../../catalogue/tables/pull-request-commits.ts';
import { type PullRequestRow, pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Condition, Reading } from '../../../warehouse/warehouse.ts';
import { type Revertible, type Reverting, RevertTargets, shaLength } from '../../derive/deployments/revert-targets.ts';
import type { RevertMarks } from '../../derive/reverts.ts';
import { all, among, any, atLeast, atMost, formsOf, inRepositories, notNull } from './conditions.ts';

export interface FoundRevert {
  readonly revertsId: string | null;
  readonly isRevert: boolean;
}

/** A pull request that says it takes another back, and what it says. */
export interface MarkedRow {
  readonly row: Reverting & { readonly repository_key: string | null };
  readonly marks: RevertMarks;
}

/** The candidates of each repository, and what is known of each. */
export class Targets extends Map<string, RevertTargets> {
  readonly #known = new Map<string, FoundRevert>();

  in(repository: string): RevertTargets {
    const known = this.get(repository) ?? new RevertTargets();
    this.set(repository, known);
    return known;
  }

  note(row: Candidate): void {
    this.#known.set(row.pr_id ?? '', {
      revertsId: null,
      isRevert: row.revert_marks !== null && row.is_revert === true,
    });
  }

  knownAs(id: string): FoundRevert | undefined {
    return this.#known.get(id);
  }
}

const candidateColumns = [
  'pr_id',
  'repository_key',
  'pr_number',
  'pr_title',
  'merge_commit_sha',
  'pr_merged_at',
  'revert_marks',
  'is_revert',
] as const;
type Candidate = Pick<PullRequestRow, (typeof candidateColumns)[number]>;

/** Each mark is only looked up where the ones before it have found nothing: titles and commits are long to search for. */
export async function loadTargets(session: Reading, asked: readonly MarkedRow[]): Promise<Targets> {
  const targets = new Targets();
  let open = asked.filter(({ marks }) => marks.repository === undefined);
  const load = async (where: Condition, add: (one: RevertTargets, row: Candidate, target: Revertible) => void) => {
    const rows = await session.select(pullRequests, candidateColumns, all(where, notNull('pr_merged_at')));
    for (const row of rows) {
      const { pr_id, pr_number, pr_merged_at } = row;
      if (pr_id === null || pr_merged_at === null) continue;
      targets.note(row);
      add(targets.in(row.repository_key ?? ''), row, { pr_id, pr_number, pr_merged_at });
    }
    open = open.filter(({ row, marks }) => !targets.in(row.repository_key ?? '').find(row, marks));
  };
  const named = (...wanted: readonly ('number' | 'quotedNumber' | 'title')[]) => {
    const names = open.flatMap(({ row, marks }) =>
      wanted.flatMap((mark) => {
        const name = marks[mark];
        return name === undefined ? [] : [[row.repository_key, name] as const];
      }),
    );
    return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
  };
  const numbers = named('number', 'quotedNumber');
  if (numbers.length > 0) {
    await load({ columns: ['repository_key', 'pr_number'], among: numbers }, (one, row, target) =>
      one.addNumber(row.pr_number ?? 0, target),
    );
  }
  const titles = named('title');
  if (titles.length > 0) {
    await load({ columns: ['repository_key', 'pr_title'], among: titles }, (one, row, target) =>
      one.addTitle(row.pr_title ?? '', target),
    );
  }
  const shas = new Set(open.flatMap(({ marks }) => marks.sha ?? []));
  if (shas.size === 0) return targets;
  const keys = new Set(open.flatMap(({ row, marks }) => (marks.sha ? [row.repository_key ?? ''] : [])));
  await load(all(inRepositories(keys), beginningWith('merge_commit_sha', shas)), (one, row, target) =>
    one.addSha(row.merge_commit_sha ?? '', target),
  );
  const commits = await session.select(pullRequestCommits, ['sha', 'pr_id'], beginningWith('sha', shas));
  const byOwner = new Map<string, string[]>();
  for (const { sha, pr_id } of commits) {
    if (sha !== null && pr_id !== null) byOwner.set(pr_id, [...(byOwner.get(pr_id) ?? []), sha]);
  }
  if (byOwner.size > 0) {
    await load(all(inRepositories(keys), among('pr_id', byOwner.keys())), (one, row, target) => {
      for (const sha of byOwner.get(row.pr_id ?? '') ?? []) one.addSha(sha, target);
    });
  }
  return targets;
}

/** Commits by name, or by how their names begin. */
function beginningWith(column: string, shas: Iterable<string>): Condition {
  const whole: string[] = [];
  const begun: Condition[] = [];
  for (const sha of shas) {
    if (sha.length >= shaLength) whole.push(...formsOf(sha));
    // Names are hexadecimal, so everything that begins so comes before this beginning with a g behind it.
    else for (const form of formsOf(sha)) begun.push(all(atLeast(column, form), atMost(column, `${form}g`)));
  }
  return any(...(whole.length > 0 ? [among(column, whole)] : []), ...begun);
}
