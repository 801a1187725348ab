import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { capitalised, shownTime } from '../../view/format.ts';
import { RequestDetails } from '../../view/request-details.tsx';
import { type Happening, happenings } from './events.ts';
import { commentsOf, commitsOf, eventsOf, reviewsOf } from './questions.ts';
import type { PartsOnTheWay } from './use-parts.ts';
import { eventTableWords } from './words.ts';

interface EventTableProps {
  readonly row: Row;
  readonly parts: PartsOnTheWay;
  readonly view: View;
  readonly id: string;
}

/** Every event that the reader may see, one a line. */
export function EventTable({ row, parts, view, id }: EventTableProps) {
  const all = happenings(row, parts);
  return (
    <section className="card" aria-labelledby="events">
      <header>
        <div>
          <h2 id="events">{eventTableWords.everyEvent}</h2>
          <p className="subtitle">{eventTableWords.oldestFirst(all.length)}</p>
        </div>
      </header>
      {parts.isFirst ? (
        <div className="skeleton pull-request-waiting" aria-busy="true" />
      ) : (
        <Table caption={eventTableWords.everyEvent} rows={all} keyOf={({ key }) => key} columns={columnsOf(view)} />
      )}
      <RequestDetails
        summary={eventTableWords.requestsBehindTheseEvents}
        question={reviewsOf(id, view.today)}
        also={{
          Comments: commentsOf(id, view.today),
          Commits: commitsOf(id, view.today),
          Events: eventsOf(id, view.today),
        }}
      />
    </section>
  );
}

const columnsOf = (view: View): readonly TableColumn<Happening>[] => [
  {
    name: eventTableWords.when,
    cell: ({ at }) => (
      <time className="event-time" dateTime={new Date(at).toISOString()}>
        {shownTime(new Date(at).toISOString(), view.zone)}
      </time>
    ),
    sortBy: ({ at }) => at,
  },
  {
    name: eventTableWords.what,
    cell: ({ what, url, isMain }) => {
      const text = isMain ? <b>{capitalised(what)}</b> : capitalised(what);
      return url === null ? (
        text
      ) : (
        <a href={url} rel="noreferrer">
          {text}
        </a>
      );
    },
  },
  { name: eventTableWords.who, cell: ({ who, isMain }) => who ?? (isMain ? '' : '–') },
];
