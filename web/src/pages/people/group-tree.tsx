import { useState } from 'react';
import type { Groups } from '../../ask/people-answers.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { Answered } from '../../view/states.tsx';
import { changeGroup } from './change-group.ts';
import { GroupDetails } from './group-details.tsx';
import { NewGroup } from './new-group.tsx';
import './people.css';
import { type TreeLine, treeLines } from './tree.ts';
import { TreeList } from './tree-list.tsx';

/** Departments with their teams, and squads below squads; the chosen one beside it. */
export function GroupTree() {
  const answer = useGroups();
  return (
    <Answered answer={answer} what="Teams and squads">
      {(groups) => <TreeAndDetails groups={groups} />}
    </Answered>
  );
}

function TreeAndDetails({ groups }: { readonly groups: Groups }) {
  const mayChange = isOwner(useSession());
  const { own } = useView().state;
  const action = useAction();
  const lines = treeLines(groups);
  const chosen = lines.find(({ key }) => key === own.group) ?? lines.find(({ kind }) => kind !== 'department');
  const [isNew, setNew] = useState(false);
  const move = (dragged: TreeLine, onto: TreeLine) =>
    void action.run(async () => {
      const change = dragged.kind === 'team' ? { department: onto.id === '' ? null : onto.id } : { parent: onto.id };
      await changeGroup(dragged, change);
      return `${dragged.name} is now ${dragged.kind === 'team' ? 'in' : 'below'} ${onto.name}.`;
    });
  return (
    <div className="columns even">
      <section className="card" aria-labelledby="tree">
        <header>
          <div>
            <h2 id="tree">Teams and squads</h2>
            <p className="subtitle">
              Arrow keys walk and open.
              {mayChange && ' Drag a team into a department or a squad below another, or change it in the form.'}
            </p>
          </div>
          {mayChange && (
            <button type="button" className="button" onClick={() => setNew(!isNew)} aria-expanded={isNew}>
              Make a group
            </button>
          )}
        </header>
        {isNew && <NewGroup groups={groups} onMade={(key) => changeOwn({ group: key })} />}
        <ActionOutcome action={action} />
        {lines.length === 0 ? (
          <p className="secondary">
            There are no teams and no squads yet. They come with people from connections and imports
            {mayChange ? ', or are made here.' : '.'}
          </p>
        ) : (
          <TreeList
            lines={lines}
            chosen={chosen?.key}
            onChoose={({ key }) => changeOwn({ group: key }, { replace: true })}
            {...(mayChange ? { onMove: move } : {})}
          />
        )}
      </section>
      {chosen && chosen.kind !== 'department' && (
        <GroupDetails key={chosen.key} line={chosen} groups={groups} mayChange={mayChange} removal={action} />
      )}
      {chosen?.kind === 'department' && (
        <section className="card" aria-labelledby="department">
          <header>
            <h2 id="department">{chosen.name}</h2>
          </header>
          <p className="secondary">
            A department is a word that teams have in common. Choose one of its teams to change it.
          </p>
        </section>
      )}
    </div>
  );
}
