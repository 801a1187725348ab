import type { Question } from '../ask/question.ts';
import { Requests } from './chart-card.tsx';
import './facts.css';

interface RequestDetailsProps {
  readonly summary: string;
  readonly question: Question;
  readonly also?: Readonly<Record<string, Question>>;
}

/** The collapsed request of a part of the page that is neither a chart nor a table. */
export function RequestDetails({ summary, question, also = {} }: RequestDetailsProps) {
  return (
    <details className="request-details">
      <summary>{summary}</summary>
      <Requests question={question} also={also} />
    </details>
  );
}
