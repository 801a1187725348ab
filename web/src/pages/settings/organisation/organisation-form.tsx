import { useRef, useState } from 'react';
import { refresh } from '../../../ask/refresh.ts';
import { sendJson } from '../../../ask/send.ts';
import { queryClient } from '../../../ask/use-answer.ts';
import { useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { ConfirmDialog } from '../../../view/confirm.tsx';
import { CheckField, SelectField, TextField } from '../../../view/form.tsx';
import {
  changesIn,
  draftOf,
  type OrganisationDraft,
  type OrganisationSettings,
  organisationPath,
  savedSentence,
  whatIsTaken,
} from './questions.ts';

interface FormProps {
  readonly settings: OrganisationSettings;
  readonly isReadOnly: boolean;
}

const zones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

/** All settings in one form. Before a change takes something away, the form asks once more. */
export function OrganisationForm({ settings, isReadOnly }: FormProps) {
  const { owners } = useSession();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const action = useAction();
  const dialog = useRef<HTMLDialogElement>(null);
  const changed = changesIn(settings, draft);
  const taken = whatIsTaken(settings, changed);
  const hasChanges = Object.keys(changed).length > 0;
  const field = <N extends keyof OrganisationDraft>(name: N) => ({
    value: draft[name],
    onChange: (value: OrganisationDraft[N]) => setDraft({ ...draft, [name]: value }),
    isDisabled: isReadOnly,
  });
  const save = () =>
    void action.run(async () => {
      const saved = await sendJson<OrganisationSettings>('PATCH', organisationPath, changed);
      setDraft(draftOf(saved));
      await refresh(organisationPath);
      await queryClient.invalidateQueries({ queryKey: ['session'] });
      return savedSentence(changed);
    });
  return (
    <form
      className="form form-parts"
      onSubmit={(event) => {
        event.preventDefault();
        if (taken.length > 0) dialog.current?.showModal();
        else save();
      }}
    >
      {isReadOnly && (
        <p className="secondary">
          Only Owners change this
          {owners.length > 0 &&
            `: ${owners.map(({ name, email }) => (email ? `${name} (${email})` : name)).join(', ')}`}
          .
        </p>
      )}
      <fieldset className="card form-part">
        <legend>Organisation</legend>
        <TextField label="Name" {...field('name')} />
        <TextField
          label="Time zone"
          hint="Where days and weeks begin, for everyone."
          choices={zones()}
          {...field('time_zone')}
        />
      </fieldset>
      <fieldset className="card form-part">
        <legend>Who sees what</legend>
        <CheckField
          label="Restrict Managers to their teams"
          hint="Managers see the work of the teams assigned to them and of those who report to them, instead of everyone’s."
          {...field('team_restrictions')}
        />
        <CheckField
          label="Show salaries"
          hint="Only to people with the permission can-view-salaries, and each reading is written into the audit log."
          {...field('salary_visibility')}
        />
        <SelectField
          label="Survey privacy"
          hint="Of surveys that begin from now on. By role, the API answers Owners and Managers in full. Anonymous shows groups only, to everyone."
          choices={[
            ['role', 'by role'],
            ['anonymous', 'anonymous'],
          ]}
          {...field('survey_privacy')}
        />
        <SelectField
          label="Groups of a survey"
          hint="What those who answer an anonymous survey are divided by."
          choices={[
            ['team', 'by team'],
            ['department', 'by department'],
            ['location', 'by location'],
          ]}
          {...field('survey_report_by')}
        />
        <TextField
          label="Smallest group of a survey"
          type="number"
          least={1}
          most={1000}
          hint="Results of fewer people are hidden on pages, and when anonymous everywhere."
          {...field('survey_minimum_group')}
        />
      </fieldset>
      <fieldset className="card form-part">
        <legend>How it is counted</legend>
        <CheckField
          label="Include new people in metrics"
          hint="People who first appear in records count in metrics at once. Bots never do by themselves."
          {...field('onboard_automatically')}
        />
        <TextField
          label="Days in which an incident counts against a deployment"
          type="number"
          least={1}
          most={365}
          {...field('incident_window_days')}
        />
        <TextField
          label="Prices of runners"
          rows={4}
          hint="US dollars a minute, one runner per line, such as ubuntu = 0.008. When empty: ubuntu 0.008, windows 0.016, macos 0.08."
          {...field('runner_prices')}
        />
        <CheckField
          label="Keep our figures out of benchmarks"
          hint="Other organisations on this server are then compared without yours. You still see where you stand."
          {...field('benchmark_opt_out')}
        />
      </fieldset>
      {!isReadOnly && (
        <div className="row">
          <button type="submit" className="button primary" disabled={!hasChanges || action.isBusy}>
            Save
          </button>
          {hasChanges && (
            <button type="button" className="button quiet" onClick={() => setDraft(draftOf(settings))}>
              Discard changes
            </button>
          )}
        </div>
      )}
      <ActionOutcome action={action} />
      <ConfirmDialog dialog={dialog} title="Save these settings?" verb="Save" onConfirm={save}>
        <ul className="stack">
          {taken.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </form>
  );
}
