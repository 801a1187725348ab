import { useJson } from '../../../ask/use-answer.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { NothingConnected } from '../../../view/nothing-connected.tsx';
import { PageLink } from '../../../view/page-link.tsx';
import { Answered } from '../../../view/states.tsx';
import { Value } from '../../../view/value.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { QualityDetails } from './details.tsx';
import './data-quality.css';
import { FreshnessTable } from './freshness-table.tsx';
import { curlOf, type DataQualityAnswer, dataQualityPath, type QualityLine } from './questions.ts';
import { dataQualityWords, qualityLines, qualitySentence } from './words.ts';

/** What weakens the numbers, and what to do about each of it. */
export default function DataQualityPage() {
  const session = useSession();
  const answer = useJson<DataQualityAnswer>(isOwner(session) ? dataQualityPath : undefined);
  return (
    <SettingsPage
      title={dataQualityWords.dataQuality}
      ownersOnly={dataQualityWords.qualityAllData}
      sentence={answer.data ? qualitySentence(answer.data) : ' '}
    >
      {() => (
        <Answered answer={answer} what={dataQualityWords.qualityData}>
          {(quality) => (
            <div className="stack">
              {quality.freshness.tables.length === 0 && (
                <section className="card">
                  <NothingConnected shows={dataQualityWords.onceRecordsArrive} />
                </section>
              )}
              {qualityLines(quality).map((line) => (
                <Line key={line.topic} line={line} quality={quality} />
              ))}
              <FreshnessTable freshness={quality.freshness} />
              <section className="card" aria-labelledby="request">
                <header>
                  <h2 id="request">{dataQualityWords.requestBehindThisPage}</h2>
                </header>
                <CodeBlock
                  name={dataQualityWords.request}
                  label={dataQualityWords.copy}
                  text={curlOf(session.public_url)}
                />
              </section>
            </div>
          )}
        </Answered>
      )}
    </SettingsPage>
  );
}

function Line({ line, quality }: { readonly line: QualityLine; readonly quality: DataQualityAnswer }) {
  const { topic, title, count, means, toDo, where } = line;
  if (count === 0) {
    return (
      <p className="quality-fine secondary">
        <span aria-hidden="true">✓</span> {title}:{' '}
        <data value="0" data-value="0">
          {dataQualityWords.none}
        </data>
      </p>
    );
  }
  return (
    <section className="card" aria-labelledby={`quality-${topic}`} data-quality={topic}>
      <header>
        <div>
          <h2 id={`quality-${topic}`}>
            <Value value={count} measure="count" /> · {title}
          </h2>
          <p className="subtitle">{means}</p>
          <p className="quality-to-do">
            <strong>{dataQualityWords.whatToDo}</strong> {toDo}
          </p>
        </div>
        {where && (
          <PageLink className="button" to={where.path} own={where.part ? { part: where.part } : {}}>
            {where.name}
          </PageLink>
        )}
      </header>
      <details>
        <summary>{dataQualityWords.show}</summary>
        <QualityDetails topic={topic} quality={quality} />
      </details>
    </section>
  );
}
