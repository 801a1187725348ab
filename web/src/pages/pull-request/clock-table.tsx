import { numberIn } from '../../ask/figure.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { shownTime } from '../../view/format.ts';
import { Value } from '../../view/value.tsx';
import type { PullRequestClock } from './clocks.ts';

interface ClockTableProps {
  readonly clocks: readonly PullRequestClock[];
  readonly row: Row;
  readonly view: View;
}

/** The rule behind every clock: the two times that it lies between, and why one is missing. */
export function ClockTable({ clocks, row, view }: ClockTableProps) {
  const rounds = numberIn(row, 'review_rounds');
  return (
    <section className="card" aria-labelledby="clocks">
      <header>
        <div>
          <h2 id="clocks">How these times were measured</h2>
          <p className="subtitle">
            bots start and end no clock · {rounds === 1 ? '1 review round' : `${rounds ?? 0} review rounds`}: reviews
            answered by new commits or by the merge
          </p>
        </div>
      </header>
      <Table
        caption="How these times were measured"
        rows={clocks}
        keyOf={({ name }) => name}
        columns={columnsOf(view)}
      />
    </section>
  );
}

const columnsOf = (view: View): readonly TableColumn<PullRequestClock>[] => [
  { name: 'Clock', cell: ({ name }) => <span className="clock-name">{name}</span> },
  {
    name: 'From',
    cell: ({ from, start, missing }) => <End words={from} at={missing ? null : start} zone={view.zone} />,
  },
  {
    name: 'To',
    cell: ({ until, end, missing }) => <End words={missing ?? until} at={missing ? null : end} zone={view.zone} />,
  },
  { name: 'Value', isNumber: true, cell: ({ seconds }) => <Value value={seconds} measure="duration" /> },
];

function End({ words, at, zone }: { readonly words: string; readonly at: number | null; readonly zone: string }) {
  return (
    <>
      {words}
      {at !== null && <span className="small secondary clock-time">{shownTime(new Date(at).toISOString(), zone)}</span>}
    </>
  );
}
