import { tableLabel } from '../../../../../src/catalogue/labels/table-labels.ts';
import { useView } from '../../../ask/use-view.ts';
import { Table } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { PageLink } from '../../../view/page-link.tsx';
import { shownDate } from '../../../view/shown-date.ts';
import { Value } from '../../../view/value.tsx';
import type { DataQualityAnswer } from './questions.ts';
import { freshnessTableWords } from './words.ts';

/** How many records each table has, and how new they are. */
export function FreshnessTable({ freshness }: { readonly freshness: DataQualityAnswer['freshness'] }) {
  const { zone } = useView();
  if (freshness.tables.length === 0) return null;
  return (
    <section className="card" aria-labelledby="freshness">
      <header>
        <div>
          <h2 id="freshness">{freshnessTableWords.dataFreshness}</h2>
          <p className="subtitle">
            {freshness.data_through
              ? freshnessTableWords.everyTableCompleteThrough(shownTime(freshness.data_through, zone))
              : freshnessTableWords.noTableSays}
          </p>
          {freshness.stale.map(({ table, since, source }) => (
            <p key={table} className="quality-to-do">
              {source === null ? (
                <>
                  <code>{table}</code> {freshnessTableWords.hasHadNothingNew(shownTime(since, zone))}
                </>
              ) : (
                <>
                  {freshnessTableWords.hasntSentAnything(source)} <code>{table}</code>{' '}
                  {freshnessTableWords.since(shownTime(since, zone))}{' '}
                  <PageLink to="/settings/connections">{freshnessTableWords.checkConnection}</PageLink>.
                </>
              )}
            </p>
          ))}
        </div>
      </header>
      <Table
        caption={freshnessTableWords.rowsAndFreshnessEach}
        rows={freshness.tables}
        keyOf={({ table }) => table}
        columns={[
          { name: freshnessTableWords.table, cell: ({ table }) => tableLabel(table) },
          {
            name: freshnessTableWords.rows,
            isNumber: true,
            cell: ({ rows }) => <Value value={rows} measure="count" />,
          },
          {
            name: freshnessTableWords.newestRecord,
            cell: ({ newest_record_at }) => shownDate(newest_record_at, zone),
            sortBy: ({ newest_record_at }) => newest_record_at,
          },
          {
            name: freshnessTableWords.dataThrough,
            cell: ({ data_through }) => shownTime(data_through, zone),
            sortBy: ({ data_through }) => data_through,
          },
        ]}
      />
    </section>
  );
}
