import { numberIn } from '../../ask/figure.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { shownTime } from '../../view/format.ts';
import { Value } from '../../view/value.tsx';
import type { PullRequestClock } from './clock-words.ts';
import { clockTableWords } from './words.ts';

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
          <h2 id="clocks">{clockTableWords.howTheseTimes}</h2>
          <p className="subtitle">{clockTableWords.botsStartAndEnd(rounds)}</p>
        </div>
      </header>
      <Table
        caption={clockTableWords.howTheseTimes}
        rows={clocks}
        keyOf={({ name }) => name}
        columns={columnsOf(view)}
      />
    </section>
  );
}

const columnsOf = (view: View): readonly TableColumn<PullRequestClock>[] => [
  { name: clockTableWords.clock, cell: ({ name }) => <span className="clock-name">{name}</span> },
  {
    name: clockTableWords.from,
    cell: ({ from, start, missing }) => <End words={from} at={missing ? null : start} zone={view.zone} />,
  },
  {
    name: clockTableWords.to,
    cell: ({ until, end, missing }) => <End words={missing ?? until} at={missing ? null : end} zone={view.zone} />,
  },
  { name: clockTableWords.value, isNumber: true, cell: ({ seconds }) => <Value value={seconds} measure="duration" /> },
];

function End({ words, at, zone }: { readonly words: string; readonly at: number | null; readonly zone: string }) {
  return (
    <>
      {words}
      {at !== null && <span className="small secondary clock-time">{shownTime(new Date(at).toISOString(), zone)}</span>}
    </>
  );
}
