import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDataStatus } from '../../ask/use-data-status.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { SyncProgress } from '../../view/sync-progress-note.tsx';
import { InviteStep } from './invite-step.tsx';
import { OwnerStep } from './owner-step.tsx';
import { isStepDone, type Setup, steps, type WelcomeFacts, type WelcomeStep } from './questions.ts';
import { TeamsStep } from './teams-step.tsx';
import { stepListWords, stepNames, stepSays } from './words.ts';

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
        {stepListWords.whatHappensNext}
      </h2>
      <ol className="welcome-steps card">
        {steps.map((one, at) => {
          const isDone = isStepDone(one, facts);
          const says = stepSays(one, facts);
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
                  {isDone && <span className="unseen"> {stepListWords.done}</span>}
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
                        onClick={() => run({ skipped: [...setup.skipped, one] }, stepListWords.leftForLater)}
                      >
                        {stepListWords.skipForNow}
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
          {stepListWords.openOverview}
        </PageLink>
        {setup.is_closed ? (
          <button
            type="button"
            className="button quiet"
            onClick={() => run({ skipped: [], is_closed: false }, stepListWords.setupStartsAgain)}
          >
            {stepListWords.restartSetup}
          </button>
        ) : (
          <button
            type="button"
            className="button quiet"
            onClick={() => run({ is_closed: true }, stepListWords.setupDoneYouFind)}
          >
            {stepListWords.finishSetup}
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
      {stepListWords.connectSourceOrImport}{' '}
      <PageLink to="/settings/connections">{stepListWords.showConnections}</PageLink>
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
            {stepListWords.firstRecordsHere} <PageLink to="/">{stepListWords.openOverview}</PageLink>
          </>
        ) : status.syncing.length > 0 ? (
          stepListWords.newestRecordsComeFirst
        ) : (
          stepListWords.nothingBeingReadYet
        )}
      </p>
    </>
  );
}
