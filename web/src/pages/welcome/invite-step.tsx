import { useState } from 'react';
import { accessRoles, type FullPerson } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { roleMeaning } from '../../ask/role-words.ts';
import { postJson } from '../../ask/send.ts';
import { changeOwn } from '../../ask/use-view.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { capitalised } from '../../view/format.ts';
import { useGoneWithPage } from '../../view/gone-with-page.ts';
import { inviteStepWords } from './words.ts';

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
            return inviteStepWords.added(person.name);
          });
        }}
      >
        <TextField label={inviteStepWords.emailAddress} type="email" value={email} onChange={setEmail} isRequired />
        <TextField
          label={inviteStepWords.name}
          hint={inviteStepWords.takenFromAddress}
          value={name}
          onChange={setName}
        />
        <SelectField
          label={inviteStepWords.role}
          hint={`${capitalised(roleMeaning(role, organisation))}.`}
          value={role}
          onChange={(value) => setRole(accessRoles.find((one) => one === value) ?? 'Manager')}
          choices={accessRoles.map((one) => [one, one] as const)}
        />
        <div className="row">
          <button type="submit" className="button primary" disabled={email.trim() === '' || action.isBusy}>
            {inviteStepWords.sendInvite}
          </button>
        </div>
        <ActionOutcome action={action} />
      </form>
      {made && (
        <>
          <p>{inviteStepWords.giveThisLink(made.name, made.hours)}</p>
          <CodeBlock name={inviteStepWords.signInLink(made.name)} label={inviteStepWords.copyLink} text={made.url} />
        </>
      )}
    </div>
  );
}
