import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { DataStatus } from '../ask/data-status.ts';
import { recordLists } from '../ask/record-lists.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { counted, duration, grouped } from './format.ts';
import { NothingConnected, State } from './states.tsx';
import { SyncProgress } from './sync-progress.tsx';
import { whatPagesShow } from './what-pages-show.ts';

/** A page, or why it has nothing to show yet: nothing connected, or history is still on its way. */
export function DataStates({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  const { data: status } = useDataStatus();
  const shows = whatPagesShow[path];
  // Without the status a page says itself what it lacks.
  if (shows === undefined || status === undefined) return children;
  const first = firstSyncs(status);
  if (status.has_data) {
    return (
      <>
        {first.length > 0 && <Arriving status={status} syncs={first} />}
        {children}
      </>
    );
  }
  return (
    <section className="card">
      {status.syncing.length > 0 ? (
        <Arriving status={status} syncs={status.syncing} shows={shows} />
      ) : status.connections === 0 ? (
        <NothingConnected shows={shows} />
      ) : (
        <NothingArrived status={status} shows={shows} />
      )}
    </section>
  );
}

/** Syncs that bring history. Those that bring what is new come all day, and need no words. */
export const firstSyncs = ({ syncing, sources }: DataStatus): DataStatus['syncing'] =>
  syncing.filter(({ id }) => !sources.find((source) => source.id === id)?.last_sync_at);

interface ArrivingProps {
  readonly status: DataStatus;
  readonly syncs: DataStatus['syncing'];
  readonly shows?: string;
}

/** History is arriving. The page works meanwhile with what is there. */
function Arriving({ status, syncs, shows }: ArrivingProps) {
  const left = syncs.flatMap(({ progress }) => progress?.seconds_left ?? []);
  return (
    <State
      kind="syncing"
      title={left.length > 0 ? `History is arriving, about ${duration(Math.max(...left))} left` : 'History is arriving'}
      actions={
        <Link className="button" href="/settings/connections">
          Show connections
        </Link>
      }
    >
      {shows !== undefined && <p>{shows}</p>}
      <p>{alreadyHere(status)} The rest follows by itself, the newest first.</p>
      {syncs.map(({ id, name, progress }) => (
        <SyncProgress key={id} name={name} progress={progress} />
      ))}
    </State>
  );
}

/** `Here already: 1 200 pull requests, 48 deployments.` */
export function alreadyHere({ rows, has_data }: Pick<DataStatus, 'rows' | 'has_data'>): string {
  if (!has_data) return 'Nothing is here yet.';
  const lists: Readonly<Record<string, { readonly one: string; readonly many: string }>> = recordLists;
  const known = Object.entries(rows ?? {})
    .flatMap(([table, count]) => {
      const list = lists[table];
      return list && count > 0 ? { count, text: counted(count, list.one, list.many) } : [];
    })
    .toSorted((a, b) => b.count - a.count);
  if (known.length === 0) return 'What is here already is shown.';
  const [some, more] = [known.slice(0, 4), known.length - 4];
  const list = some.map(({ text }) => text).join(', ');
  return `Here already: ${list}${more > 0 ? ` and ${grouped(more)} other kinds of records` : ''}.`;
}

/** Sources are connected, none is at work, and none has brought anything. */
function NothingArrived({ status, shows }: { readonly status: DataStatus; readonly shows: string }) {
  const failed = status.sources.filter(({ outcome }) => outcome === 'failed');
  return (
    <State
      kind="unconnected"
      title="Nothing has arrived yet"
      actions={
        <Link className="button primary" href="/settings/connections">
          Show connections
        </Link>
      }
    >
      <p>{shows}</p>
      <p>
        {counted(status.connections, 'source is', 'sources are')} connected.{' '}
        {failed.length > 0
          ? `The last sync of ${failed.map(({ name }) => name).join(', ')} failed: the connection says why.`
          : 'The first sync has not brought any records.'}
      </p>
    </State>
  );
}
