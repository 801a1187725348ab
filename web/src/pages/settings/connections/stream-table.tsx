import type { Connection } from '../../../ask/sources.ts';
import { Table } from '../../../view/data-table.tsx';
import { counted, grouped, shownTime } from '../../../view/format.ts';

/** Each thing that is read from a connection, and how far. */
export function StreamTable({
  connection: { name, streams },
  zone,
}: {
  readonly connection: Connection;
  readonly zone: string;
}) {
  return (
    <details>
      <summary>{counted(streams.length, 'stream', 'streams')}</summary>
      <Table
        caption={`Streams of ${name}`}
        rows={streams}
        keyOf={({ scope, stream }) => `${scope} ${stream}`}
        columns={[
          { name: 'Where', cell: ({ scope }) => (scope === '' ? 'the whole connection' : scope) },
          { name: 'What', cell: ({ stream }) => stream },
          {
            name: 'Read',
            isNumber: true,
            cell: ({ read, estimated }) =>
              estimated === null || estimated <= read ? grouped(read) : `${grouped(read)} of ${grouped(estimated)}`,
          },
          {
            name: 'Complete at',
            cell: ({ last_success_at }) => (last_success_at ? shownTime(last_success_at, zone) : 'not yet'),
            sortBy: ({ last_success_at }) => last_success_at,
          },
          {
            name: 'Newest record',
            cell: ({ newest_record_at }) => shownTime(newest_record_at, zone),
            sortBy: ({ newest_record_at }) => newest_record_at,
          },
        ]}
      />
    </details>
  );
}
