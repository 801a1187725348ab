import { useState } from 'react';
import { aggregations, metrics } from '../ask/catalogue.ts';
import { useTeams } from '../ask/choices.ts';
import type { GoalDocument } from '../ask/goal-standing.ts';
import { aboutMetric, defaultAggregation, isMetric, type MetricName, measureOf, wordFor } from '../ask/metric-facts.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { SelectField, TextField } from './form.tsx';
import { aggregationIn, measureOfGoal } from './goal-values.ts';
import { goalWords } from './goal-words.ts';
import './goal-pill.css';
import { SeenByField } from './seen-by.tsx';

/** Metrics that goals and alerts are about: none of salaries, surveys and people, and none that is a text. */
const isOverTime = (metric: MetricName): boolean => {
  const { gate, kind, dateField } = aboutMetric(metric);
  return gate === null && kind !== 'text' && dateField !== null;
};

export const metricChoices = (Object.keys(metrics) as MetricName[])
  .filter(isOverTime)
  .map((metric) => [metric, aboutMetric(metric).label] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b));

const first: GoalDocument = {
  title: '',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  should_be: 'below',
  value: 86_400,
  period: 'week',
  until: null,
  visible_to: 'me',
};

/** What a number in the form is multiplied by. */
const factors = { hours: 3_600, days: 86_400, percent: 0.01, plain: 1 } as const;
type Unit = keyof typeof factors;

function unitsFor(goal: GoalDocument): readonly Unit[] {
  const measure = measureOfGoal(goal);
  return measure === 'duration' ? ['hours', 'days'] : measure === 'percent' ? ['percent'] : ['plain'];
}

/** The unit in which the value is a short number: whole days as days. */
function unitOf(goal: GoalDocument): Unit {
  const units = unitsFor(goal);
  return units.find((unit) => unit === 'days' && goal.value % factors.days === 0) ?? units[0] ?? 'plain';
}

const inUnit = (value: number, unit: Unit): string => String(Number((value / factors[unit]).toFixed(6)));

interface GoalFormProps {
  readonly goal?: GoalDocument;
  readonly verb: string;
  /** Stores it, and says so. */
  readonly onSave: (goal: GoalDocument) => Promise<string>;
}

/** The fields of a goal, new or there already. */
export function GoalForm({ goal: before = first, verb, onSave }: GoalFormProps) {
  const [goal, setGoal] = useState(before);
  const [unit, setUnit] = useState<Unit>(unitOf(before));
  const [value, setValue] = useState(inUnit(before.value, unit));
  const action = useAction();
  const teams = useTeams();
  const set = (change: Partial<GoalDocument>) => setGoal({ ...goal, ...change });
  const units = unitsFor(goal);
  const written = Number(value);
  const isWhole = goal.title.trim() !== '' && value.trim() !== '' && Number.isFinite(written);
  const { team, ...otherFilters } = goal.filters ?? {};
  const [chosenTeam = '', ...moreTeams] = [team ?? []].flat().map(String);
  const knownTeam = teams.find(({ id, name }) => id === chosenTeam || name === chosenTeam)?.id ?? chosenTeam;
  return (
    <form
      className="form goal-form"
      onSubmit={(event) => {
        event.preventDefault();
        const number = Number((written * factors[unit]).toFixed(9));
        void action.run(() => onSave({ ...goal, title: goal.title.trim(), value: number }));
      }}
    >
      <TextField
        label={goalWords.titleField}
        value={goal.title}
        onChange={(title) => set({ title })}
        hint={goalWords.titleHint}
        maxLength={200}
        isRequired
      />
      <SelectField
        label={goalWords.metric}
        value={goal.metric}
        choices={metricChoices}
        onChange={(metric) => {
          if (!isMetric(metric)) return;
          const next = { ...goal, metric, aggregation: defaultAggregation(metric) ?? null };
          setGoal(next);
          setUnit(unitsFor(next).includes(unit) ? unit : unitOf(next));
        }}
      />
      {isMetric(goal.metric) && aboutMetric(goal.metric).needsAggregation && (
        <SelectField
          label={goalWords.statistic}
          value={goal.aggregation ?? ''}
          choices={aggregations.map((one) => [one, wordFor(one, measureOf(goal.metric as MetricName))] as const)}
          onChange={(text) => set({ aggregation: aggregationIn(text) ?? null })}
        />
      )}
      <SelectField
        label={goalWords.direction}
        value={goal.should_be}
        choices={[
          ['below', goalWords.directions.below],
          ['above', goalWords.directions.above],
        ]}
        onChange={(text) => set({ should_be: text === 'above' ? 'above' : 'below' })}
      />
      <TextField label={goalWords.target_value} value={value} onChange={setValue} isRequired />
      <SelectField
        label={goalWords.unit}
        value={units.includes(unit) ? unit : (units[0] ?? 'plain')}
        choices={units.map((one) => [one, goalWords.units[one]] as const)}
        onChange={(text) => {
          const chosen = units.find((one) => one === text);
          if (chosen) setUnit(chosen);
        }}
      />
      <SelectField
        label={goalWords.period}
        value={goal.period}
        choices={[
          ['week', goalWords.periods.week],
          ['month', goalWords.periods.month],
          ['quarter', goalWords.periods.quarter],
        ]}
        onChange={(text) => set({ period: text === 'month' ? 'month' : text === 'quarter' ? 'quarter' : 'week' })}
      />
      <SelectField
        label={goalWords.team}
        value={moreTeams.length > 0 ? moreTeams.join() : knownTeam}
        choices={[
          ['', goalWords.allTeams],
          ...teams.map(({ id, name }) => [id, name] as const),
          ...(moreTeams.length > 0 ? [[moreTeams.join(), [chosenTeam, ...moreTeams].join(', ')] as const] : []),
        ]}
        onChange={(id) => set({ filters: id === '' ? otherFilters : { ...otherFilters, team: [id] } })}
      />
      <TextField
        label={goalWords.until}
        type="date"
        value={goal.until ?? ''}
        hint={goalWords.untilHint}
        onChange={(day) => set({ until: day === '' ? null : day })}
      />
      <SeenByField value={goal.visible_to} onChange={(visible_to) => set({ visible_to })} />
      <div className="goal-form-end">
        <button type="submit" className="button primary" disabled={!isWhole || action.isBusy}>
          {verb}
        </button>
        <ActionOutcome action={action} />
      </div>
    </form>
  );
}
