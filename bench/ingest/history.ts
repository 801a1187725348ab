import type { App } from '../../src/main.ts';
import { people, repositories } from './world.ts';

export const start = Date.UTC(2023, 0, 2) / 1_000;
export const twoYears = 2 * 365 * 86_400;

export const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();
export const sha = (i: number): string => i.toString(16).padStart(40, '0');

/** A pull request of a history of `all` in two years, with two reviews and three commits. */
export function pullRequest(
  i: number,
  all: number,
): Record<'pull_requests' | 'pull_request_reviews' | 'pull_request_commits', object[]> {
  const created = start + Math.floor((i * twoYears) / all);
  const merged = created + 3_600 + (i % 97) * 1_800;
  const id = `github:bench/repository-${i % repositories}#${i}`;
  const author = `person${(i * 7) % people}`;
  return {
    pull_requests: [
      {
        pr_id: id,
        pr_number: i,
        pr_title: `Change number ${i} of the service`,
        pr_url: `https://github.example/bench/repository-${i % repositories}/pull/${i}`,
        pr_body: `What this changes and why it is needed, in a few words, for number ${i}.`,
        source: 'github',
        repository: `bench/repository-${i % repositories}`,
        person_login: author,
        pr_state: 'merged',
        is_draft: false,
        pr_created_at: iso(created),
        pr_merged_at: iso(merged),
        pr_closed_at: iso(merged),
        additions: (i * 13) % 700,
        deletions: (i * 5) % 200,
        changed_files: 1 + (i % 20),
        base_branch: 'main',
        head_branch: `topic-${i}`,
        merge_commit_sha: sha(i),
        labels: ['feature'],
      },
    ],
    pull_request_reviews: [1, 2].map((n) => ({
      pr_review_id: `${id}/review/${n}`,
      pr_id: id,
      person_login: `person${(i * 7 + n) % people}`,
      review_state: n === 2 ? 'approved' : 'commented',
      reviewed_at: iso(created + n * 1_200),
    })),
    pull_request_commits: [1, 2, 3].map((n) => ({
      commit_id: `${id}:${sha(i * 4 + n)}`,
      pr_id: id,
      person_login: author,
      sha: sha(i * 4 + n),
      commit_message: `Step ${n}`,
      authored_at: iso(created - 7_200 + n * 600),
      committed_at: iso(created - 7_200 + n * 1_500),
      additions: 20,
      deletions: 3,
    })),
  };
}

export async function fill(app: App, id: string, from: number, until: number, all: number): Promise<number> {
  const step = 4_000;
  let rows = 0;
  for (let i = from; i < until; i += step) {
    const made = Array.from({ length: Math.min(step, until - i) }, (_, k) => pullRequest(i + k, all));
    const batch = (['pull_requests', 'pull_request_reviews', 'pull_request_commits'] as const).map((table) => ({
      table,
      lines: made.flatMap((one) => one[table]).map((value, line) => ({ line, value })),
    }));
    for (const { accepted, rejected } of await app.ingest.put(id, batch)) {
      if (rejected[0]) throw new Error(rejected[0].detail);
      rows += accepted;
    }
  }
  return rows;
}
