import { useJson } from '../../ask/use-answer.ts';
import { useView } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { shownTime } from '../../view/format.ts';
import { signOut } from '../../view/sign-out.ts';
import { Answered } from '../../view/states.tsx';
import { ownSessionsWords } from './words.ts';

interface OwnSession {
  readonly id: string;
  readonly method?: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly is_this: boolean;
}

/** Where the reader is signed in, with buttons to sign out here or everywhere. */
export function OwnSessions() {
  const { zone } = useView();
  const answer = useJson<readonly OwnSession[]>('/app/sessions');
  const action = useAction();
  const leave = (everywhere: boolean) =>
    void action.run(async () => {
      await signOut({ everywhere });
      return ownSessionsWords.youSigned;
    });
  return (
    <section className="card" aria-labelledby="sessions">
      <header>
        <div>
          <h2 id="sessions">{ownSessionsWords.whereYouSigned}</h2>
          <p className="subtitle">{ownSessionsWords.sessionEndsAfter12}</p>
        </div>
      </header>
      <Answered answer={answer} what={ownSessionsWords.listYourSessions} height={80}>
        {(sessions) => (
          <div className="stack">
            <Table
              caption={ownSessionsWords.yourSessions}
              rows={sessions}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: ownSessionsWords.signed,
                  cell: ({ created_at }) => shownTime(created_at, zone),
                  sortBy: ({ created_at }) => created_at,
                },
                {
                  name: ownSessionsWords.lastUsed,
                  cell: ({ last_used_at }) => shownTime(last_used_at, zone),
                  sortBy: ({ last_used_at }) => last_used_at,
                },
                { name: ownSessionsWords.with, cell: ({ method }) => method ?? '–' },
                {
                  name: ownSessionsWords.which,
                  cell: ({ is_this }) => (is_this ? ownSessionsWords.this : ownSessionsWords.anotherBrowser),
                },
              ]}
            />
            <div className="row">
              <button type="button" className="button" disabled={action.isBusy} onClick={() => leave(false)}>
                {ownSessionsWords.signOutHere}
              </button>
              <ConfirmButton
                label={ownSessionsWords.signOutEverywhere}
                title={ownSessionsWords.signOutEverywhereTitle}
                verb={ownSessionsWords.signOutEverywhere}
                isDisabled={action.isBusy}
                onConfirm={() => leave(true)}
              >
                {ownSessionsWords.thisEnds(sessions.length)}
              </ConfirmButton>
            </div>
          </div>
        )}
      </Answered>
      <ActionOutcome action={action} />
    </section>
  );
}
