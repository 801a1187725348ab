import { useState } from 'react';
import type { FullPerson } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CheckField, TextField } from '../../view/form.tsx';
import { PersonLink } from '../../view/person-link.tsx';
import { addPersonWords } from './words.ts';

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
          <h2 id="add-person">{addPersonWords.addPerson}</h2>
          <p className="subtitle">{addPersonWords.peopleWhoAppear}</p>
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
            return addPersonWords.added(made.name, made.onboarded);
          });
        }}
      >
        <TextField label={addPersonWords.address} type="email" value={email} onChange={setEmail} isRequired />
        <TextField label={addPersonWords.name} hint={addPersonWords.takenFromAddress} value={name} onChange={setName} />
        <CheckField label={addPersonWords.inMetrics} value={isOnboarded} onChange={setOnboarded} />
        <div className="row">
          <button type="submit" className="button primary" disabled={email.trim() === '' || action.isBusy}>
            {addPersonWords.addPerson2}
          </button>
          {added && <PersonLink id={added.id}>{addPersonWords.openSPage(added.name)}</PersonLink>}
        </div>
        <ActionOutcome action={action} />
      </form>
    </section>
  );
}
