import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { sendJson } from '../../ask/send.ts';
import { queryClient } from '../../ask/use-answer.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { TextField } from '../../view/form.tsx';
import { PageLink } from '../../view/page-link.tsx';

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
        You are <strong>{person.name}</strong> ({person.email}), Owner: you see everything and may change everything
        here.
        {owners.length < 2 && (
          <>
            {' '}
            A second Owner keeps you from being locked out:{' '}
            <PageLink to="/settings/people">give someone the role</PageLink>.
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
        <TextField label="Name of the organisation" value={name} onChange={setName} />
        <TextField
          label="Time zone"
          hint={
            own === zone
              ? 'Where days and weeks begin. Your browser is in this one.'
              : `Where days and weeks begin. Your browser is in ${own.replaceAll('_', ' ')}.`
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
            Save
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
    </>
  );
}
