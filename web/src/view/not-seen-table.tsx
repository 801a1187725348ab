import type { NotSeen } from '../ask/sources.ts';
import { Table } from './data-table.tsx';
import { grouped } from './format.ts';
import { shownDate } from './shown-date.ts';

/** A statement, and the connection that makes it where several are shown. */
type StatedNotSeen = NotSeen & { readonly connection?: string };

/** What connections could not see, where, since when there is something, and what to do about it. */
export function NotSeenTable({ caption, rows }: { readonly caption: string; readonly rows: readonly StatedNotSeen[] }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ connection, stream, scopes, what, since }) => JSON.stringify([connection, stream, scopes, what, since])}
      columns={[
        { name: 'Where', cell: whereOf },
        { name: 'What is missing', cell: ({ what }) => what },
        // Providers and settings give days of UTC.
        { name: 'History begins on', cell: ({ since }) => shownDate(since, 'UTC'), sortBy: ({ since }) => since },
        { name: 'What to do', cell: ({ to_do }) => to_do ?? 'Nothing can be done here.' },
      ]}
    />
  );
}

const maxScopes = 3;

function whereOf({ connection, stream, scopes }: StatedNotSeen): string {
  const more = scopes.length - maxScopes;
  const named = [...scopes.slice(0, maxScopes), ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', ');
  return [connection, stream, named].filter(Boolean).join(' · ');
}
