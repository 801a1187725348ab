import { numberIn } from '../../ask/figure-question.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import { askTogether } from '../../ask/together.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { shown } from '../../view/format.ts';
import { RequestDetails } from '../../view/request-details.tsx';
import { Failed } from '../../view/states.tsx';
import { Value } from '../../view/value.tsx';
import { boundsOf, layerOf, linesOf, placeOn, type ReferenceLine } from './reference-lines.ts';
import { referenceCardWords } from './words.ts';

interface ReferenceCardProps {
  readonly view: View;
  readonly isShown: (layer: string) => boolean;
}

/** Your numbers beside those that publishers print of their customers, each by the publisher's own statistic. */
export function ReferenceCard({ view, isShown }: ReferenceCardProps) {
  const lines = linesOf(isShown);
  const { questions, places } = askTogether(
    lines.map(({ metric, aggregation }) => ({ metric, aggregation, filters: view.filtersFor(metric) })),
  );
  const answers = useAnswers(questions);
  const [first, ...others] = questions;
  const failed = answers.find(({ error }) => error);
  if (!first) return null;
  return (
    <section
      className={`card ${answers.some(({ isOld }) => isOld) ? 'is-old' : ''}`}
      aria-labelledby="reference"
      aria-busy={answers.some(({ isFirst }) => isFirst)}
    >
      <header>
        <div>
          <h2 id="reference">{referenceCardWords.publicReferenceMarks}</h2>
          <p className="subtitle">{referenceCardWords.ticksBoundsThatPublisher}</p>
        </div>
      </header>
      {failed?.error && <Failed error={failed.error} retry={failed.retry} what={referenceCardWords.yourNumbers} />}
      <ul className="references">
        {lines.map((line, at) => {
          const place = places[at];
          const row = place && answers[place.question]?.data?.rows[0];
          const n = row && place ? numberIn(row, place.n) : null;
          return (
            <Reference
              key={line.key}
              line={line}
              value={row && place && n !== 0 ? numberIn(row, place.value) : null}
              n={n}
            />
          );
        })}
      </ul>
      <RequestDetails
        summary={referenceCardWords.apiRequest}
        question={first}
        also={Object.fromEntries(others.map((question, at) => [referenceCardWords.furtherNumbers(at + 1), question]))}
      />
    </section>
  );
}

interface ReferenceProps {
  readonly line: ReferenceLine;
  readonly value: number | null;
  readonly n: number | null;
}

function Reference({ line, value, n }: ReferenceProps) {
  const measure = measureOf(line.metric, line.aggregation);
  const place = placeOn(line, value);
  const left = (one: number) => ({ left: `${(place(one) * 100).toFixed(2)}%` });
  return (
    <li className="reference" data-metric={line.metric}>
      <span>{line.name}</span>
      <span className="benchmark-value">
        <Value value={value} measure={measure} />
        {value !== null && n !== null && <span className="small secondary"> {referenceCardWords.n(n)}</span>}
      </span>
      {line.marks.map((mark) => (
        <div key={layerOf(mark).id} className="reference-mark">
          <span className="small secondary">{layerOf(mark).name}</span>
          <span className="reference-axis" aria-hidden="true">
            {boundsOf(mark).map((bound) => (
              <span key={bound} className="reference-tick" style={left(bound)} />
            ))}
            {value !== null && <span className="benchmark-dot" style={left(value)} />}
          </span>
          <span className="small secondary">
            {boundsOf(mark)
              .map((bound) => shown(bound, measure))
              .join(' · ')}
          </span>
          <details className="small secondary reference-source">
            <summary>{referenceCardWords.source}</summary>
            {`${mark.theirMetric}, ${mark.publisher}, ${mark.edition}: ${mark.basis}. `}
            {mark.difference && `${mark.difference} `}
            <a href={mark.source} rel="noreferrer">
              {referenceCardWords.openSource}
            </a>
          </details>
        </div>
      ))}
    </li>
  );
}
