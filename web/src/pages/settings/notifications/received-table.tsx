import { refresh } from '../../../ask/refresh.ts';
import { sendJson } from '../../../ask/send.ts';
import { useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { Table } from '../../../view/data-table.tsx';
import { notificationsPath, type Origin, type Received } from './questions.ts';
import { notificationsWords } from './words.ts';

interface ReceivedTableProps {
  readonly received: readonly Received[];
  /** What an alert or a digest is about, in notificationsWords. */
  readonly aboutOf: (origin: Origin) => string;
}

/** What comes to the reader's address, each with one click to stop it and to start it again. */
export function ReceivedTable({ received, aboutOf }: ReceivedTableProps) {
  const { person } = useSession();
  const action = useAction();
  const setStopped = (one: Received, isStopped: boolean) =>
    void action.run(async () => {
      const path = `/app/stopped-notifications/${one.kind}/${encodeURIComponent(one.slug)}`;
      await sendJson(isStopped ? 'PUT' : 'DELETE', path);
      await refresh(notificationsPath);
      return isStopped ? notificationsWords.isStopped(aboutOf(one)) : notificationsWords.isStarted(aboutOf(one));
    });
  return (
    <section className="card" aria-labelledby="to-you">
      <header>
        <div>
          <h2 id="to-you">{notificationsWords.toYou}</h2>
          <p className="subtitle">{notificationsWords.toYouMeaning}</p>
        </div>
      </header>
      {received.length === 0 ? (
        <p className="secondary">{notificationsWords.noneToYou}</p>
      ) : (
        <Table
          caption={notificationsWords.toYou}
          rows={received}
          keyOf={({ kind, slug }) => `${kind} ${slug}`}
          columns={[
            {
              name: notificationsWords.what,
              cell: (one) => aboutOf(one),
              sortBy: aboutOf,
            },
            {
              name: notificationsWords.from,
              cell: ({ owner }) =>
                owner?.id === person.id ? notificationsWords.you : (owner?.name ?? notificationsWords.removed),
            },
            { name: notificationsWords.address, cell: ({ addresses }) => addresses.join(', ') },
            {
              name: notificationsWords.state,
              cell: ({ is_stopped, owner }) =>
                owner ? (is_stopped ? notificationsWords.stopped : notificationsWords.on) : notificationsWords.silent,
            },
            {
              name: notificationsWords.change,
              isAction: true,
              cell: (one) => (
                <button
                  type="button"
                  className="link small"
                  aria-label={
                    one.is_stopped
                      ? notificationsWords.startName(aboutOf(one))
                      : notificationsWords.stopName(aboutOf(one))
                  }
                  // The focus stays on the button while it is busy: a disabled one would lose it.
                  aria-disabled={action.isBusy}
                  onClick={() => !action.isBusy && setStopped(one, !one.is_stopped)}
                >
                  {one.is_stopped ? notificationsWords.start : notificationsWords.stop}
                </button>
              ),
            },
          ]}
        />
      )}
      <ActionOutcome action={action} />
    </section>
  );
}
