import { useState } from 'react';
import type { Groups, ListedSquad, ListedTeamGroup, NamedOne } from '../../ask/people-answers.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { PersonPicker } from '../../view/person-picker.tsx';
import { changeGroup, type GroupChange } from './change-group.ts';
import { mayDrop, type TreeLine, treeLines } from './tree.ts';
import { groupFormWords } from './words.ts';

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
          return groupFormWords.saved(Object.keys(changed).join(', '), name.trim());
        });
      }}
    >
      <TextField label={groupFormWords.name} value={name} onChange={setName} />
      {team && (
        <TextField
          label={groupFormWords.department}
          value={department}
          onChange={setDepartment}
          choices={[...new Set(groups.teams.flatMap((one) => one.department ?? []))]}
        />
      )}
      {squad && (
        <>
          <SelectField
            label={groupFormWords.below}
            value={parent}
            onChange={setParent}
            choices={[['', groupFormWords.nothingAtTop], ...above.map((one) => [one.id, one.name] as const)]}
          />
          <PersonPicker
            label={lead ? groupFormWords.leadChooseAnother(lead.name) : groupFormWords.noLeadChoose}
            onPick={setLead}
          />
          {lead && (
            <button type="button" className="link small" onClick={() => setLead(null)}>
              {groupFormWords.removeLead}
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
          {groupFormWords.save}
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}
