import type { Connection } from '../../../ask/sources.ts';
import { Table } from '../../../view/data-table.tsx';
import { counted, grouped, shownTime } from '../../../view/format.ts';
import { streamTableWords } from './words.ts';

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
        caption={streamTableWords.streams(name)}
        rows={streams}
        keyOf={({ scope, stream }) => `${scope} ${stream}`}
        columns={[
          {
            name: streamTableWords.where,
            cell: ({ scope }) => (scope === '' ? streamTableWords.wholeConnection : scope),
          },
          { name: streamTableWords.what, cell: ({ stream }) => stream },
          {
            name: streamTableWords.read,
            isNumber: true,
            cell: ({ read, estimated }) =>
              estimated === null || estimated <= read ? grouped(read) : streamTableWords.of(read, estimated),
          },
          {
            name: streamTableWords.complete,
            cell: ({ last_success_at }) =>
              last_success_at ? shownTime(last_success_at, zone) : streamTableWords.notYet,
            sortBy: ({ last_success_at }) => last_success_at,
          },
          {
            name: streamTableWords.newestRecord,
            cell: ({ newest_record_at }) => shownTime(newest_record_at, zone),
            sortBy: ({ newest_record_at }) => newest_record_at,
          },
        ]}
      />
    </details>
  );
}
