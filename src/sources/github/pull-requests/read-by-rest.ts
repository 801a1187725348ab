import { Payload } from '../../payload.ts';
import type { GithubApi } from '../api.ts';
import type { PullRequestFamily } from '../convert/pull-request.ts';

/** REST lists no more of the commits of a pull request. */
const maxCommits = 250;

/** Gone, or too large for the host to compare: that part of the pull request stays unknown. */
const unavailable = [404, 406, 409, 410, 422];

/** A pull request with everything that belongs to it. No family where there is none of that number. */
export async function readOneByRest(
  api: GithubApi,
  repository: string,
  number: number,
): Promise<{ readonly family?: PullRequestFamily; readonly at: number }> {
  const path = `/repos/${repository}/pulls/${number}`;
  const detail = await api.get(path, { alsoGood: [404, 410] });
  if (detail.status >= 300) return { at: detail.at };
  const [timeline, reviews, reviewComments, commits, files] = await Promise.all([
    api.list(`/repos/${repository}/issues/${number}/timeline`),
    api.list(`${path}/reviews`),
    api.list(`${path}/comments`),
    api.list(`${path}/commits`, { alsoGood: unavailable }),
    api.list(`${path}/files`, { alsoGood: unavailable }),
  ]);
  const happened = timeline?.items ?? [];
  return {
    at: detail.at,
    family: {
      pull: detail.body,
      timeline: happened,
      comments: happened.filter((item) => Payload.of(item, 'timeline event').textOrNull('event') === 'commented'),
      reviews: reviews?.items ?? [],
      reviewComments: reviewComments?.items ?? [],
      commits: await withStats(api, repository, commits?.items ?? []),
      areCommitsCut: commits === undefined || commits.items.length >= maxCommits,
      files: files?.items,
    },
  };
}

/** How many lines a commit changed is only in its detail, which need not name more than one of its files. */
function withStats(api: GithubApi, repository: string, commits: readonly unknown[]): Promise<unknown[]> {
  return Promise.all(
    commits.map(async (item) => {
      const sha = Payload.of(item, 'commit').text('sha');
      const detail = { query: { per_page: 1 }, alsoGood: unavailable };
      const { status, body } = await api.get(`/repos/${repository}/commits/${sha}`, detail);
      return status >= 300 ? item : { ...(item as object), stats: Payload.of(body, 'commit').raw('stats') };
    }),
  );
}
