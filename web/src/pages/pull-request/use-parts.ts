import { TimeZone } from '../../../../src/calendar.ts';
import { deploymentsOn } from '../../ask/deployment.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { AskError, Row } from '../../ask/send.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import type { PullRequestParts } from './events.ts';
import { commentsOf, commitsOf, eventsOf, reviewsOf } from './questions.ts';

/** The parts, and how much of them has arrived. */
export interface PartsOnTheWay extends PullRequestParts {
  readonly isFirst: boolean;
  readonly error: AskError | undefined;
  readonly retry: () => void;
}

/** Reviews, comments, commits and events of a pull request, and the deployment that carried it: asked for together. */
export function useParts(row: Row, view: View, id: string): PartsOnTheWay {
  const { today, zone } = view;
  const deployed = Date.parse(textOf(row.deployed_at) ?? '');
  const day =
    row.deployment_id === null || Number.isNaN(deployed) ? undefined : TimeZone.named(zone).dayAt(deployed / 1_000);
  const answers = useAnswers([
    reviewsOf(id, today),
    commentsOf(id, today),
    commitsOf(id, today),
    eventsOf(id, today),
    day === undefined ? undefined : deploymentsOn(day),
  ]);
  const [reviews, comments, commits, events, deployments] = answers;
  return {
    reviews: reviews?.data?.rows ?? [],
    comments: comments?.data?.rows ?? [],
    commits: commits?.data?.rows ?? [],
    events: events?.data?.rows ?? [],
    deployment:
      day === undefined
        ? undefined
        : deployments?.data?.rows.find(({ deployment_id }) => deployment_id === row.deployment_id),
    isFirst: answers.some(({ isFirst }, at) => isFirst && (at < 4 || day !== undefined)),
    error: answers.find(({ error }) => error)?.error,
    retry: () => {
      for (const { error, retry } of answers) if (error) retry();
    },
  };
}
