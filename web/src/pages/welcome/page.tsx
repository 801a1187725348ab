import { lazy, Suspense, useState } from 'react';
import { useLiveEvent } from '../../ask/event-stream.ts';
import { type ListedPerson, type PeoplePage, peoplePath } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { sendJson } from '../../ask/send.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useConnectionKinds, useConnections } from '../../ask/use-connections.ts';
import { useDataStatus } from '../../ask/use-data-status.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import type { MadeConnection } from '../../view/connection-form.tsx';
import { Page } from '../../view/page.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { NotAllowed } from '../../view/states.tsx';
import { WebhookShownOnce } from '../../view/webhook-shown-once.tsx';
import { nextStep, type Setup, type WelcomeFacts } from './questions.ts';
import { StartCards } from './start-cards.tsx';
import { StepList } from './step-list.tsx';
import { welcomeSentence } from './words.ts';
import './welcome.css';
import { welcomeWords } from './words.ts';

const ConnectFlow = lazy(() => import('../../view/connect-flow.tsx'));
const ImportFile = lazy(() => import('./import-file.tsx'));
const waiting = <div className="skeleton" style={{ height: 280 }} aria-busy="true" />;

const setupPath = '/app/setup';
const nothingSkipped: Setup = { skipped: [], is_closed: false, sample: null };

/** The first run: it goes on where it was left, by what is there already and what was left for later. */
export default function Welcome() {
  return isOwner(useSession()) ? (
    <FirstRun />
  ) : (
    <Page title={welcomeWords.welcome} hasControls={false} hasRecords={false}>
      <section className="card">
        <NotAllowed what={welcomeWords.setup} needs={welcomeWords.forOwners} />
        <PageLink to="/">{welcomeWords.openOverview}</PageLink>
      </section>
    </Page>
  );
}

function FirstRun() {
  const { person, organisation } = useSession();
  const kinds = useConnectionKinds();
  const { add, do: doing } = useView().state.own;
  const { data: setup = nothingSkipped } = useJson<Setup>(setupPath);
  const facts = useWelcomeFacts();
  const [made, setMade] = useState<MadeConnection>();
  const all = kinds.data?.kinds ?? [];
  const adding = all.find(({ kind, needs_command_line }) => kind === add && !needs_command_line);
  const change = async (changed: Partial<Pick<Setup, 'skipped' | 'is_closed'>>) => {
    const { skipped, is_closed } = { ...setup, ...changed };
    await sendJson('PUT', setupPath, { skipped, is_closed });
    await refresh(setupPath);
  };
  const back = (
    <button type="button" className="button quiet" onClick={() => changeOwn({ add: '', do: '' })}>
      {welcomeWords.back}
    </button>
  );
  if (adding) {
    return (
      <Page
        title={welcomeWords.connect(adding.label)}
        hasControls={false}
        hasRecords={false}
        sentence={welcomeWords.nothingSavedOrRead}
        actions={back}
      >
        <Suspense fallback={waiting}>
          <ConnectFlow
            key={adding.kind}
            kind={adding}
            onMade={(one) => {
              setMade(one);
              changeOwn({ add: '' });
            }}
          />
        </Suspense>
      </Page>
    );
  }
  if (doing === 'import') {
    return (
      <Page
        title={welcomeWords.importFile}
        hasControls={false}
        hasRecords={false}
        sentence={welcomeWords.youSeeWhatEach}
        actions={back}
      >
        <section className="card">
          <Suspense fallback={waiting}>
            <ImportFile />
          </Suspense>
        </section>
      </Page>
    );
  }
  const firstName = person.name.includes('@') ? organisation.name : person.name.split(' ')[0];
  return (
    <div className="welcome">
      <Page
        title={welcomeWords.welcomeToPlumb(firstName)}
        hasControls={false}
        hasRecords={false}
        sentence={welcomeSentence(facts, setup)}
      >
        {made && (
          <section className="card">
            <WebhookShownOnce made={made} onClose={() => setMade(undefined)} />
          </section>
        )}
        <StartCards kinds={all} sample={organisation.is_demo ? null : setup.sample} />
        <StepList facts={facts} setup={setup} current={nextStep(facts, setup)} onChange={change} />
      </Page>
    </div>
  );
}

function useWelcomeFacts(): WelcomeFacts {
  const { person } = useSession();
  const status = useDataStatus();
  const connections = useConnections();
  const people = useJson<PeoplePage>(peoplePath({ limit: 500 }));
  const groups = useGroups();
  // The first chart is there as soon as the first records are.
  useLiveEvent('sync', () => void refresh('/app/status', '/app/sources'));
  const seesMore = ({ id, access_role }: ListedPerson) =>
    id !== person.id && (access_role ?? 'Engineer') !== 'Engineer';
  return {
    email: person.email,
    connections: connections.data?.sources.length,
    hasData: status.data?.has_data,
    isSyncing: (status.data?.syncing.length ?? 0) > 0,
    people: people.data?.total,
    teams: groups.data?.teams.length,
    invited: people.data?.people.filter(seesMore).length,
  };
}
