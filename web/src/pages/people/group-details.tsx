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
import { groupDetailsWords } from './words.ts';

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
      return groupDetailsWords.is(who.name, how, line.name);
    });
  return (
    <section className="card" aria-labelledby="group">
      <header>
        <div>
          <h2 id="group">{line.name}</h2>
          <p className="subtitle">
            {[
              line.kind,
              ...(team ? [team.department ?? groupDetailsWords.noDepartment] : []),
              ...(squad?.parent ? [groupDetailsWords.below(squad.parent.name)] : []),
              ...(squad?.lead ? [groupDetailsWords.led(squad.lead.name)] : []),
              counted(members.length, 'person', 'people'),
            ].join(' · ')}
          </p>
        </div>
        {mayChange && (
          <div className="row">
            <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {groupDetailsWords.change}
            </button>
            <ConfirmButton
              label={groupDetailsWords.remove}
              name={groupDetailsWords.removeName(line.name)}
              title={groupDetailsWords.removeTitle(line.kind, line.name)}
              verb={groupDetailsWords.removeVerb(line.kind)}
              isDisabled={removal.isBusy}
              onConfirm={() =>
                void removal.run(async () => {
                  await removeGroup(line);
                  changeOwn({ group: '' }, { replace: true });
                  return groupDetailsWords.removed(line.name);
                })
              }
            >
              {groupDetailsWords.itsButFiguresCan(members.length, line.kind)}
            </ConfirmButton>
          </div>
        )}
      </header>
      <div className="stack">
        {isOpen && <GroupForm line={line} team={team} squad={squad} groups={groups} />}
        {mayChange && (
          <PersonPicker
            label={groupDetailsWords.addSomeone(line.name)}
            without={members.map(({ id }) => id)}
            onPick={(person) => change(person, 'add')}
          />
        )}
        <ActionOutcome action={action} />
        {members.length === 0 ? (
          <p className="secondary">
            {line.kind === 'squad' && !mayChange ? groupDetailsWords.youCanSeeNo : groupDetailsWords.no}
          </p>
        ) : (
          <Table
            isOfPeople
            caption={groupDetailsWords.people(line.name)}
            rows={members}
            keyOf={({ id }) => id}
            columns={[
              { name: groupDetailsWords.name, cell: ({ id, name }) => <PersonLink id={id}>{name}</PersonLink> },
              ...(mayChange
                ? [
                    {
                      name: groupDetailsWords.change,
                      isAction: true,
                      cell: (person: NamedOne) => (
                        <ConfirmButton
                          className="link small"
                          label={groupDetailsWords.take}
                          name={groupDetailsWords.takeName(person.name)}
                          title={groupDetailsWords.takeTitle(person.name, line.name)}
                          verb={groupDetailsWords.take}
                          isDisabled={action.isBusy}
                          onConfirm={() => change(person, 'remove')}
                        >
                          {groupDetailsWords.theirWorkNoLonger(line.name)}
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
