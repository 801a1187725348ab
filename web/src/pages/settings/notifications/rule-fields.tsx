import { aggregations } from '../../../ask/catalogue.ts';
import { useTeams } from '../../../ask/choices.ts';
import type { GoalDocument } from '../../../ask/goal-standing.ts';
import { aboutMetric, defaultAggregation, isMetric, measureOf, wordFor } from '../../../ask/metric-facts.ts';
import { usePlainGoals } from '../../../ask/stored-documents.ts';
import { SelectField } from '../../../view/form.tsx';
import { metricChoices } from '../../../view/goal-form.tsx';
import {
  alertFormWords,
  hoursChoices,
  periodChoices,
  periodsChoices,
  ruleChoices,
  waitingChoices,
} from './form-words.ts';
import type { Rule } from './questions.ts';

interface FieldsProps<R> {
  readonly rule: R;
  readonly onChange: (rule: Rule) => void;
}

type RuleOf<K extends string> = Rule extends infer R ? (R extends { readonly [key in K]: infer V } ? V : never) : never;

/** The menus that make a rule: first which it is, then what it is about. */
export function RuleFields({ rule, onChange }: FieldsProps<Rule>) {
  const kind = Object.keys(rule)[0] ?? '';
  return (
    <>
      <SelectField
        label={alertFormWords.when}
        value={kind}
        choices={ruleChoices}
        onChange={(chosen) => onChange(firstRules[chosen] ?? rule)}
      />
      {'waiting' in rule && <WaitingFields rule={rule.waiting} onChange={onChange} />}
      {'unusual' in rule && <UnusualFields rule={rule.unusual} onChange={onChange} />}
      {'goal_missed' in rule && <GoalFields rule={rule.goal_missed} onChange={onChange} />}
      {'source_behind' in rule && (
        <SelectField
          label={alertFormWords.hours}
          value={String(rule.source_behind.hours)}
          choices={hoursChoices}
          onChange={(hours) => onChange({ source_behind: { hours: Number(hours) } })}
        />
      )}
    </>
  );
}

const firstRules: Readonly<Record<string, Rule>> = {
  waiting: { waiting: { for: 'review', hours: 48 } },
  unusual: { unusual: { metric: 'pickup-time', aggregation: 'MEDIAN', period: 'week' } },
  goal_missed: { goal_missed: { goal: '', periods: 2 } },
  source_behind: { source_behind: { hours: 6 } },
};

function WaitingFields({ rule, onChange }: FieldsProps<RuleOf<'waiting'>>) {
  return (
    <>
      <SelectField
        label={alertFormWords.waitingFor}
        value={rule.for}
        choices={waitingChoices}
        onChange={(chosen) => onChange({ waiting: { ...rule, for: chosen as typeof rule.for } })}
      />
      <SelectField
        label={alertFormWords.hours}
        value={String(rule.hours)}
        choices={hoursChoices}
        onChange={(hours) => onChange({ waiting: { ...rule, hours: Number(hours) } })}
      />
      <TeamField filters={rule.filters} onChange={(filters) => onChange({ waiting: { ...rule, filters } })} />
    </>
  );
}

function UnusualFields({ rule, onChange }: FieldsProps<RuleOf<'unusual'>>) {
  const { metric, aggregation } = rule;
  return (
    <>
      <SelectField
        label={alertFormWords.metric}
        value={metric}
        choices={metricChoices}
        onChange={(chosen) => {
          if (!isMetric(chosen)) return;
          onChange({ unusual: { ...rule, metric: chosen, aggregation: defaultAggregation(chosen) ?? null } });
        }}
      />
      {isMetric(metric) && aboutMetric(metric).needsAggregation && (
        <SelectField
          label={alertFormWords.statistic}
          value={aggregation ?? ''}
          choices={aggregations.map((one) => [one, wordFor(one, measureOf(metric))] as const)}
          onChange={(chosen) => onChange({ unusual: { ...rule, aggregation: chosen } })}
        />
      )}
      <SelectField
        label={alertFormWords.period}
        value={rule.period}
        choices={periodChoices}
        onChange={(chosen) => onChange({ unusual: { ...rule, period: chosen as typeof rule.period } })}
      />
      <TeamField filters={rule.filters} onChange={(filters) => onChange({ unusual: { ...rule, filters } })} />
    </>
  );
}

function GoalFields({ rule, onChange }: FieldsProps<RuleOf<'goal_missed'>>) {
  const goals = usePlainGoals<GoalDocument>(true).data ?? [];
  return (
    <>
      <SelectField
        label={alertFormWords.goal}
        value={rule.goal}
        choices={[['', alertFormWords.chooseGoal], ...goals.map(({ goal = '', title }) => [goal, title] as const)]}
        onChange={(goal) => onChange({ goal_missed: { ...rule, goal } })}
      />
      <SelectField
        label={alertFormWords.periods}
        value={String(rule.periods)}
        choices={periodsChoices}
        onChange={(periods) => onChange({ goal_missed: { ...rule, periods: Number(periods) } })}
      />
    </>
  );
}

interface TeamFieldProps {
  readonly filters: Readonly<Record<string, unknown>> | undefined;
  readonly onChange: (filters: Readonly<Record<string, unknown>>) => void;
}

function TeamField({ filters, onChange }: TeamFieldProps) {
  const teams = useTeams();
  const [team = ''] = [filters?.team ?? []].flat().map(String);
  return (
    <SelectField
      label={alertFormWords.team}
      value={team}
      choices={[['', alertFormWords.allTeams], ...teams.map(({ id, name }) => [id, name] as const)]}
      onChange={(id) => onChange(id === '' ? {} : { team: [id] })}
    />
  );
}
