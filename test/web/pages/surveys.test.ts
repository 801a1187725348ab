import { describe, expect, test } from 'vitest';
import { noFilters } from '../../../web/src/ask/view-state.ts';
import {
  averageRating,
  countedAnswers,
  groupsToShow,
  questionsOf,
  respondentsOfTeams,
} from '../../../web/src/pages/surveys/answers.ts';
import {
  answersQuestion,
  participationOf,
  surveysOf,
  surveysQuestion,
  teamQuestion,
} from '../../../web/src/pages/surveys/questions.ts';
import { participationSentence } from '../../../web/src/pages/surveys/sentence-words.ts';
import { aView } from './a-view.ts';

const answer = (answer_value: string | null, survey_responses_count = 1, more: object = {}) => ({
  answer_value,
  survey_responses_count,
  ...more,
});

describe('groups', () => {
  test('Groups below the least are hidden', () => {
    const { shown, hidden } = groupsToShow(
      new Map([
        ['a', 4],
        ['b', 2],
        ['c', 5],
        ['d', 9],
      ]),
      5,
    );
    expect([shown, hidden]).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ]);
  });

  test('Groups that are hidden alone take the next smallest with them, so that no sum gives them away', () => {
    expect(
      groupsToShow(
        new Map([
          ['a', 4],
          ['b', 7],
          ['c', 6],
        ]),
        5,
      ),
    ).toEqual({ shown: ['b'], hidden: ['a', 'c'] });
  });

  test('Groups that are all large enough are all shown', () => {
    expect(groupsToShow(new Map([['a', 5]]), 5)).toEqual({ shown: ['a'], hidden: [] });
  });

  test('Groups count somebody of two teams in both', () => {
    const teams = respondentsOfTeams([
      { team_names: ['a', 'b'], survey_respondents_count: 2 },
      { team_names: ['a'], survey_respondents_count: 1 },
      { team_names: null, survey_respondents_count: 8 },
    ]);
    expect([...teams]).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });
});

describe('answers', () => {
  test('Answers to a rating have every step of the scale, from low to high', () => {
    const counted = countedAnswers([answer('5', 3), answer('2')], 'rating');
    expect(counted.map(({ value, count }) => `${value}:${count}`)).toEqual(['1:0', '2:1', '3:0', '4:0', '5:3']);
    expect(averageRating({ answers: counted })).toBe(4.25);
  });

  test('Answers of several choices count under each', () => {
    const counted = countedAnswers([answer('["a","b"]', 2), answer('["b"]'), answer('not a list')], 'multi_choice');
    expect(counted).toEqual([
      { value: 'b', count: 3 },
      { value: 'a', count: 2 },
      { value: 'not a list', count: 1 },
    ]);
  });

  test('Answers that are no numbers have no average', () => {
    expect(averageRating({ answers: [{ value: 'good', count: 1 }] })).toBeNull();
    expect(averageRating({ answers: [] })).toBeNull();
  });

  test('Answers stand under their question, in the order in which it was asked', () => {
    const of = (survey_template_question_id: string, question_order: number) => ({
      survey_template_question_id,
      question_order,
      question_text: survey_template_question_id,
      response_type: 'yes_no',
    });
    const questions = questionsOf([
      answer('yes', 2, of('second', 2)),
      answer('no', 1, of('first', 1)),
      answer('no', 1, of('second', 2)),
    ]);
    expect(questions.map(({ id, total }) => [id, total])).toEqual([
      ['first', 1],
      ['second', 3],
    ]);
    expect(questions[1]?.answers).toEqual([
      { value: 'Yes', count: 2 },
      { value: 'No', count: 1 },
    ]);
  });
});

describe('what is asked', () => {
  const view = aView({ filters: { ...noFilters, team: ['t'], repository: ['acme/web'], person: ['p'] } });

  test('What is asked never narrows answers to one person', () => {
    expect(answersQuestion(view, 's').body.filters).toEqual({
      start_date: '2026-08-18',
      end_date: '2026-11-16',
      team: ['t'],
      survey_ids: ['s'],
    });
  });

  test('What is asked of surveys names only those that are shown, where some are hidden', () => {
    expect(surveysQuestion(view).body.filters).not.toHaveProperty('survey_ids');
    expect(surveysQuestion(view, ['s', 'u']).body.filters).toMatchObject({ survey_ids: ['s', 'u'], team: ['t'] });
  });

  test('What is asked of a team is asked for that team alone', () => {
    expect(teamQuestion(aView(), 's', 'Checkout').body.filters).toMatchObject({
      team: ['Checkout'],
      survey_ids: ['s'],
    });
  });
});

test('Participation of nobody is nothing, not zero', () => {
  expect(participationOf(undefined).share).toBeNull();
  expect(participationOf({ survey_recipients_count: 4, survey_completed_recipients_count: 3 }).share).toBe(0.75);
});

test('Surveys are listed newest first', () => {
  const row = (survey_id: string) => ({ survey_id, survey_name: survey_id, survey_recipients_count: 1 });
  const sent = (survey_id: string, month_date: string) => ({ survey_id, month_date });
  const surveys = surveysOf(
    [row('a'), row('b')],
    [sent('a', '2026-07-01'), sent('b', '2026-10-01'), sent('a', '2026-11-01')],
  );
  expect(surveys.map(({ id }) => id)).toEqual(['b', 'a']);
});

test('The sentence counts who answered, and says none instead of 0 people', () => {
  const survey = { id: 's', name: 'Pulse', status: 'closed', recipients: 8, completed: 6, sent: '2026-10' };
  expect(participationSentence(8, 6, [survey])).toBe('6 people of 8 recipients answered (75%), in 1 survey.');
  expect(participationSentence(8, 0, [{ ...survey, status: 'active' }])).toBe(
    'None of 8 recipients answered so far, in 1 survey.',
  );
});
