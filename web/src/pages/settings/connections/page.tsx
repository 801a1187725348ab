import { lazy, Suspense, useState } from 'react';
import { useLiveEvent } from '../../../ask/event-stream.ts';
import { refresh } from '../../../ask/refresh.ts';
import { sourcesPath } from '../../../ask/sources.ts';
import type { SyncNews } from '../../../ask/status-answer.ts';
import { useConnectionKinds, useConnections } from '../../../ask/use-connections.ts';
import { changeOwn, useView } from '../../../ask/use-view.ts';
import { useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import type { MadeConnection } from '../../../view/connection-form.tsx';
import { Answered, State } from '../../../view/states.tsx';
import { WebhookShownOnce } from '../../../view/webhook-shown-once.tsx';
import '../../../view/connect-flow.css';
import { SettingsPage } from '../settings-page.tsx';
import { AddConnection } from './add-connection.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { connectionsSentence, connectionsWords } from './words.ts';

/** Few visits add anything, so the form comes with the first that does. */
const ConnectFlow = lazy(() => import('../../../view/connect-flow.tsx'));

/** Where data come from, how far each connection is read, and what to do where it fails. */
export default function ConnectionsPage() {
  return useSession().role === 'Owner' ? (
    <Connections />
  ) : (
    <SettingsPage title={connectionsWords.connections} ownersOnly={connectionsWords.connectionsOwnersOnly}>
      {() => null}
    </SettingsPage>
  );
}

function Connections() {
  const answer = useConnections();
  const kinds = useConnectionKinds();
  const live = useLiveProgress();
  const removal = useAction();
  const { add } = useView().state.own;
  const [made, setMade] = useState<MadeConnection>();
  const adding = kinds.data?.kinds.find(({ kind, needs_command_line }) => kind === add && !needs_command_line);
  if (adding) {
    return (
      <SettingsPage
        title={connectionsWords.connect(adding.label)}
        sentence={connectionsWords.nothingSavedOrRead}
        actions={
          <button type="button" className="button quiet" onClick={() => changeOwn({ add: '' })}>
            {connectionsWords.cancel}
          </button>
        }
      >
        {() => (
          <Suspense fallback={<div className="skeleton" style={{ height: 280 }} aria-busy="true" />}>
            <ConnectFlow
              key={adding.kind}
              kind={adding}
              onMade={(one) => {
                setMade(one);
                changeOwn({ add: '' });
              }}
            />
          </Suspense>
        )}
      </SettingsPage>
    );
  }
  return (
    <SettingsPage
      title={connectionsWords.connections}
      sentence={answer.data ? connectionsSentence(answer.data.sources) : ' '}
    >
      {() => (
        <>
          <ActionOutcome action={removal} />
          {made && (
            <section className="card">
              <WebhookShownOnce made={made} onClose={() => setMade(undefined)} />
            </section>
          )}
          <Answered answer={answer} what={connectionsWords.listConnections}>
            {({ sources }) => (
              <div className="stack">
                {sources.length === 0 && (
                  <section className="card">
                    <State kind="unconnected" title={connectionsWords.nothingConnectedYet}>
                      {connectionsWords.onceSomethingConnected}
                    </State>
                  </section>
                )}
                {sources.map((connection) => (
                  <ConnectionCard
                    key={connection.id}
                    connection={connection}
                    kind={kinds.data?.kinds.find(({ kind }) => kind === connection.kind)}
                    live={live[connection.id]}
                    removal={removal}
                  />
                ))}
              </div>
            )}
          </Answered>
          <Answered answer={kinds} what={connectionsWords.whatCanBeConnected}>
            {(all) => <AddConnection kinds={all.kinds} />}
          </Answered>
        </>
      )}
    </SettingsPage>
  );
}

/** The progress of each connection from the server's events. When a sync ends, the list is asked once more. */
function useLiveProgress(): Readonly<Record<string, SyncNews | null>> {
  const [live, setLive] = useState<Readonly<Record<string, SyncNews | null>>>({});
  useLiveEvent('sync', ({ source, is_running, progress }) => {
    const isNew = is_running !== source.id in live;
    setLive(({ [source.id]: _before, ...others }) => (is_running ? { ...others, [source.id]: progress } : others));
    // When a sync has ended, the list knows the result, even where no event came before.
    if (isNew || !is_running) void refresh(sourcesPath);
  });
  // A sync may have ended while no events arrived.
  useLiveEvent('again', () => {
    setLive({});
    void refresh(sourcesPath);
  });
  return live;
}
