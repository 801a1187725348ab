import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { DataStatus } from '../ask/status-answer.ts';
import { useJson } from '../ask/use-answer.ts';
import { useView } from '../ask/use-view.ts';
import { linkTo } from '../ask/view-state.ts';
import { isOwner, useSession } from '../page-session.ts';
import { NothingConnected } from './nothing-connected.tsx';
import { nothingYetWords } from './nothing-words.ts';
import { PageLink } from './page-link.tsx';
import { State } from './states.tsx';

interface NothingYetProps {
  readonly status: DataStatus;
  readonly shows: string;
}

/** There are no records, and no sync is reading any: says what to do. Loaded only then. */
export default function NothingYet({ status, shows }: NothingYetProps) {
  return status.connections === 0 ? (
    <NothingConnectedYet shows={shows} />
  ) : (
    <NothingArrived status={status} shows={shows} />
  );
}

/** An Owner of an empty organisation is led to the first steps, unless they have left them. */
function NothingConnectedYet({ shows }: { readonly shows: string }) {
  const session = useSession();
  return isOwner(session) ? <FirstSteps shows={shows} /> : <NothingConnected shows={shows} />;
}

function FirstSteps({ shows }: { readonly shows: string }) {
  const [path, navigate] = useLocation();
  const { state } = useView();
  const { data: setup, error } = useJson<{ readonly is_closed: boolean }>('/app/setup');
  const leads = path === '/' && setup?.is_closed === false;
  useEffect(() => {
    if (leads) navigate(linkTo('/welcome', state), { replace: true });
  }, [leads, navigate, state]);
  if (path === '/' && !error && setup?.is_closed !== true) {
    return <div className="skeleton" style={{ height: 280 }} aria-busy="true" />;
  }
  return <NothingConnected shows={shows} />;
}

/** Sources are connected, none is being read, and none has brought anything. */
function NothingArrived({ status, shows }: NothingYetProps) {
  const failed = status.sources.filter(({ outcome }) => outcome === 'failed');
  return (
    <State
      kind="unconnected"
      title={nothingYetWords.nothingHasArrivedYet}
      actions={
        <PageLink className="button primary" to="/settings/connections">
          {nothingYetWords.showConnections}
        </PageLink>
      }
    >
      <p>{shows}</p>
      <p>
        {nothingYetWords.connected(status.connections)}{' '}
        {failed.length > 0
          ? nothingYetWords.lastSyncFailedConnection(failed.map(({ name }) => name).join(', '))
          : nothingYetWords.firstSyncHasNot}
      </p>
    </State>
  );
}
