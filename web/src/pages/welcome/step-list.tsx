import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDataStatus } from '../../ask/use-data-status.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { SyncProgress } from '../../view/sync-progress-note.tsx';
import { InviteStep } from './invite-step.tsx';
import { OwnerStep } from './owner-step.tsx';
import { type Setup, stepNames, stepState, steps, type WelcomeFacts, type WelcomeStep } from './questions.ts';
import { TeamsStep } from './teams-step.tsx';

interface ListProps {
  readonly facts: WelcomeFacts;
  readonly setup: Setup;
  /** The step that the reader goes on with. */
  readonly current: WelcomeStep | undefined;
  readonly onChange: (change: Partial<Pick<Setup, 'skipped' | 'is_closed'>>) => Promise<void>;
}

/** The five steps with their state. One is open: the one in the address, else the one to go on with. */
export function StepList({ facts, setup, current, onChange }: ListProps) {
  const { step } = useView().state.own;
  const action = useAction();
  const opened = steps.find((one) => one === step) ?? (step === 'none' ? undefined : current);
  const run = (change: Parameters<ListProps['onChange']>[0], says: string) =>
    void action.run(async () => {
      await onChange(change);
      changeOwn({ step: '' });
      return says;
    });
  return (
    <section aria-labelledby="welcome-next">
      <h2 id="welcome-next" className="small secondary">
        What happens next
      </h2>
      <ol className="welcome-steps card">
        {steps.map((one, at) => {
          const { isDone, says } = stepState(one, facts);
          const isOpen = one === opened;
          return (
            <li key={one} {...(one === current ? { 'aria-current': 'step' as const } : {})}>
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => changeOwn({ step: isOpen ? 'none' : one }, { replace: true })}
              >
                <span className={isDone ? 'welcome-number is-done' : 'welcome-number'} aria-hidden="true">
                  {isDone ? <Check className="icon" /> : at + 1}
                </span>
                <span>
                  {stepNames[one]}
                  {isDone && <span className="unseen"> (done)</span>}
                </span>
                <span className="small secondary welcome-says">{says}</span>
              </button>
              {isOpen && (
                <div className="welcome-body stack">
                  {bodies[one]}
                  {!isDone && !setup.skipped.includes(one) && (
                    <div className="row">
                      <button
                        type="button"
                        className="button quiet"
                        onClick={() => run({ skipped: [...setup.skipped, one] }, 'Left for later.')}
                      >
                        Skip for now
                      </button>
                    </div>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      <div className="row after">
        <PageLink className="button" to="/">
          Open the overview
        </PageLink>
        {setup.is_closed ? (
          <button
            type="button"
            className="button quiet"
            onClick={() => run({ skipped: [], is_closed: false }, 'Setup starts again.')}
          >
            Restart setup
          </button>
        ) : (
          <button
            type="button"
            className="button quiet"
            onClick={() => run({ is_closed: true }, 'Setup is done. You find it again in the settings.')}
          >
            Finish setup
          </button>
        )}
        <ActionOutcome action={action} />
      </div>
    </section>
  );
}

const bodies: Readonly<Record<WelcomeStep, ReactNode>> = {
  account: <OwnerStep />,
  data: (
    <p>
      Connect a source or import a file above. <PageLink to="/settings/connections">Show connections</PageLink>
    </p>
  ),
  chart: <FirstChart />,
  people: <TeamsStep />,
  invite: <InviteStep />,
};

/** The progress of the first import, until there is something to see. */
function FirstChart() {
  const { data: status } = useDataStatus();
  if (!status) return null;
  return (
    <>
      {status.syncing.map(({ id, name, progress }) => (
        <SyncProgress key={id} name={name} progress={progress} />
      ))}
      <p>
        {status.has_data ? (
          <>
            The first records are here. <PageLink to="/">Open the overview</PageLink>
          </>
        ) : status.syncing.length > 0 ? (
          'The newest records come first. You can use everything that has arrived.'
        ) : (
          'Nothing is being read yet.'
        )}
      </p>
    </>
  );
}
