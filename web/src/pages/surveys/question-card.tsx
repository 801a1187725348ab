import { useMemo, useState } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { counted, shown } from '../../view/format.ts';
import { RequestText } from '../../view/shown-request.tsx';
import { HiddenForPrivacy } from '../../view/states.tsx';
import { averageRating, type SurveyQuestion } from './answers.ts';
import { oneQuestion } from './questions.ts';
import { questionCardWords } from './words.ts';

interface QuestionCardProps {
  readonly view: View;
  readonly survey: string;
  readonly question: SurveyQuestion;
  readonly people: number;
  readonly least: number;
}

/** The answers to one question. Below the least number of people nothing is shown, its request neither. */
export function QuestionCard({ view, survey, question, people, least }: QuestionCardProps) {
  if (people < least)
    return (
      <section className="card" aria-label={question.text}>
        <h2>{question.text}</h2>
        <HiddenForPrivacy />
      </section>
    );
  return question.type === 'text' ? (
    <Texts view={view} survey={survey} question={question} people={people} />
  ) : (
    <AnswerBars view={view} survey={survey} question={question} people={people} />
  );
}

type ShownProps = Omit<QuestionCardProps, 'least'>;

function AnswerBars({ view, survey, question, people }: ShownProps) {
  const average = question.type === 'rating' ? averageRating(question) : null;
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'bar',
      title: question.text,
      measure: 'count',
      // Several choices together are one answer, of which each choice counts.
      isAddedUp: question.type === 'multi_choice',
      isHorizontal: question.type !== 'rating',
      categories: question.answers.map(({ value }) => ({ label: value })),
      series: [{ name: 'answers', colour: 1, points: question.answers.map(({ count }) => ({ value: count })) }],
    }),
    [question],
  );
  const about = [
    question.section,
    average === null ? undefined : questionCardWords.average(shown(average, 'number')),
    counted(people, 'person', 'people'),
    question.type === 'multi_choice' ? questionCardWords.severalCouldBeChosen : undefined,
  ];
  return (
    <ChartCard
      chart={chart}
      title={question.text}
      subtitle={about.filter((part) => part).join(' · ')}
      question={oneQuestion(view, survey, question.id)}
      height={question.type === 'rating' ? 220 : Math.max(120, question.answers.length * 34 + 40)}
    />
  );
}

const maxTexts = 10;

/** Texts in the order of the alphabet: the order must not reveal who wrote when. */
function Texts({ view, survey, question, people }: ShownProps) {
  const [side, setSide] = useState<'answers' | 'request'>('answers');
  const [most, setMax] = useState(maxTexts);
  const texts = question.answers.toSorted((a, b) => a.value.localeCompare(b.value));
  return (
    <section className="card chart-card" aria-label={question.text}>
      <header>
        <div>
          <h2>{question.text}</h2>
          <p className="subtitle">
            {[question.section, counted(people, 'person', 'people'), questionCardWords.inOrderAlphabet]
              .filter((part) => part)
              .join(' · ')}
          </p>
        </div>
      </header>
      {side === 'request' ? (
        <RequestText question={oneQuestion(view, survey, question.id)} />
      ) : (
        <>
          <ul className="survey-texts">
            {texts.slice(0, most).map(({ value, count }) => (
              <li key={value}>
                <span data-record>{value}</span>
                {count > 1 && <span className="secondary small"> {questionCardWords.times(count)}</span>}
              </li>
            ))}
          </ul>
          {texts.length > most && (
            <button type="button" className="link" onClick={() => setMax(texts.length)}>
              {questionCardWords.show(texts.length)}
            </button>
          )}
        </>
      )}
      <fieldset className="switch card-sides" aria-label={questionCardWords.whatToShow(question.text)}>
        {(['answers', 'request'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === side} onClick={() => setSide(one)}>
            {one === 'answers' ? questionCardWords.answers : questionCardWords.apiRequest}
          </button>
        ))}
      </fieldset>
    </section>
  );
}
