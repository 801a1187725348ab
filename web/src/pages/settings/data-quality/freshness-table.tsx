import { useView } from '../../../ask/use-view.ts';
import { shownTime } from '../../../view/format.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { Table } from '../../../view/table.tsx';
import { Value } from '../../../view/value.tsx';
import type { DataQualityAnswer } from './questions.ts';

/** How much there is of everything, and how new it is. */
export function FreshnessTable({ freshness }: { readonly freshness: DataQualityAnswer['freshness'] }) {
  const { zone } = useView();
  if (freshness.tables.length === 0) return null;
  return (
    <section className="card" aria-labelledby="freshness">
      <header>
        <div>
          <h2 id="freshness">How new the data are</h2>
          <p className="subtitle">The newest record is from {shownTime(freshness.newest_record_at, zone)}.</p>
        </div>
      </header>
      <Table
        caption="Rows and newest record of each table"
        rows={freshness.tables}
        keyOf={({ table }) => table}
        columns={[
          { name: 'Table', cell: ({ table }) => <code>{table}</code> },
          { name: 'Rows', isNumber: true, cell: ({ rows }) => <Value value={rows} measure="count" /> },
          { name: 'Newest record', cell: ({ newest_record_at }) => shownDate(newest_record_at, zone) },
        ]}
      />
    </section>
  );
}
