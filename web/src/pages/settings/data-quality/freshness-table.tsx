import { tableLabel } from '../../../../../src/catalogue/labels/table-labels.ts';
import { useView } from '../../../ask/use-view.ts';
import { Table } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { PageLink } from '../../../view/page-link.tsx';
import { shownDate } from '../../../view/shown-date.ts';
import { Value } from '../../../view/value.tsx';
import type { DataQualityAnswer } from './questions.ts';

/** How many records each table has, and how new they are. */
export function FreshnessTable({ freshness }: { readonly freshness: DataQualityAnswer['freshness'] }) {
  const { zone } = useView();
  if (freshness.tables.length === 0) return null;
  return (
    <section className="card" aria-labelledby="freshness">
      <header>
        <div>
          <h2 id="freshness">Data freshness</h2>
          <p className="subtitle">
            {freshness.data_through
              ? `Every table is complete through ${shownTime(freshness.data_through, zone)}.`
              : 'No table says how far it is complete yet.'}
          </p>
          {freshness.stale.map(({ table, since, source }) => (
            <p key={table} className="quality-to-do">
              {source === null ? (
                <>
                  <code>{table}</code> has had nothing new since {shownTime(since, zone)}. Check what sends its records.
                </>
              ) : (
                <>
                  {source} hasn't sent anything for <code>{table}</code> since {shownTime(since, zone)}.{' '}
                  <PageLink to="/settings/connections">Check the connection</PageLink>.
                </>
              )}
            </p>
          ))}
        </div>
      </header>
      <Table
        caption="Rows and freshness of each table"
        rows={freshness.tables}
        keyOf={({ table }) => table}
        columns={[
          { name: 'Table', cell: ({ table }) => tableLabel(table) },
          { name: 'Rows', isNumber: true, cell: ({ rows }) => <Value value={rows} measure="count" /> },
          {
            name: 'Newest record',
            cell: ({ newest_record_at }) => shownDate(newest_record_at, zone),
            sortBy: ({ newest_record_at }) => newest_record_at,
          },
          {
            name: 'Data through',
            cell: ({ data_through }) => shownTime(data_through, zone),
            sortBy: ({ data_through }) => data_through,
          },
        ]}
      />
    </section>
  );
}
