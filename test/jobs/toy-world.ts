/** What a toy provider has: repositories with pull requests and issues, each with the time of its last change. */
export interface ToyPullRequest {
  readonly number: number;
  title: string;
  updated: number;
  /** Logins of reviewers, in order. */
  reviewers: string[];
}

export interface ToyIssue {
  readonly number: number;
  title: string;
  updated: number;
}

export interface ToyRepository {
  readonly name: string;
  readonly pullRequests: ToyPullRequest[];
  readonly issues: ToyIssue[];
}

/** The provider's clock when the story begins, in seconds since 1970. */
export const toyNow = Date.UTC(2024, 5, 1) / 1_000;
const day = 86_400;
const logins = ['ada', 'bea', 'cal', 'renovate[bot]'];

export interface ToySize {
  readonly repositories: number;
  readonly pullRequests: number;
  readonly issues: number;
}

export const defaultSize: ToySize = { repositories: 2, pullRequests: 12, issues: 6 };

/** Half of it is younger than a month. */
export function toyWorld({ repositories, pullRequests, issues }: ToySize = defaultSize): ToyRepository[] {
  const ages = (count: number) =>
    Array.from({ length: count }, (_, i) => toyNow - Math.floor(((i + 1) * 60 * day) / count));
  return Array.from({ length: repositories }, (_, r) => ({
    name: `acme/toy-${r}`,
    pullRequests: ages(pullRequests).map((updated, i) => ({
      number: pullRequests - i,
      title: `Change ${pullRequests - i}`,
      updated,
      reviewers: [logins[i % 4] ?? '', logins[(i + 1) % 4] ?? ''],
    })),
    issues: ages(issues).map((updated, i) => ({ number: 1_000 - i, title: `Issue ${1_000 - i}`, updated })),
  }));
}

/** What happens in a repository while its pages are read: the oldest moves to the top, and a new one comes. */
export function moveOn({ pullRequests, issues }: ToyRepository, at: number): void {
  const oldest = pullRequests.reduce((a, b) => (a.updated < b.updated ? a : b));
  oldest.title = `${oldest.title} again`;
  oldest.updated = at;
  oldest.reviewers = ['bea'];
  pullRequests.push({ number: 100 + pullRequests.length, title: 'Newcomer', updated: at + 1, reviewers: ['ada'] });
  const issue = issues.at(-1);
  if (issue) issue.updated = at;
}

export const newestFirst = <T extends { readonly updated: number; readonly number: number }>(
  things: readonly T[],
): T[] => things.toSorted((a, b) => b.updated - a.updated || b.number - a.number);
