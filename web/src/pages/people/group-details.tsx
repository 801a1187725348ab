import { useState } from 'react';
import type { Groups, NamedOne } from '../../ask/people-answers.ts';
import { changeOwn } from '../../ask/use-view.ts';
import { ActionOutcome, type PageAction, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { counted } from '../../view/format.ts';
import { PersonLink } from '../../view/person-link.tsx';
import { PersonPicker } from '../../view/person-picker.tsx';
import { changeGroup, removeGroup } from './change-group.ts';
import { GroupForm } from './group-form.tsx';
import type { TreeLine } from './tree.ts';

interface DetailsProps {
  readonly line: TreeLine;
  readonly groups: Groups;
  readonly mayChange: boolean;
  /** The tree says that the group was removed: this part goes with the group. */
  readonly removal: PageAction;
}

/** One team or squad: who is in it, and for Owners its form. */
export function GroupDetails({ line, groups, mayChange, removal }: DetailsProps) {
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const team = line.kind === 'team' ? groups.teams.find(({ id }) => id === line.id) : undefined;
  const squad = line.kind === 'squad' ? groups.squads.find(({ id }) => id === line.id) : undefined;
  const members: readonly NamedOne[] = team?.members ?? squad?.members ?? [];
  const change = (who: NamedOne, how: 'add' | 'remove') =>
    void action.run(async () => {
      await changeGroup(line, { [how]: [who.id] });
      return `${who.name} is ${how === 'add' ? 'now in' : 'no longer in'} ${line.name}.`;
    });
  return (
    <section className="card" aria-labelledby="group">
      <header>
        <div>
          <h2 id="group">{line.name}</h2>
          <p className="subtitle">
            {[
              line.kind,
              ...(team ? [team.department ?? 'no department'] : []),
              ...(squad?.parent ? [`below ${squad.parent.name}`] : []),
              ...(squad?.lead ? [`led by ${squad.lead.name}`] : []),
              counted(members.length, 'person', 'people'),
            ].join(' · ')}
          </p>
        </div>
        {mayChange && (
          <div className="row">
            <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Change
            </button>
            <ConfirmButton
              label="Remove"
              name={`Remove ${line.name}`}
              title={`Remove the ${line.kind} “${line.name}”?`}
              verb={`Remove the ${line.kind}`}
              isDisabled={removal.isBusy}
              onConfirm={() =>
                void removal.run(async () => {
                  await removeGroup(line);
                  changeOwn({ group: '' }, { replace: true });
                  return `${line.name} is removed.`;
                })
              }
            >
              Its {counted(members.length, 'person stays', 'people stay')}, but figures can no longer be asked for by
              this {line.kind}. Filters and links that name it find nothing.
            </ConfirmButton>
          </div>
        )}
      </header>
      <div className="stack">
        {isOpen && <GroupForm line={line} team={team} squad={squad} groups={groups} />}
        {mayChange && (
          <PersonPicker
            label={`Add someone to ${line.name}`}
            without={members.map(({ id }) => id)}
            onPick={(person) => change(person, 'add')}
          />
        )}
        <ActionOutcome action={action} />
        {members.length === 0 ? (
          <p className="secondary">
            {line.kind === 'squad' && !mayChange
              ? 'You can see no one in it. Members of a squad are named only to people who see their work.'
              : 'No one is in it.'}
          </p>
        ) : (
          <Table
            isOfPeople
            caption={`People in ${line.name}`}
            rows={members}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', cell: ({ id, name }) => <PersonLink id={id}>{name}</PersonLink> },
              ...(mayChange
                ? [
                    {
                      name: 'Change',
                      isAction: true,
                      cell: (person: NamedOne) => (
                        <ConfirmButton
                          className="link small"
                          label="Take out"
                          name={`Take out ${person.name}`}
                          title={`Take ${person.name} out of ${line.name}?`}
                          verb="Take out"
                          isDisabled={action.isBusy}
                          onConfirm={() => change(person, 'remove')}
                        >
                          Their work no longer counts for {line.name}, in the past either.
                        </ConfirmButton>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </section>
  );
}
