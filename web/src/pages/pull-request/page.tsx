import { TimeZone } from '../../../../src/calendar.ts';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { useIdInPath } from '../../ask/id-in-path.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { isOwner, seesOnlyOwn, useSession } from '../../page-session.ts';
import { Facts } from '../../view/facts.tsx';
import { Page } from '../../view/page.tsx';
import { Said } from '../../view/said.tsx';
import { Answered, State } from '../../view/states.tsx';
import { ClockTable } from './clock-table.tsx';
import { clocksOf } from './clock-words.ts';
import { DeploymentCard } from './deployment-card.tsx';
import { EventTable } from './event-table.tsx';
import { factsOf } from './facts.ts';
import './pull-request.css';
import { thePullRequest, typicalTime } from './questions.ts';
import { pullRequestSentence } from './sentence-words.ts';
import { PullRequestTimeline } from './timeline-card.tsx';
import { useParts } from './use-parts.ts';
import { pullRequestWords } from './words.ts';

/** One pull request: every event, every clock, and the rule that made it. */
export default function PullRequest() {
  const view = useView();
  const pullRequest = useIdInPath();
  const answer = useAnswer(thePullRequest(pullRequest, view.today));
  const row = answer.data?.rows.find(({ pr_id }) => pr_id === pullRequest);
  if (row) return <Known row={row} view={view} id={pullRequest} />;
  return (
    <Page title={pullRequestWords.pullRequest} hasControls={false}>
      <Answered answer={answer} what={pullRequestWords.pullRequestWhat}>
        {() => (
          <State kind="empty" title={pullRequestWords.noSuchPullRequest}>
            {pullRequestWords.noneLastTenYears} <code>{pullRequest}</code>
            {pullRequestWords.orItBelongs}
          </State>
        )}
      </Answered>
    </Page>
  );
}

function Known({ row, view, id }: { readonly row: Row; readonly view: View; readonly id: string }) {
  const clocks = clocksOf(row);
  const [repository, merged] = [textOf(row.repository), textOf(row.pr_merged_at)];
  const mergedOn = merged && TimeZone.named(view.zone).dayAt(Date.parse(merged) / 1_000);
  const usual = useAnswer(repository && mergedOn ? typicalTime(repository, mergedOn) : undefined);
  const typicalRow = usual.data?.rows[0];
  const session = useSession();
  const typicalOf = seesOnlyOwn(session)
    ? pullRequestWords.yourOwnMedian
    : isOwner(session)
      ? pullRequestWords.medianItsRepository
      : pullRequestWords.medianWhatYouCan;
  const parts = useParts(row, view, id);
  const sentence = pullRequestSentence(
    row,
    clocks,
    typicalRow && {
      median: numberIn(typicalRow, 'median_cycle_time'),
      n: numberIn(typicalRow, 'n') ?? 0,
      called: typicalOf,
    },
    Date.now(),
  );
  const url = textOf(row.pr_url);
  return (
    <Page
      title={
        textOf(row.pr_title) ?? pullRequestWords.pullRequestNumbered(row.pr_number === null ? '' : `#${row.pr_number}`)
      }
      beside={`${textOf(row.repository_name) ?? ''} ${row.pr_number === null ? '' : `#${row.pr_number}`}`}
      sentence={<Said parts={sentence} />}
      hasControls={false}
      actions={
        url && /^https?:\/\//.test(url) ? (
          <a className="button" href={url} rel="noreferrer">
            {pullRequestWords.openIn(
              row.source ? valueLabel('source', String(row.source)) : pullRequestWords.itsSource,
            )}
          </a>
        ) : undefined
      }
    >
      <PullRequestTimeline row={row} clocks={clocks} parts={parts} view={view} id={id} />
      <div className="columns is-top">
        <ClockTable clocks={clocks} row={row} view={view} />
        <div className="stack is-beside">
          <DeploymentCard row={row} deployment={parts.deployment} view={view} isLoading={parts.isFirst} />
          <Facts title={pullRequestWords.change} facts={factsOf(row)} />
        </div>
      </div>
      <EventTable row={row} parts={parts} view={view} id={id} />
    </Page>
  );
}
