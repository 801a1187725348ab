import { type PeoplePage, peoplePath } from '../../ask/people-answers.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useConnectionKinds, useConnections } from '../../ask/use-connections.ts';
import { useDataStatus } from '../../ask/use-data-status.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { useOwnChoice } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Page } from '../../view/page.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { NotAllowed } from '../../view/states.tsx';
import { ConnectStep } from './connect-step.tsx';
import { OwnerStep } from './owner-step.tsx';
import { PeopleStep } from './people-step.tsx';
import {
  scopesOf,
  stepAfter,
  stepNames,
  stepState,
  steps,
  type WelcomeFacts,
  type WelcomeStep,
  welcomeSentence,
} from './questions.ts';
import { RepositoriesStep } from './repositories-step.tsx';
import { TeamsStep } from './teams-step.tsx';
import './welcome.css';

/** The first run: five steps, each of which can be skipped. */
export default function Welcome() {
  return isOwner(useSession()) ? (
    <Steps />
  ) : (
    <Page title="Welcome" hasControls={false} hasRecords={false}>
      <section className="card">
        <NotAllowed what="Setup is" needs="for Owners." />
        <PageLink to="/">Open the overview</PageLink>
      </section>
    </Page>
  );
}

function Steps() {
  const [step, setStep] = useOwnChoice<WelcomeStep>('step', 'owner', steps);
  const { organisation } = useSession();
  const facts = useWelcomeFacts();
  const next = stepAfter(step);
  return (
    <Page
      title={`Welcome to ${organisation.name}`}
      hasControls={false}
      hasRecords={false}
      sentence={welcomeSentence(facts)}
    >
      <ol className="welcome-steps" aria-label="Steps">
        {steps.map((one, at) => {
          const { isDone, says } = stepState(one, facts);
          return (
            <li key={one}>
              <button
                type="button"
                onClick={() => setStep(one)}
                {...(one === step ? { 'aria-current': 'step' as const } : {})}
              >
                <span className="welcome-number" aria-hidden="true">
                  {isDone ? '✓' : at + 1}
                </span>
                <span>
                  {stepNames[one]}
                  <span className="small secondary welcome-says">{says}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      <section className="card" aria-labelledby="step">
        <header>
          <h2 id="step">
            Step {steps.indexOf(step) + 1} of {steps.length}: {stepNames[step]}
          </h2>
        </header>
        <div className="stack">
          {step === 'owner' && <OwnerStep />}
          {step === 'connect' && <ConnectStep />}
          {step === 'repositories' && <RepositoriesStep />}
          {step === 'people' && <PeopleStep />}
          {step === 'teams' && <TeamsStep />}
          <div className="row welcome-on">
            {next ? (
              <button type="button" className="button" onClick={() => setStep(next)}>
                {stepState(step, facts).isDone ? 'Next' : 'Skip'}: {stepNames[next]}
              </button>
            ) : (
              <PageLink className="button primary" to="/">
                Open the overview
              </PageLink>
            )}
            {next && (
              <PageLink className="link" to="/">
                Skip all
              </PageLink>
            )}
          </div>
        </div>
      </section>
    </Page>
  );
}

function useWelcomeFacts(): WelcomeFacts {
  const status = useDataStatus();
  const connections = useConnections();
  const kinds = useConnectionKinds();
  const people = useJson<PeoplePage>(peoplePath({ limit: 1 }));
  const groups = useGroups();
  return {
    connections: kinds.data && connections.data?.sources.length,
    hasData: status.data?.has_data,
    repositories: connections.data && scopesOf(connections.data.sources).length,
    people: people.data?.total,
    teams: groups.data?.teams.length,
  };
}
