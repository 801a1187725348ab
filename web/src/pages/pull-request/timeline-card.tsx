import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { capitalised, shownTime } from '../../view/format.ts';
import { RequestDetails } from '../../view/request-details.tsx';
import { Failed } from '../../view/states.tsx';
import { Timeline } from '../../view/timeline.tsx';
import { brackets, type PullRequestClock } from './clock-words.ts';
import { happenings, leftOut } from './events.ts';
import { thePullRequest } from './questions.ts';
import type { PartsOnTheWay } from './use-parts.ts';
import { timelineCardWords } from './words.ts';

interface TimelineCardProps {
  readonly row: Row;
  readonly clocks: readonly PullRequestClock[];
  readonly parts: PartsOnTheWay;
  readonly view: View;
  readonly id: string;
}

/** From the first commit to production, with the clocks as brackets. */
export function PullRequestTimeline({ row, clocks, parts, view, id }: TimelineCardProps) {
  const events = happenings(row, parts).map(({ key, at, what, isMain }) => ({
    key,
    at,
    label: capitalised(what),
    time: shownTime(new Date(at).toISOString(), view.zone),
    isMain,
  }));
  return (
    <section className="card" aria-labelledby="timeline">
      <header>
        <div>
          <h2 id="timeline">{timelineCardWords.timeline}</h2>
          <p className="subtitle">
            {view.zone}
            {parts.isFirst ? '' : ` · ${leftOutWords(leftOut(row, parts))}`}
          </p>
        </div>
      </header>
      {parts.error && <Failed error={parts.error} retry={parts.retry} what={timelineCardWords.someEvents} />}
      <Timeline name={timelineCardWords.timelinePullRequest} events={events} clocks={brackets(clocks)} />
      <RequestDetails summary={timelineCardWords.requestBehindTheseTimes} question={thePullRequest(id, view.today)} />
    </section>
  );
}

/** How many kinds of events are of people whom the reader may not see. */
function leftOutWords(left: readonly string[]): string {
  if (left.length === 0) return timelineCardWords.everyEventShown;
  return timelineCardWords.notShownInFull(left.length, left.join(', '));
}
