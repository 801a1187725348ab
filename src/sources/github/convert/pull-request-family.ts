import { convertEach, Payload, UnknownShape } from '../../payload.ts';
import type { SourceRecords } from '../../source.ts';
import { numberedId } from './ids.ts';
import { convertPullRequest } from './pull-request.ts';
import { convertComment, convertCommit, convertReview, convertReviewComment } from './pull-request-parts.ts';
import type { Repository } from './repository.ts';
import { convertTimeline, eventRecord } from './timeline.ts';

/** A pull request with all that belongs to it, each in the shape of GitHub's REST interface. */
export interface PullRequestFamily {
  readonly pull: unknown;
  /** Beside events also comments in the conversation, reviews and commits, which are passed over. */
  readonly timeline: readonly unknown[];
  readonly reviews: readonly unknown[];
  readonly comments: readonly unknown[];
  readonly reviewComments: readonly unknown[];
  /** With `stats`, where they are known. */
  readonly commits: readonly unknown[];
  /** The host lists no more than 250 commits: those that are known stay, though they may be gone. */
  readonly areCommitsCut?: boolean;
  readonly files: readonly unknown[] | undefined;
}

interface ConvertedPullRequest {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

/** Children replace the set of their pull request, so that what was deleted or pushed away goes. */
export function convertFamilies(repository: Repository, families: readonly PullRequestFamily[]): ConvertedPullRequest {
  const { records, problems } = convertEach(families, (family) => convertFamily(repository, family));
  const all = <K extends keyof ConvertedParts>(part: K) =>
    records.flatMap((family) => family[part] as ConvertedParts[K][number][]);
  const ids = records.map(({ pull }) => pull.pr_id);
  const whole = records.filter(({ areCommitsCut }) => !areCommitsCut).map(({ pull }) => pull.pr_id);
  return {
    records: [
      { table: 'pull_requests', records: records.map(({ pull }) => pull) },
      { table: 'pull_request_reviews', records: all('reviews'), wholeSetsOf: ids },
      { table: 'pull_request_comments', records: all('comments'), wholeSetsOf: ids },
      { table: 'pull_request_commits', records: all('commits'), wholeSetsOf: whole },
      { table: 'pull_request_events', records: all('events'), wholeSetsOf: ids },
    ],
    problems,
  };
}

type ConvertedParts = Pick<ReturnType<typeof convertFamily>, 'reviews' | 'comments' | 'commits' | 'events'>;

function convertFamily(repository: Repository, family: PullRequestFamily) {
  const number = Payload.of(family.pull, 'pull request').integer('number');
  try {
    const prId = numberedId(repository, number);
    const timeline = convertTimeline(family.timeline);
    const pull = convertPullRequest(repository, family.pull, timeline, family.files);
    return {
      pull,
      reviews: family.reviews.flatMap((review) => convertReview(prId, review) ?? []),
      comments: [
        ...family.comments.map((comment) => convertComment(prId, comment)),
        ...family.reviewComments.map((comment) => convertReviewComment(prId, comment)),
      ],
      commits: family.commits.map((commit) => convertCommit(prId, commit)),
      areCommitsCut: family.areCommitsCut ?? false,
      events: timeline.map((event) => eventRecord(prId, pull.pr_url, event)),
    };
  } catch (error) {
    // Half a pull request would look like one whose other children are gone.
    if (error instanceof UnknownShape) throw new UnknownShape(`${repository.name}#${number}: ${error.message}`);
    throw error;
  }
}
