import { numberIn } from '../../ask/figure.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Answered, HiddenForPrivacy, State } from '../../view/states.tsx';
import { questionsOf } from './answers.ts';
import { QuestionCard } from './question-card.tsx';
import { answersQuestion, respondentsByQuestion, respondentsQuestion, type Survey } from './questions.ts';
import { TeamScores } from './team-scores.tsx';
import { questionsOfSurveyWords } from './words.ts';

interface SurveyAnswersProps {
  readonly view: View;
  readonly survey: Survey;
  readonly least: number;
}

/**
 * The questions of a survey with their answers. The page asks for answers only once it knows that enough people have
 * answered.
 */
export function SurveyAnswers({ view, survey, least }: SurveyAnswersProps) {
  const [count, each] = useAnswers([respondentsQuestion(view, survey.id), respondentsByQuestion(view, survey.id)]);
  const people = count?.data?.rows[0] && numberIn(count.data.rows[0], 'survey_respondents_count');
  const isEnough = typeof people === 'number' && people >= least;
  const [answers] = useAnswers([isEnough ? answersQuestion(view, survey.id) : undefined]);
  if (!count || !each || !answers) return null;
  return (
    <Answered answer={count} what={questionsOfSurveyWords.numberAnswers}>
      {({ suppressed: notCounted }) =>
        people === 0 && notCounted > 0 ? (
          <HiddenForPrivacy answers={notCounted} />
        ) : people === 0 ? (
          <State kind="empty" title={questionsOfSurveyWords.noAnswersYet}>
            {questionsOfSurveyWords.wasSent(survey.name)}
          </State>
        ) : !isEnough ? (
          <HiddenForPrivacy />
        ) : (
          <Answered answer={answers} what={questionsOfSurveyWords.answers}>
            {({ rows, suppressed }) => {
              const questions = questionsOf(rows);
              const answered = new Map(
                (each.data?.rows ?? []).map((row) => [
                  String(row.survey_template_question_id),
                  numberIn(row, 'survey_respondents_count') ?? 0,
                ]),
              );
              return (
                <div className="stack">
                  {suppressed > 0 && <HiddenForPrivacy answers={suppressed} />}
                  <div className="columns even">
                    {questions.map((question) => (
                      <QuestionCard
                        key={question.id}
                        view={view}
                        survey={survey.id}
                        question={question}
                        people={answered.get(question.id) ?? 0}
                        least={least}
                      />
                    ))}
                  </div>
                  <TeamScores view={view} survey={survey.id} questions={questions} least={least} />
                </div>
              );
            }}
          </Answered>
        )
      }
    </Answered>
  );
}
