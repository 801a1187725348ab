import { isAnyOld, useAnswers } from '../../ask/use-answer.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { useSession } from '../../page-session.ts';
import { IgnoredFilters } from '../../view/ignored-filters.tsx';
import { Page } from '../../view/page.tsx';
import { Answered, HiddenForPrivacy, NotAllowed, NothingInWindow } from '../../view/states.tsx';
import { Participation } from './participation.tsx';
import { participationOf, participationQuestion, sentQuestion, surveysOf, surveysQuestion } from './questions.ts';
import { SurveyAnswers } from './questions-of-survey.tsx';
import { participationSentence } from './sentence-words.ts';
import './surveys.css';
import { surveysWords } from './words.ts';

/** What people say, in numbers that do not tell who said it. */
export default function Surveys() {
  const view = useView();
  const { organisation } = useSession();
  const least = organisation.survey_minimum_group;
  const question = surveysQuestion(view);
  const [all, sent, now] = useAnswers([question, sentQuestion(view), participationQuestion(view, view.window)]);
  const surveys = surveysOf(all?.data?.rows ?? [], sent?.data?.rows ?? []);
  const chosen = surveys.find(({ id }) => id === view.state.own.survey) ?? surveys[0];
  const { recipients, completed, share } = participationOf(now?.data?.rows[0]);
  if (!all) return null;
  const isRefused = all.error?.isNotAllowed ?? false;
  const sentence = isRefused
    ? undefined
    : all.data === undefined
      ? '\u00a0'
      : share === null
        ? surveysWords.noSurveyWasSent
        : recipients < least
          ? surveysWords.tooFewPeople
          : participationSentence(recipients, completed, surveys);
  return (
    <Page
      title={surveysWords.surveys}
      sentence={sentence}
      isSentenceOld={isAnyOld([all, sent, now])}
      hasControls={!isRefused}
      note={privacyNote(organisation.survey_privacy, least)}
    >
      {isRefused ? (
        <NotAllowed what={surveysWords.surveyResultsForOwners} needs={surveysWords.soThatAnswersStay} />
      ) : (
        <>
          <IgnoredFilters view={view} of={[['survey-responses-count', 'surveys']]} />
          <Answered answer={all} what={surveysWords.listSurveys}>
            {({ suppressed }) =>
              surveys.length === 0 ? (
                <NothingInWindow what={surveysWords.surveysWhat} window={view.window} question={question} />
              ) : recipients < least ? (
                <HiddenForPrivacy />
              ) : (
                <div className="stack">
                  <Participation view={view} surveys={surveys} chosen={chosen} least={least} />
                  {suppressed > 0 && <HiddenForPrivacy answers={suppressed} />}
                  <label className="field survey-choice">
                    <span>{surveysWords.answers}</span>
                    <select
                      className="input"
                      value={chosen?.id}
                      onChange={(event) => changeOwn({ survey: event.target.value })}
                    >
                      {surveys.map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </select>
                  </label>
                  {chosen && <SurveyAnswers key={chosen.id} view={view} survey={chosen} least={least} />}
                </div>
              )
            }
          </Answered>
        </>
      )}
    </Page>
  );
}

function privacyNote(mode: string, least: number): string {
  const hidden = surveysWords.groupsFewerThanPeople(least);
  return mode === 'anonymous' ? surveysWords.surveyPrivacySet(hidden) : surveysWords.surveyPrivacySetToRole(hidden);
}
