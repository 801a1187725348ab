import type { ReactNode } from 'react';
import type { Measure } from '../ask/metric-facts.ts';
import type { Question } from '../ask/question.ts';
import type { AskError } from '../ask/send.ts';
import { RequestText } from './shown-request.tsx';
import './tile.css';
import { computedTileWords } from './computed-tile-words.ts';
import { ChangeText, Value } from './value.tsx';

interface ComputedTileProps {
  readonly label: string;
  /** What it means and what it is computed from, on hover. */
  readonly meaning: string;
  readonly measure: Measure;
  readonly value: number | null;
  /**
   * Undefined without a comparison. Nothing judges a number that the page itself computes: both values are shown
   * without a colour.
   */
  readonly before?: number | null | undefined;
  /** Whether both windows are known in full. */
  readonly isComparable: boolean;
  /** The parts of the number: `$570 for 61 people`. */
  readonly of: ReactNode;
  readonly answer: {
    readonly error: AskError | undefined;
    readonly isFirst: boolean;
    readonly isOld: boolean;
    readonly retry: () => void;
  };
  /** The requests that the number is computed from. */
  readonly questions: readonly Question[];
  /** Opens the rows behind it. */
  readonly onOpen?: () => void;
}

const unjudged = { verdict: null, isBetter: null } as const;

/** A key figure that no single metric gives: the page computes it from the parts that are shown under it. */
export function ComputedTile(props: ComputedTileProps) {
  const { label, meaning, measure, value, before, isComparable, of, answer, questions, onOpen } = props;
  if (answer.error) {
    return (
      <div className="tile">
        <h2 className="tile-label">{label}</h2>
        <p className="small">
          {answer.error.isNotAllowed ? computedTileWords.youDontHaveAccess : answer.error.message}
        </p>
        {!answer.error.isNotAllowed && (
          <button type="button" className="link small" onClick={answer.retry}>
            {computedTileWords.tryAgain}
          </button>
        )}
        {answer.error.requestId && <p className="subtitle">{computedTileWords.request(answer.error.requestId)}</p>}
      </div>
    );
  }
  if (answer.isFirst) return <div className="tile skeleton" aria-busy="true" />;
  const shownValue = <Value value={value} measure={measure} />;
  return (
    <article className={`tile ${answer.isOld ? 'is-old' : ''}`} aria-label={label} data-computed="">
      <h2 className="tile-label" title={meaning}>
        {label}
      </h2>
      {onOpen ? (
        <button type="button" className="tile-value" onClick={onOpen}>
          {shownValue}
          <span className="unseen">{computedTileWords.showWhatBehind(label)}</span>
        </button>
      ) : (
        <span className="tile-value tile-plain">{shownValue}</span>
      )}
      <div className="tile-change">
        {before !== undefined && value !== null && (
          <ChangeText
            change={{ ...unjudged, isComparable, now: { value, n: null }, before: { value: before, n: null }, measure }}
          />
        )}
        <span className="small secondary">{of}</span>
      </div>
      <details className="tile-request small">
        <summary>{computedTileWords.apiRequest}</summary>
        {questions.map((question) => (
          <RequestText key={JSON.stringify(question)} question={question} />
        ))}
      </details>
    </article>
  );
}
