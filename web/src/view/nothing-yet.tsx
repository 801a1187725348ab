import type { DataStatus } from '../ask/status-answer.ts';
import { counted } from './format.ts';
import { NothingConnected } from './nothing-connected.tsx';
import { PageLink } from './page-link.tsx';
import { State } from './states.tsx';

interface NothingYetProps {
  readonly status: DataStatus;
  readonly shows: string;
}

/** There are no records, and no sync is reading any: says what to do. Loaded only then. */
export default function NothingYet({ status, shows }: NothingYetProps) {
  return status.connections === 0 ? (
    <NothingConnected shows={shows} />
  ) : (
    <NothingArrived status={status} shows={shows} />
  );
}

/** Sources are connected, none is being read, and none has brought anything. */
function NothingArrived({ status, shows }: NothingYetProps) {
  const failed = status.sources.filter(({ outcome }) => outcome === 'failed');
  return (
    <State
      kind="unconnected"
      title="Nothing has arrived yet"
      actions={
        <PageLink className="button primary" to="/settings/connections">
          Show connections
        </PageLink>
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
