import { useState } from 'react';
import { refresh } from '../../../ask/refresh.ts';
import { postJson } from '../../../ask/send.ts';
import { useView } from '../../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { SelectField, TextField } from '../../../view/form.tsx';
import { keysPath, type ShownKey } from './questions.ts';
import { expiryChoices, newKeyFormWords } from './words.ts';

export function NewKeyForm({ onMade }: { readonly onMade: (made: ShownKey) => void }) {
  const choices = expiryChoices(useView().today);
  const [name, setName] = useState('');
  const [expires, setExpires] = useState(choices[1]?.[0] ?? '');
  const action = useAction();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          const body = { name: name.trim(), ...(expires === '' ? {} : { expires_at: expires }) };
          const made = await postJson<ShownKey>(keysPath, body);
          onMade(made);
          setName('');
          await refresh(keysPath);
          return newKeyFormWords.keyMadeItStands(made.name);
        });
      }}
    >
      <TextField label={newKeyFormWords.name} hint={newKeyFormWords.whatWillUse} value={name} onChange={setName} />
      <SelectField label={newKeyFormWords.works} value={expires} onChange={setExpires} choices={choices} />
      <div className="row">
        <button type="submit" className="button primary" disabled={name.trim() === '' || action.isBusy}>
          {newKeyFormWords.makeKey}
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}
