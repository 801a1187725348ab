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
import { deploymentSentence } from './sentence.ts';
import { useDeployment } from './use-deployment.ts';
import { WhyFailed } from './why-failed.tsx';

/** One deployment: what it carried, whether and why it failed, when production was well again. */
export default function Deployment() {
  const view = useView();
  const wanted = useIdInPath();
  const { row, day, error, retry } = useDeployment(wanted, view);
  if (row && day) return <Known row={row} day={day} view={view} />;
  return (
    <Page title="Deployment" hasControls={false}>
      {error?.isNotAllowed ? (
        <NotAllowed what={error.message} needs="" />
      ) : error ? (
        <Failed error={error} retry={retry} what="The deployment" />
      ) : row === null ? (
        <State kind="empty" title="No such deployment">
          None of the last ten years has the id <code>{wanted}</code>, or it carried nothing of yours and you may not
          see it.
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
            Open the run
          </a>
        ) : undefined
      }
    >
      {events.length > 1 && (
        <section className="card" aria-labelledby="course">
          <header>
            <div>
              <h2 id="course">Timeline</h2>
              <p className="subtitle">{view.zone}</p>
            </div>
          </header>
          <Timeline name="Timeline of the deployment" events={events} clocks={clocks} />
        </section>
      )}
      <div className="columns is-top">
        <Carried row={row} view={view} />
        <div className="stack is-beside">
          <WhyFailed row={row} zone={view.zone} />
          <Facts title="The deployment" facts={factsOf(row, view.zone)} />
        </div>
      </div>
      <RequestDetails summary="The request behind this page" question={deploymentsOn(day)} />
    </Page>
  );
}
