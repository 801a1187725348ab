import { lazy, Suspense, useState } from 'react';
import { refresh } from '../../../ask/refresh.ts';
import { postJson, sendJson } from '../../../ask/send.ts';
import { type Connection, type ConnectionCheck, type ConnectionKind, sourcesPath } from '../../../ask/sources.ts';
import type { SyncNews } from '../../../ask/status-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { ActionOutcome, type PageAction, useAction } from '../../../view/action.tsx';
import { CheckList } from '../../../view/check-list.tsx';
import { CodeBlock } from '../../../view/code-block.tsx';
import { ConfirmButton } from '../../../view/confirm.tsx';
import { shownTime } from '../../../view/format.ts';
import { NotSeenTable } from '../../../view/not-seen-table.tsx';
import { SyncProgress } from '../../../view/sync-progress-note.tsx';
import { lastSuccessOf, statePill } from './questions.ts';
import { StreamTable } from './stream-table.tsx';
import { connectionCardWords, stateInWords } from './words.ts';

/** Folded away until settings are changed. */
const ConnectionSettingsForm = lazy(async () => ({
  default: (await import('../../../view/connection-form.tsx')).ConnectionSettingsForm,
}));

interface CardProps {
  readonly connection: Connection;
  /** Absent where this version does not know the kind. */
  readonly kind: ConnectionKind | undefined;
  /** Progress as events tell it; absent while nothing runs. */
  readonly live: SyncNews | null | undefined;
  /** The page says that the connection was removed: this card goes with the connection. */
  readonly removal: PageAction;
}

/** One connection with its state and everything that the reader can do with it. */
export function ConnectionCard({ connection, kind, live, removal }: CardProps) {
  const { id, name, label, state, last_sync, problems, webhook_url } = connection;
  const { zone } = useView();
  const action = useAction();
  const [check, setCheck] = useState<ConnectionCheck>();
  const path = `${sourcesPath}/${encodeURIComponent(id)}`;
  const isSyncing = live !== undefined || state === 'syncing';
  const shownState = isSyncing ? 'syncing' : state;
  const lastSuccess = lastSuccessOf(connection);
  return (
    <section className="card" aria-labelledby={`connection-${id}`} data-connection={state}>
      <header>
        <div>
          <h2 id={`connection-${id}`} className="row">
            {name} <span className={`pill ${statePill(shownState)}`}>{stateInWords(shownState)}</span>
          </h2>
          <p className="subtitle">
            {label} ·{' '}
            {lastSuccess
              ? connectionCardWords.lastSuccess(shownTime(lastSuccess, zone))
              : connectionCardWords.noSuccessYet}
            {last_sync?.finished_at &&
              last_sync.finished_at !== lastSuccess &&
              connectionCardWords.lastTried(shownTime(last_sync.finished_at, zone))}
          </p>
        </div>
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={action.isBusy}
            onClick={() =>
              void action.run(async () => {
                setCheck(undefined);
                const found = await postJson<ConnectionCheck>(`${path}/check`, {});
                setCheck(found);
                return found.ok ? connectionCardWords.canBeRead(name) : connectionCardWords.cannotBeReadSee(name);
              })
            }
          >
            {connectionCardWords.check}
          </button>
          <button
            type="button"
            className="button"
            disabled={action.isBusy || isSyncing}
            onClick={() =>
              void action.run(async () => {
                await postJson(`${path}/sync`, {});
                await refresh(sourcesPath, '/app/status');
                return connectionCardWords.syncBeginsWithinMoments(name);
              })
            }
          >
            {connectionCardWords.syncNow}
          </button>
          <ConfirmButton
            label={connectionCardWords.remove}
            name={connectionCardWords.removeName(name)}
            title={connectionCardWords.removeConnection(name)}
            verb={connectionCardWords.removeConnectionVerb}
            isDisabled={removal.isBusy}
            onConfirm={() =>
              void removal.run(async () => {
                await sendJson('DELETE', path);
                await refresh(sourcesPath, '/app/status');
                return connectionCardWords.removedRows(name);
              })
            }
          >
            {connectionCardWords.nothingNewWill}
          </ConfirmButton>
        </div>
      </header>
      <div className="stack">
        {isSyncing && (
          <div className="state" data-state="syncing">
            <SyncProgress name={name} progress={live ?? connection.progress} />
          </div>
        )}
        {last_sync?.error && !isSyncing && (
          <p>
            <strong>{last_sync.error}.</strong> {last_sync.to_do}
          </p>
        )}
        {problems
          .filter(({ scope, stream }) => scope !== '' || stream !== null)
          .map(({ scope, stream, message, to_do }) => (
            <p key={`${scope} ${stream}`}>
              <strong>{[scope, stream].filter(Boolean).join(', ')}:</strong> {message}. {to_do}
            </p>
          ))}
        {connection.no_longer_listed.length > 0 && <NoLongerFound listed={connection.no_longer_listed} />}
        <ActionOutcome action={action} />
        {check && <CheckList check={check} />}
        {connection.not_seen.length > 0 && (
          <details>
            <summary>{connectionCardWords.whatItCouldNot}</summary>
            <NotSeenTable caption={connectionCardWords.whatCouldNotSee(name)} rows={connection.not_seen} />
          </details>
        )}
        {connection.streams.length > 0 && <StreamTable connection={connection} zone={zone} />}
        {webhook_url && (
          <details>
            <summary>{connectionCardWords.webhookAddress}</summary>
            <p className="subtitle">{connectionCardWords.eventsSentHereSigned}</p>
            <CodeBlock
              name={connectionCardWords.webhookAddressName(name)}
              label={connectionCardWords.copy}
              text={webhook_url}
            />
          </details>
        )}
        {kind && (
          <details>
            <summary>{connectionCardWords.settings}</summary>
            <Suspense fallback={<div className="skeleton" />}>
              <ConnectionSettingsForm kind={kind} connection={connection} />
            </Suspense>
          </details>
        )}
      </div>
    </section>
  );
}

const maxNamed = 10;

/** What the connection has read and no longer finds, and what to do where that was not meant. */
function NoLongerFound({ listed }: { readonly listed: readonly string[] }) {
  const more = listed.length - maxNamed;
  return (
    <p>
      <strong>{connectionCardWords.noLongerFound(listed.slice(0, maxNamed).join(', '), more)}</strong>{' '}
      {connectionCardWords.deletedArchivedTransferredLeft}
    </p>
  );
}
