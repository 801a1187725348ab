import { deploymentsOn } from '../../ask/deployment.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { useIdInPath } from '../../ask/id-in-path.ts';
import type { Row } from '../../ask/send.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { deploymentTitle } from '../../view/deployment-words.ts';
import { Facts } from '../../view/facts.tsx';
import { Page } from '../../view/page.tsx';
import { RequestDetails } from '../../view/request-details.tsx';
import { Said } from '../../view/said.tsx';
import { Failed, NotAllowed, State } from '../../view/states.tsx';
import { Timeline } from '../../view/timeline.tsx';
import { Carried } from './carried.tsx';
import { courseOf } from './course.ts';
import { factsOf } from './facts.ts';
import { deploymentSentence } from './sentence-words.ts';
import { useDeployment } from './use-deployment.ts';
import { WhyFailed } from './why-failed.tsx';
import { deploymentWords } from './words.ts';

/** One deployment: what it carried, whether and why it failed, when production was well again. */
export default function Deployment() {
  const view = useView();
  const wanted = useIdInPath();
  const { row, day, error, retry } = useDeployment(wanted, view);
  if (row && day) return <Known row={row} day={day} view={view} />;
  return (
    <Page title={deploymentWords.deployment} hasControls={false}>
      {error?.isNotAllowed ? (
        <NotAllowed what={error.message} needs="" />
      ) : error ? (
        <Failed error={error} retry={retry} what={deploymentWords.deploymentWhat} />
      ) : row === null ? (
        <State kind="empty" title={deploymentWords.noSuchDeployment}>
          {deploymentWords.noneLastTenYears} <code>{wanted}</code>
          {deploymentWords.orItCarriedNothing}
        </State>
      ) : (
        <div className="skeleton page-waiting" aria-busy="true" />
      )}
    </Page>
  );
}

function Known({ row, day, view }: { readonly row: Row; readonly day: string; readonly view: View }) {
  const { events, clocks } = courseOf(row, view.zone);
  const url = textOf(row.run_url);
  return (
    <Page
      title={deploymentTitle(row, view.zone)}
      beside={textOf(row.repository_name) ?? ''}
      sentence={<Said parts={deploymentSentence(row, view.zone)} />}
      hasControls={false}
      actions={
        url && /^https?:\/\//.test(url) ? (
          <a className="button" href={url} rel="noreferrer">
            {deploymentWords.openRun}
          </a>
        ) : undefined
      }
    >
      {events.length > 1 && (
        <section className="card" aria-labelledby="course">
          <header>
            <div>
              <h2 id="course">{deploymentWords.timeline}</h2>
              <p className="subtitle">{view.zone}</p>
            </div>
          </header>
          <Timeline name={deploymentWords.timelineDeployment} events={events} clocks={clocks} />
        </section>
      )}
      <div className="columns is-top">
        <Carried row={row} view={view} />
        <div className="stack is-beside">
          <WhyFailed row={row} zone={view.zone} />
          <Facts title={deploymentWords.deploymentWhat} facts={factsOf(row, view.zone)} />
        </div>
      </div>
      <RequestDetails summary={deploymentWords.requestBehindThisPage} question={deploymentsOn(day)} />
    </Page>
  );
}
