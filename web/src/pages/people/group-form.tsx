import { useState } from 'react';
import type { Groups, ListedSquad, ListedTeamGroup, NamedOne } from '../../ask/people-answers.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { PersonPicker } from '../../view/person-picker.tsx';
import { changeGroup, type GroupChange } from './change-group.ts';
import { mayDrop, type TreeLine, treeLines } from './tree.ts';

interface FormProps {
  readonly line: TreeLine;
  readonly team: ListedTeamGroup | undefined;
  readonly squad: ListedSquad | undefined;
  readonly groups: Groups;
}

/** Name, department or place, and lead, by keyboard: everything that dragging does, and more. */
export function GroupForm({ line, team, squad, groups }: FormProps) {
  const [name, setName] = useState(line.name);
  const [department, setDepartment] = useState(team?.department ?? '');
  const [parent, setParent] = useState(squad?.parent?.id ?? '');
  const [lead, setLead] = useState<NamedOne | null>(squad?.lead ?? null);
  const action = useAction();
  const changed: GroupChange = {
    ...(name.trim() !== line.name ? { name: name.trim() } : {}),
    ...(team && department.trim() !== (team.department ?? '') ? { department: department.trim() || null } : {}),
    ...(squad && parent !== (squad.parent?.id ?? '') ? { parent: parent === '' ? null : parent } : {}),
    ...(squad && lead?.id !== squad.lead?.id ? { lead: lead?.id ?? null } : {}),
  };
  const lines = treeLines(groups);
  const above = lines.filter(
    (one) => one.kind === 'squad' && (one.id === squad?.parent?.id || mayDrop(lines, line, one)),
  );
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          await changeGroup(line, changed);
          return `Saved: ${Object.keys(changed).join(', ')} of ${name.trim()}.`;
        });
      }}
    >
      <TextField label="Name" value={name} onChange={setName} />
      {team && (
        <TextField
          label="Department"
          value={department}
          onChange={setDepartment}
          choices={[...new Set(groups.teams.flatMap((one) => one.department ?? []))]}
        />
      )}
      {squad && (
        <>
          <SelectField
            label="Below"
            value={parent}
            onChange={setParent}
            choices={[['', 'nothing: at the top'], ...above.map((one) => [one.id, one.name] as const)]}
          />
          <PersonPicker label={lead ? `Lead: ${lead.name}. Choose another` : 'No lead. Choose one'} onPick={setLead} />
          {lead && (
            <button type="button" className="link small" onClick={() => setLead(null)}>
              Remove the lead
            </button>
          )}
        </>
      )}
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
  );
}
