import { useState } from 'react';
import type { Groups } from '../../ask/people-answers.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { makeGroup } from './change-group.ts';
import { newGroupWords } from './words.ts';

interface NewGroupProps {
  readonly groups: Groups;
  /** Called with the key of the new line of the tree. */
  readonly onMade: (key: string) => void;
}

export function NewGroup({ groups, onMade }: NewGroupProps) {
  const [kind, setKind] = useState<'team' | 'squad'>('team');
  const [name, setName] = useState('');
  const [department, setDepartment] = useState('');
  const [parent, setParent] = useState('');
  const action = useAction();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          const more =
            kind === 'team' ? { department: department.trim() || null } : { parent: parent === '' ? null : parent };
          const made = await makeGroup(kind, { name: name.trim(), ...more });
          setName('');
          onMade(`${kind} ${made.id}`);
          return newGroupWords.made(kind, made.name);
        });
      }}
    >
      <SelectField
        label={newGroupWords.what}
        value={kind}
        onChange={(value) => setKind(value as typeof kind)}
        choices={[
          ['team', newGroupWords.teamPeopleWhoWork],
          ['squad', newGroupWords.squadPeopleBelowLead],
        ]}
      />
      <TextField label={newGroupWords.nameNewGroup} value={name} onChange={setName} isRequired />
      {kind === 'team' ? (
        <TextField
          label={newGroupWords.department}
          value={department}
          onChange={setDepartment}
          choices={[...new Set(groups.teams.flatMap((team) => team.department ?? []))]}
        />
      ) : (
        <SelectField
          label={newGroupWords.below}
          value={parent}
          onChange={setParent}
          choices={[['', newGroupWords.nothingAtTop], ...groups.squads.map((squad) => [squad.id, squad.name] as const)]}
        />
      )}
      <div className="row">
        <button type="submit" className="button primary" disabled={name.trim() === '' || action.isBusy}>
          {newGroupWords.make(kind)}
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}
