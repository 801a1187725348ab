import { type ReactNode, useState } from 'react';
import { refresh } from '../../../ask/refresh.ts';
import { makeDocument } from '../../../ask/stored-documents.ts';
import { useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { CheckField, SelectField } from '../../../view/form.tsx';
import '../../../view/goal-pill.css';
import { alertFormWords, hourChoices, nameForAlert } from './form-words.ts';
import { type AlertDocument, notificationsPath, type Rule } from './questions.ts';
import { RuleFields } from './rule-fields.tsx';

/** An alert for the reader alone: a rule as a sentence of menus, and when it is quiet. */
export function NewAlertForm({ known }: { readonly known: readonly string[] }) {
  const { person } = useSession();
  const action = useAction();
  const [rule, setRule] = useState<Rule>({ waiting: { for: 'review', hours: 48 } });
  const [isQuiet, setQuiet] = useState(true);
  const [from, setFrom] = useState('18:00');
  const [until, setUntil] = useState('08:00');
  const [weekends, setWeekends] = useState(true);
  const quiet = { ...(isQuiet ? { from, until } : {}), ...(weekends ? { weekends } : {}) };
  const problem = problemOf(rule, isQuiet && from === until);
  const make = () =>
    void action.run(async () => {
      const to = [{ email: person.email }];
      const alert: AlertDocument = { rule, to, ...(isQuiet || weekends ? { quiet } : {}) };
      await makeDocument('alerts', nameForAlert(rule), alert, known);
      await refresh(notificationsPath);
      return alertFormWords.made;
    });
  return (
    <section className="card" aria-labelledby="new-alert">
      <header>
        <div>
          <h2 id="new-alert">{alertFormWords.newAlert}</h2>
          <p className="subtitle">{alertFormWords.newAlertMeaning}</p>
        </div>
      </header>
      <form
        className="form goal-form"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <RuleFields rule={rule} onChange={setRule} />
        <Wide>
          <CheckField
            label={alertFormWords.quiet}
            value={isQuiet}
            onChange={setQuiet}
            hint={alertFormWords.quietHint}
          />
          <CheckField label={alertFormWords.weekends} value={weekends} onChange={setWeekends} />
        </Wide>
        {isQuiet && (
          <>
            <SelectField label={alertFormWords.from} value={from} choices={hourChoices} onChange={setFrom} />
            <SelectField label={alertFormWords.until} value={until} choices={hourChoices} onChange={setUntil} />
          </>
        )}
        <Wide>
          <button type="submit" className="button primary" disabled={action.isBusy || problem !== undefined}>
            {alertFormWords.make}
          </button>
          {problem !== undefined && <p className="small secondary">{problem}</p>}
          <ActionOutcome action={action} />
        </Wide>
      </form>
    </section>
  );
}

const Wide = ({ children }: { readonly children: ReactNode }) => <div className="goal-form-end">{children}</div>;

function problemOf(rule: Rule, isSameTime: boolean): string | undefined {
  if (isSameTime) return alertFormWords.twoTimes;
  if ('goal_missed' in rule && rule.goal_missed.goal === '') return alertFormWords.noGoal;
  return undefined;
}
