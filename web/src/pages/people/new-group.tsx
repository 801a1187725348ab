import { useState } from 'react';
import type { Groups } from '../../ask/people-answers.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { makeGroup } from './change-group.ts';

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
          return `The ${kind} ${made.name} is made.`;
        });
      }}
    >
      <SelectField
        label="What"
        value={kind}
        onChange={(value) => setKind(value as typeof kind)}
        choices={[
          ['team', 'Team: people who work together, in a department'],
          ['squad', 'Squad: people below a lead, in a hierarchy'],
        ]}
      />
      <TextField label="Name of the new group" value={name} onChange={setName} isRequired />
      {kind === 'team' ? (
        <TextField
          label="Department"
          value={department}
          onChange={setDepartment}
          choices={[...new Set(groups.teams.flatMap((team) => team.department ?? []))]}
        />
      ) : (
        <SelectField
          label="Below"
          value={parent}
          onChange={setParent}
          choices={[['', 'nothing: at the top'], ...groups.squads.map((squad) => [squad.id, squad.name] as const)]}
        />
      )}
      <div className="row">
        <button type="submit" className="button primary" disabled={name.trim() === '' || action.isBusy}>
          Make the {kind}
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}
