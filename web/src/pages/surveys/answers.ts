import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { capitalised } from '../../view/format.ts';
import { answersWords } from './words.ts';

/** One question of a survey with its answers, counted. */
export interface SurveyQuestion {
  readonly id: string;
  readonly section: string | null;
  readonly text: string;
  readonly type: string;
  readonly answers: readonly CountedAnswer[];
  /** How many answered. */
  readonly total: number;
}
export interface CountedAnswer {
  readonly value: string;
  readonly count: number;
}

/** The questions in the order in which the survey asks them. */
export function questionsOf(rows: readonly Row[]): SurveyQuestion[] {
  const questions = new Map<string, { first: Row; answers: Row[] }>();
  for (const row of rows) {
    const id = String(row.survey_template_question_id);
    const question = questions.get(id) ?? { first: row, answers: [] };
    question.answers.push(row);
    questions.set(id, question);
  }
  return [...questions]
    .toSorted(([, a], [, b]) => (numberIn(a.first, 'question_order') ?? 0) - (numberIn(b.first, 'question_order') ?? 0))
    .map(([id, { first, answers }]) => {
      const type = textOf(first.response_type) ?? 'text';
      return {
        id,
        section: textOf(first.section_title),
        text: textOf(first.question_text) ?? id,
        type,
        answers: countedAnswers(answers, type),
        total: answers.reduce((sum, row) => sum + (numberIn(row, 'survey_responses_count') ?? 0), 0),
      };
    });
}

/** Ratings from low to high, the rest by size. A choice of several counts under each that was chosen. */
export function countedAnswers(rows: readonly Row[], type: string): CountedAnswer[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const count = numberIn(row, 'survey_responses_count') ?? 0;
    for (const value of chosenIn(textOf(row.answer_value), type)) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  const answers = [...counts].map(([value, count]) => ({ value, count }));
  if (type !== 'rating') return answers.toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value));
  return wholeScale(answers).toSorted((a, b) => Number(a.value) - Number(b.value));
}

function chosenIn(answer: string | null, type: string): readonly string[] {
  if (answer === null) return [answersWords.noAnswer];
  if (type === 'yes_no') return [capitalised(answer)];
  if (type !== 'multi_choice') return [answer];
  try {
    const list: unknown = JSON.parse(answer);
    return Array.isArray(list) ? list.map(String) : [answer];
  } catch {
    return [answer];
  }
}

/** A rating that nobody chose still counts as a step: from 1 to 5, or as far as the answers go. */
function wholeScale(answers: readonly CountedAnswer[]): CountedAnswer[] {
  const values = answers.map(({ value }) => Number(value));
  if (!values.every((value) => Number.isInteger(value) && value >= 0 && value <= 10)) return [...answers];
  const [low, high] = [Math.min(1, ...values), Math.max(5, ...values)];
  return Array.from({ length: high - low + 1 }, (_, at) => String(low + at)).map(
    (value) => answers.find((answer) => Number(answer.value) === Number(value)) ?? { value, count: 0 },
  );
}

/** The average of a rating; null where an answer is no number. */
export function averageRating({ answers }: Pick<SurveyQuestion, 'answers'>): number | null {
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  const sum = answers.reduce((all, { value, count }) => all + (count === 0 ? 0 : Number(value) * count), 0);
  return total > 0 && Number.isFinite(sum) ? sum / total : null;
}

/** How many people of each team answered: a person in two teams counts in both. */
export function respondentsOfTeams(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const teams = Array.isArray(row.team_names) ? row.team_names.map(String) : [];
    const count = numberIn(row, 'survey_respondents_count') ?? 0;
    for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + count);
  }
  return counts;
}

interface ShownGroups {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** The sentence about groups that are hidden. */
export const hiddenWords = (many: string, hidden: readonly string[], minRespondents: number): string =>
  answersWords.notShownGroupsFewer(many, minRespondents, hidden.length);

/**
 * Groups below the least number of people are hidden; where that is a single one, the next smallest is hidden too, so
 * that no sum gives it away.
 */
export function groupsToShow(respondents: ReadonlyMap<string, number>, minRespondents: number): ShownGroups {
  const bySize = [...respondents].toSorted(([a, m], [b, n]) => m - n || a.localeCompare(b));
  const tooSmall = bySize.filter(([, count]) => count < minRespondents).length;
  const hiddenCount = tooSmall === 1 ? Math.min(2, bySize.length) : tooSmall;
  const names = (groups: typeof bySize) => groups.map(([name]) => name).toSorted((a, b) => a.localeCompare(b));
  return { hidden: names(bySize.slice(0, hiddenCount)), shown: names(bySize.slice(hiddenCount)) };
}
