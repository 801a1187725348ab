import { useState } from 'react';
import { accessRoles, type FullPerson, roleMeaning } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { changeOwn } from '../../ask/use-view.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { capitalised } from '../../view/format.ts';
import { useGoneWithPage } from '../../view/gone-with-page.ts';

interface Invitation {
  readonly name: string;
  readonly url: string;
  readonly hours: number;
}

/** Adds a person with a role, and makes a link that signs them in once. Only this part holds the link. */
export function InviteStep() {
  const { organisation } = useSession();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof accessRoles)[number]>('Manager');
  const [made, setMade] = useState<Invitation>();
  const action = useAction();
  useGoneWithPage(() => setMade(undefined));
  return (
    <div className="stack">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          setMade(undefined);
          // The step stays open once it counts as done: the link is shown there.
          changeOwn({ step: 'invite' }, { replace: true });
          void action.run(async () => {
            const fields = {
              main_email: email.trim(),
              access_role: role,
              ...(name.trim() ? { name: name.trim() } : {}),
            };
            const person = await postJson<FullPerson>('/app/people', fields);
            const path = `/app/people/${encodeURIComponent(person.id)}/sign-in-link`;
            const link = await postJson<{ readonly sign_in_url: string; readonly hours: number }>(path, {});
            setMade({ name: person.name, url: link.sign_in_url, hours: link.hours });
            setEmail('');
            setName('');
            await refresh('/app/people');
            return `${person.name} is added.`;
          });
        }}
      >
        <TextField label="Email address" type="email" value={email} onChange={setEmail} isRequired />
        <TextField label="Name" hint="Taken from the address when empty." value={name} onChange={setName} />
        <SelectField
          label="Role"
          hint={`${capitalised(roleMeaning(role, organisation))}.`}
          value={role}
          onChange={(value) => setRole(accessRoles.find((one) => one === value) ?? 'Manager')}
          choices={accessRoles.map((one) => [one, one] as const)}
        />
        <div className="row">
          <button type="submit" className="button primary" disabled={email.trim() === '' || action.isBusy}>
            Send an invite
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
      {made && (
        <>
          <p>
            Give this link to {made.name} and no one else. It is shown only now, and works once within {made.hours}{' '}
            hours.
          </p>
          <CodeBlock name={`Sign-in link of ${made.name}`} label="Copy the link" text={made.url} />
        </>
      )}
    </div>
  );
}
