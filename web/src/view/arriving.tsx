import { recordLists } from '../ask/record-lists.ts';
import type { DataStatus } from '../ask/status-answer.ts';
import { arrivingWords } from './arriving-words.ts';
import { counted, duration } from './format.ts';
import { PageLink } from './page-link.tsx';
import { State } from './states.tsx';
import { SyncProgress } from './sync-progress-note.tsx';

interface ArrivingProps {
  readonly status: DataStatus;
  readonly syncs: DataStatus['syncing'];
  readonly shows?: string;
}

/** History is still being read. The page works meanwhile with what is there. Loaded only then. */
export default function Arriving({ status, syncs, shows }: ArrivingProps) {
  const left = syncs.flatMap(({ progress }) => progress?.seconds_left ?? []);
  return (
    <State
      kind="syncing"
      title={
        left.length > 0
          ? arrivingWords.importingHistoryAboutLeft(duration(Math.max(...left)))
          : arrivingWords.importingHistory
      }
      actions={
        <PageLink className="button" to="/settings/connections">
          {arrivingWords.showConnections}
        </PageLink>
      }
    >
      {shows !== undefined && <p>{shows}</p>}
      <p>{arrivingWords.restFollows(alreadyHere(status))}</p>
      {syncs.map(({ id, name, progress }) => (
        <SyncProgress key={id} name={name} progress={progress} />
      ))}
    </State>
  );
}

/** `So far: 1,200 pull requests, 48 deployments.` */
function alreadyHere({ rows, has_data }: Pick<DataStatus, 'rows' | 'has_data'>): string {
  if (!has_data) return arrivingWords.nothingHasArrivedYet;
  const lists: Readonly<Record<string, { readonly one: string; readonly many: string }>> = recordLists;
  const known = Object.entries(rows ?? {})
    .flatMap(([table, count]) => {
      const list = lists[table];
      return list && count > 0 ? { count, text: counted(count, list.one, list.many) } : [];
    })
    .toSorted((a, b) => b.count - a.count);
  if (known.length === 0) return arrivingWords.pagesShowWhat;
  const [some, more] = [known.slice(0, 4), known.length - 4];
  const list = some.map(({ text }) => text).join(', ');
  return arrivingWords.soFar(list, more);
}
