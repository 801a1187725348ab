import {
  addComment,
  addCommit,
  addEvent,
  addFile,
  addReview,
  addReviewComment,
  somePull,
  user,
} from '../../test/sources/github/replay/some-pull.ts';
import { someIssue, someRepository, someRun } from '../../test/sources/github/replay/some-world.ts';
import {
  emptyRepository,
  type ReplayedPull,
  type ReplayedRepository,
  type World,
} from '../../test/sources/github/replay/world.ts';

const repositories = 10;
const people = 100;
const twoYears = 2 * 365 * 86_400;
const start = Date.UTC(2024, 0, 1) / 1_000;

const iso = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
const person = (i: number) => user(`person${i % people}`);

export const repositoryNames = Array.from({ length: repositories }, (_, i) => `bench/repository-${i}`);

/** Two years of pull requests, each with two commits, reviews, comments on lines and in the conversation, five events and five files. */
export function benchHistory(pullRequests: number): World {
  const each = Math.ceil(pullRequests / repositories);
  return {
    organizations: [],
    repositories: repositoryNames.map(
      (name, r): ReplayedRepository => ({
        ...emptyRepository(someRepository(name, 1_000 + r)),
        pulls: Array.from({ length: each }, (_, i) =>
          pullRequest(name, i + 1, start + Math.floor((i * twoYears) / each)),
        ),
        issues: Array.from({ length: Math.ceil(each / 5) }, (_, i) =>
          someIssue(1_000_000 + i, { repository_url: `https://api.github.example/repos/${name}` }),
        ),
        runs: Array.from({ length: 20 }, (_, i) => someRun(r * 1_000 + i, iso(start + i * 86_400))),
      }),
    ),
  };
}

function pullRequest(repository: string, number: number, created: number): ReplayedPull {
  const after = (hours: number): string => iso(created + hours * 3_600);
  const end = after(20 + (number % 50));
  const pull = somePull({
    repository,
    number,
    author: person(number),
    fields: {
      state: 'closed',
      created_at: iso(created),
      merged_at: end,
      closed_at: end,
      labels: [{ name: 'feature' }],
    },
    updatedAt: end,
  });
  const issue_url = `https://api.github.example/repos/${repository}/issues/${number}`;
  for (let n = 0; n < 2; n += 1) {
    addCommit(pull, `${repository}-${number}-${n}`, { authored: after(n - 2), account: person(number) });
    const review = addReview(pull, n === 0 ? 'COMMENTED' : 'APPROVED', after(4 + n), { user: person(number + 1 + n) });
    addReviewComment(pull, review, after(4 + n));
    addComment(pull, after(5 + n), { user: person(number + n), issue_url });
  }
  addEvent(pull, 'labeled', after(1), { label: { name: 'feature' } });
  addEvent(pull, 'review_requested', after(1), { requested_reviewer: person(number + 1) });
  addEvent(pull, 'head_ref_force_pushed', after(3));
  addEvent(pull, 'merged', end, { commit_id: pull.pull.merge_commit_sha });
  addEvent(pull, 'closed', end);
  for (let n = 0; n < 5; n += 1) addFile(pull, `src/part-${(number * 7 + n) % 300}.ts`, 10 + n, 3);
  return pull;
}
