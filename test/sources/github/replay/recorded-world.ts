import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { recordedDataFolder } from '../../../setup/recorded-data.ts';
import { someRepository } from './some-world.ts';
import {
  emptyRepository,
  type Fields,
  type ReplayedIssue,
  type ReplayedPull,
  type ReplayedRun,
  type World,
} from './world.ts';

function linesOf(...path: string[]): Fields[] {
  const file = readFileSync(join(recordedDataFolder, ...path));
  const text = (path.at(-1)?.endsWith('.gz') ? gunzipSync(file) : file).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Pull requests of bitcoin/bitcoin of the first quarter of 2023, with their timelines as GitHub answered them: all of them
 * or every second, third, …
 */
export function recordedBitcoin(every = 1): World {
  const lines = linesOf('github-bitcoin', 'pulls_2023q1.ndjson.gz').filter((_, i) => i % every === 0);
  const pulls = lines.map((line): ReplayedPull => {
    const { pull, events, comments } = line as { pull: ReplayedPull['pull']; events: Fields[]; comments: Fields[] };
    const of = (kind: string) => events.filter(({ event }) => event === kind);
    return {
      pull,
      timeline: events,
      reviews: of('reviewed'),
      reviewComments: comments,
      commits: of('committed').map(asCommit),
      files: [],
    };
  });
  const repository = someRepository('bitcoin/bitcoin', 1_181_927, { default_branch: 'master' });
  return { organizations: [], repositories: [{ ...emptyRepository(repository), pulls }] };
}

/** The recording has no accounts and no sizes of commits. */
const asCommit = ({ sha, html_url, message, author, committer }: Fields): Fields => ({
  sha,
  html_url,
  author: null,
  commit: { message, author, committer },
  stats: { additions: 0, deletions: 0 },
});

/** panjf2000/ants, as its lists were answered: every object has the address that it was asked at. */
export function recordedAnts(): World {
  const ants = (name: string) => linesOf('github-devlake-ants', `${name}.ndjson`).map(({ data }) => data as Fields);
  const numberIn = (url: unknown) => Number(String(url).split('/').at(-1));
  const at = (field: string, items: readonly Fields[], number: number) =>
    items.filter((item) => numberIn(item[field]) === number);
  const commits = linesOf('github-devlake-ants', 'pull_request_commits.ndjson');
  const [reviews, reviewComments] = [ants('pull_request_reviews'), ants('pull_request_review_comments')];
  const [comments, events] = [ants('comments'), ants('events')];
  const pulls = ants('pull_requests').map((pull): ReplayedPull => {
    const number = Number(pull.number);
    const happened = events.filter(({ issue }) => (issue as Fields | null)?.number === number);
    return {
      pull: pull as ReplayedPull['pull'],
      timeline: [...happened, ...at('issue_url', comments, number).map((each) => ({ ...each, event: 'commented' }))],
      reviews: at('pull_request_url', reviews, number),
      reviewComments: at('pull_request_url', reviewComments, number),
      commits: commits.filter(({ input }) => (input as Fields).Number === number).map(({ data }) => data as Fields),
      files: [],
    };
  });
  const isPull = new Set(pulls.map(({ pull }) => pull.number));
  const issues = ants('issues')
    .filter(({ number }) => !isPull.has(Number(number)))
    .map(
      (issue): ReplayedIssue => ({
        issue: issue as ReplayedIssue['issue'],
        comments: at('issue_url', comments, Number(issue.number)),
      }),
    );
  const runs = ants('runs').map((run): ReplayedRun => ({ run: run as ReplayedRun['run'], timing: {}, artifacts: [] }));
  const repository = someRepository('panjf2000/ants', 134_018_330, { owner: { login: 'panjf2000', type: 'User' } });
  return { organizations: [], repositories: [{ ...emptyRepository(repository), pulls, issues, runs }] };
}
