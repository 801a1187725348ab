import { useEffect, useMemo, useState } from 'react';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import type { AnnotationDocument } from '../ask/annotations.ts';
import { useTeams } from '../ask/choices.ts';
import type { GoalDocument } from '../ask/goal-standing.ts';
import type { Question } from '../ask/question.ts';
import { useDocuments, usePlainGoals } from '../ask/stored-documents.ts';
import { useView } from '../ask/use-view.ts';
import { useSession } from '../page-session.ts';

/** The chart with the lines of goals and the flags of events that belong on it, where it is drawn over time. */
export function useChartMarks<C extends ChartDescription>(chart: C | undefined, question: Question): C | undefined {
  const isWanted = chart !== undefined && isOverTime(chart) && question.body.date_level !== undefined;
  const { data: seen = none } = usePlainGoals<GoalDocument>(isWanted);
  const { person, visibility_notice } = useSession();
  // Owners may see what people want for themselves: it stays off their charts.
  const goals = seen.filter(
    ({ visible_to: readers = 'me', owner }) => readers !== 'me' || owner?.merged_user_id === person.id,
  );
  const goalsText = JSON.stringify(goals);
  const { data: annotations = none } = useDocuments<AnnotationDocument>('annotations', isWanted);
  const hasMarks = isWanted && goals.length + annotations.length > 0;
  const module = useMarking(hasMarks);
  const teams = useTeams(hasMarks);
  const view = useView();
  const seesEverybody = visibility_notice.visibility === 'organisation';
  const [questionText, teamsText] = [JSON.stringify(question), JSON.stringify(teams)];
  return useMemo(() => {
    if (!chart || !module) return chart;
    const marks = { goals: JSON.parse(goalsText), annotations, teams: JSON.parse(teamsText), seesEverybody };
    return module.markedChart(chart, JSON.parse(questionText) as Question, view, marks);
  }, [chart, module, goalsText, annotations, teamsText, questionText, view, seesEverybody]);
}

const none: readonly never[] = [];

type Marking = typeof import('./goals-and-events.ts');

/** What decides which marks belong on a chart: loaded where there are any. */
function useMarking(isWanted: boolean): Marking | undefined {
  const [marking, setMarking] = useState<Marking>();
  useEffect(() => {
    if (isWanted) void import('./goals-and-events.ts').then(setMarking);
  }, [isWanted]);
  return isWanted ? marking : undefined;
}

const isOverTime = (chart: ChartDescription): boolean =>
  ['line', 'bar', 'stacked-bar', 'band'].includes(chart.kind) &&
  !('isHorizontal' in chart && chart.isHorizontal) &&
  !('goals' in chart && chart.goals);
