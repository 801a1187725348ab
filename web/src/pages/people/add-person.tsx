import { useState } from 'react';
import type { FullPerson } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CheckField, TextField } from '../../view/form.tsx';
import { PersonLink } from '../../view/person-link.tsx';

/** A person whom no records name yet: who signs in before they work, for example. */
export function AddPerson() {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [isOnboarded, setOnboarded] = useState(true);
  const [added, setAdded] = useState<FullPerson>();
  const action = useAction();
  return (
    <section className="card" aria-labelledby="add-person">
      <header>
        <div>
          <h2 id="add-person">Add a person</h2>
          <p className="subtitle">
            People who appear in records are added on their own. Everything else is set on their page.
          </p>
        </div>
      </header>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(async () => {
            const fields = {
              main_email: email.trim(),
              onboarded: isOnboarded,
              ...(name.trim() ? { name: name.trim() } : {}),
            };
            const made = await postJson<FullPerson>('/app/people', fields);
            setAdded(made);
            setEmail('');
            setName('');
            await refresh('/app/people', '/app/groups');
            return `${made.name} is added${made.onboarded ? ' and counts in metrics' : ''}.`;
          });
        }}
      >
        <TextField label="Address" type="email" value={email} onChange={setEmail} isRequired />
        <TextField label="Name" hint="Taken from the address when empty." value={name} onChange={setName} />
        <CheckField label="In metrics" value={isOnboarded} onChange={setOnboarded} />
        <div className="row">
          <button type="submit" className="button primary" disabled={email.trim() === '' || action.isBusy}>
            Add person
          </button>
          {added && <PersonLink id={added.id}>Open {added.name}’s page</PersonLink>}
        </div>
        <ActionOutcome action={action} />
      </form>
    </section>
  );
}
