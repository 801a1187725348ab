import { useJson } from '../../ask/use-answer.ts';
import { useView } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { counted, shownTime } from '../../view/format.ts';
import { signOut } from '../../view/sign-out.ts';
import { Answered } from '../../view/states.tsx';

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
      return 'You are signed out.';
    });
  return (
    <section className="card" aria-labelledby="sessions">
      <header>
        <div>
          <h2 id="sessions">Where you are signed in</h2>
          <p className="subtitle">A session ends after 12 hours without use, or after 30 days.</p>
        </div>
      </header>
      <Answered answer={answer} what="The list of your sessions" height={80}>
        {(sessions) => (
          <div className="stack">
            <Table
              caption="Your sessions"
              rows={sessions}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Signed in',
                  cell: ({ created_at }) => shownTime(created_at, zone),
                  sortBy: ({ created_at }) => created_at,
                },
                {
                  name: 'Last used',
                  cell: ({ last_used_at }) => shownTime(last_used_at, zone),
                  sortBy: ({ last_used_at }) => last_used_at,
                },
                { name: 'With', cell: ({ method }) => method ?? '–' },
                { name: 'Which', cell: ({ is_this }) => (is_this ? 'this one' : 'another browser') },
              ]}
            />
            <div className="row">
              <button type="button" className="button" disabled={action.isBusy} onClick={() => leave(false)}>
                Sign out here
              </button>
              <ConfirmButton
                label="Sign out everywhere"
                title="Sign out everywhere?"
                verb="Sign out everywhere"
                isDisabled={action.isBusy}
                onConfirm={() => leave(true)}
              >
                This ends {counted(sessions.length, 'session', 'sessions')}, this one included. API keys go on working.
              </ConfirmButton>
            </div>
          </div>
        )}
      </Answered>
      <ActionOutcome action={action} />
    </section>
  );
}
