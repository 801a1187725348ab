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
} from './questions.ts';
import { organisationFormWords, savedSentence, whatIsTaken } from './words.ts';

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
          {organisationFormWords.onlyOwnersChange}
          {owners.length > 0 &&
            `: ${owners.map(({ name, email }) => (email ? `${name} (${email})` : name)).join(', ')}`}
          .
        </p>
      )}
      <fieldset className="card form-part">
        <legend>{organisationFormWords.organisation}</legend>
        <TextField label={organisationFormWords.name} {...field('name')} />
        <TextField
          label={organisationFormWords.timeZone}
          hint={organisationFormWords.whereDaysAndWeeks}
          choices={zones()}
          {...field('time_zone')}
        />
      </fieldset>
      <fieldset className="card form-part">
        <legend>{organisationFormWords.whoSeesWhat}</legend>
        <CheckField
          label={organisationFormWords.restrictManagers}
          hint={organisationFormWords.managersSeeWorkTeams}
          {...field('team_restrictions')}
        />
        <CheckField
          label={organisationFormWords.showSalaries}
          hint={organisationFormWords.onlyToPeople}
          {...field('salary_visibility')}
        />
        <SelectField
          label={organisationFormWords.surveyPrivacy}
          hint={organisationFormWords.surveysThatBegin}
          choices={[
            ['role', organisationFormWords.byRole],
            ['anonymous', 'anonymous'],
          ]}
          {...field('survey_privacy')}
        />
        <SelectField
          label={organisationFormWords.groupsSurvey}
          hint={organisationFormWords.whatThoseWhoAnswer}
          choices={[
            ['team', organisationFormWords.byTeam],
            ['department', organisationFormWords.byDepartment],
            ['location', organisationFormWords.byLocation],
          ]}
          {...field('survey_report_by')}
        />
        <TextField
          label={organisationFormWords.smallestGroupSurvey}
          type="number"
          least={1}
          most={1000}
          hint={organisationFormWords.resultsFewerPeopleHidden}
          {...field('survey_minimum_group')}
        />
      </fieldset>
      <fieldset className="card form-part">
        <legend>{organisationFormWords.howItCounted}</legend>
        <CheckField
          label={organisationFormWords.includeNewPeople}
          hint={organisationFormWords.peopleWhoFirstAppear}
          {...field('onboard_automatically')}
        />
        <TextField
          label={organisationFormWords.daysInWhichIncident}
          type="number"
          least={1}
          most={365}
          {...field('incident_window_days')}
        />
        <TextField
          label={organisationFormWords.pricesRunners}
          rows={4}
          hint={organisationFormWords.usDollarsMinute}
          {...field('runner_prices')}
        />
        <CheckField
          label={organisationFormWords.keepOurFigures}
          hint={organisationFormWords.otherOrganisations}
          {...field('benchmark_opt_out')}
        />
      </fieldset>
      {!isReadOnly && (
        <div className="row">
          <button type="submit" className="button primary" disabled={!hasChanges || action.isBusy}>
            {organisationFormWords.save}
          </button>
          {hasChanges && (
            <button type="button" className="button quiet" onClick={() => setDraft(draftOf(settings))}>
              {organisationFormWords.discardChanges}
            </button>
          )}
        </div>
      )}
      <ActionOutcome action={action} />
      <ConfirmDialog
        dialog={dialog}
        title={organisationFormWords.saveTheseSettings}
        verb={organisationFormWords.save}
        onConfirm={save}
      >
        <ul className="stack">
          {taken.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </form>
  );
}
