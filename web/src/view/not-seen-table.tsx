import type { NotSeen } from '../ask/sources.ts';
import { notSeenWords } from './answer-words.ts';
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
        { name: notSeenWords.where, cell: whereOf },
        { name: notSeenWords.missing, cell: ({ what }) => what },
        // Providers and settings give days of UTC.
        { name: notSeenWords.since, cell: ({ since }) => shownDate(since, 'UTC'), sortBy: ({ since }) => since },
        { name: notSeenWords.toDo, cell: ({ to_do }) => to_do ?? notSeenWords.nothingToDo },
      ]}
    />
  );
}

const maxScopes = 3;

function whereOf({ connection, stream, scopes }: StatedNotSeen): string {
  const more = scopes.length - maxScopes;
  const named = [...scopes.slice(0, maxScopes), ...(more > 0 ? [notSeenWords.more(grouped(more))] : [])].join(', ');
  return [connection, stream, named].filter(Boolean).join(' · ');
}
