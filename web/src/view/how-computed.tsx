import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { type Question, singleQuestions } from '../ask/question.ts';
import { useExplanation } from '../ask/use-answer.ts';
import { useView } from '../ask/use-view.ts';
import { explanationWords } from './answer-words.ts';
import { grouped, shownTime } from './format.ts';
import { leftOutWords } from './left-out-words.ts';
import { Answered } from './states.tsx';

/** How a number came about, as the API explains it. Of several metrics at once, one after the other. */
export default function HowComputed({ question }: { readonly question: Question }) {
  const each = singleQuestions(question);
  return each.map((one) => <HowOneComputed key={one.path} question={one} />);
}

/** Its definition, what was read, what was left out and why. */
function HowOneComputed({ question }: { readonly question: Question }) {
  const answer = useExplanation(question);
  const { zone } = useView();
  return (
    <Answered answer={answer} height={160} what={explanationWords.theExplanation}>
      {({ metric, title, definition, plan, sql, rows_read, values, freshness, date_field }) => (
        <div className="how">
          <p>
            <b>{title}.</b> {definition}
          </p>
          {/* Sentences of the API, which name columns as requests do. */}
          <ul data-record>
            {plan.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
          <p className="secondary">
            {explanationWords.rowsRead(
              grouped(rows_read),
              date_field ? columnLabel(date_field) : undefined,
              values ? grouped(values.used) : undefined,
              shownTime(freshness.last_change_at, zone),
              zone,
            )}
          </p>
          {values && <LeftOutList lines={leftOutWords(metric, values.left_out)} />}
          <details>
            <summary>{explanationWords.statement}</summary>
            <pre className="code">{sql}</pre>
          </details>
        </div>
      )}
    </Answered>
  );
}

function LeftOutList({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className="secondary">{explanationWords.nothingLeftOut}</p>;
  return (
    <>
      <p>{explanationWords.notCounted}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
