import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { sendJson } from '../../ask/send.ts';
import { queryClient } from '../../ask/use-answer.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { TextField } from '../../view/form.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { ownerStepWords } from './words.ts';

/** The reader, and the two settings that every page needs: a name and a time zone. */
export function OwnerStep() {
  const { person, organisation, owners } = useSession();
  const [name, setName] = useState(organisation.name);
  const [zone, setZone] = useState(organisation.time_zone);
  const action = useAction();
  const changed = {
    ...(name.trim() !== organisation.name ? { name: name.trim() } : {}),
    ...(zone.trim() !== organisation.time_zone ? { time_zone: zone.trim() } : {}),
  };
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <p>
        {ownerStepWords.you} <strong>{person.name}</strong> {ownerStepWords.ownerYouSeeEverything(person.email)}
        {owners.length < 2 && (
          <>
            {' '}
            {ownerStepWords.secondOwnerKeepsYou}{' '}
            <PageLink to="/settings/people">{ownerStepWords.giveSomeoneRole}</PageLink>.
          </>
        )}
      </p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(async () => {
            await sendJson('PATCH', '/app/organisation', changed);
            await refresh('/app/organisation');
            await queryClient.invalidateQueries({ queryKey: ['session'] });
            return 'Saved.';
          });
        }}
      >
        <TextField label={ownerStepWords.nameOrganisation} value={name} onChange={setName} />
        <TextField
          label={ownerStepWords.timeZone}
          hint={
            own === zone
              ? ownerStepWords.whereDaysAndWeeks
              : ownerStepWords.whereDaysAndWeeksBegin(own.replaceAll('_', ' '))
          }
          value={zone}
          onChange={setZone}
          choices={Intl.supportedValuesOf('timeZone')}
        />
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={Object.keys(changed).length === 0 || name.trim() === '' || action.isBusy}
          >
            {ownerStepWords.save}
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
    </>
  );
}
