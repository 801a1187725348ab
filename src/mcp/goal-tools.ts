import { isWithinDays } from '../annotations/annotation-kind.ts';
import { dayIn } from '../documents/document-fields.ts';
import { defaultGoalPeriods, maxGoalPeriods } from '../goals/goal-history.ts';
import { Refusal } from '../refusal.ts';
import { maxNameLength } from '../text-limits.ts';
import { refuseOthers } from './arguments.ts';
import type { Tool } from './tool.ts';

const historyProperties = {
  goal: {
    type: 'string',
    maxLength: maxNameLength,
    description: 'The name of the goal. Without one, every goal that the caller may see is listed with its state.',
  },
  periods: {
    type: 'integer',
    minimum: 1,
    maximum: maxGoalPeriods,
    description: `How many whole periods, ${defaultGoalPeriods} by default.`,
  },
};

export const getGoalHistory: Tool = {
  title: 'Read the history of a goal',
  description:
    'The whole periods of a goal, earliest first, each with its value, how many values that is made of (n) and its state, and the state of the goal itself. limited means that the caller does not see everyone whom the goal is about. Without a name it lists the goals.',
  properties: historyProperties,
  answer: async ({ goals }, caller, given) => {
    refuseOthers(given, Object.keys(historyProperties));
    const { goal, periods } = given;
    if (goal === undefined) return { rows: await goals.list(caller) };
    if (typeof goal !== 'string') throw new Refusal('bad-input', 'goal must be the name of a goal.');
    const { periods: rows, ...notes } = await goals.history(caller, goal, periodsIn(periods));
    return { rows, notes };
  },
};

function periodsIn(periods: unknown): number | undefined {
  if (periods === undefined || periods === null) return undefined;
  if (typeof periods === 'number' && Number.isInteger(periods) && periods >= 1 && periods <= maxGoalPeriods)
    return periods;
  throw new Refusal('bad-input', `periods must be a whole number from 1 to ${maxGoalPeriods}.`);
}

const dayArgument = (description: string) => ({ type: 'string', maxLength: maxNameLength, description });
const annotationProperties = {
  start_date: dayArgument('Only what reaches into the days from this one on, such as 2026-03-02.'),
  end_date: dayArgument('Only what reaches into the days up to this one.'),
};

export const listAnnotations: Tool = {
  title: 'List annotations',
  description:
    'What happened on which days: releases, incidents, reorganisations and rollouts that people have noted, as far as the caller may see them. That a number changed on such a day does not say why.',
  properties: annotationProperties,
  answer: async ({ documents }, caller, given) => {
    refuseOthers(given, Object.keys(annotationProperties));
    const days = { start: dayIn(given, 'start_date'), end: dayIn(given, 'end_date') };
    const seen = await documents.annotation.list(caller);
    return { rows: seen.filter(({ document }) => isWithinDays(document, days)).map(({ shown }) => shown) };
  },
};
