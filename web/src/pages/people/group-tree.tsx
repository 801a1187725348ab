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
import { groupTreeWords } from './words.ts';

/** Departments with their teams, and squads below squads; the chosen one beside it. */
export function GroupTree() {
  const answer = useGroups();
  return (
    <Answered answer={answer} what={groupTreeWords.teamsAndSquads}>
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
      return groupTreeWords.now(dragged.name, dragged.kind, onto.name);
    });
  return (
    <div className="columns even">
      <section className="card" aria-labelledby="tree">
        <header>
          <div>
            <h2 id="tree">{groupTreeWords.teamsAndSquads}</h2>
            <p className="subtitle">{groupTreeWords.arrowKeysWalk(mayChange)}</p>
          </div>
          {mayChange && (
            <button type="button" className="button" onClick={() => setNew(!isNew)} aria-expanded={isNew}>
              {groupTreeWords.makeGroup}
            </button>
          )}
        </header>
        {isNew && <NewGroup groups={groups} onMade={(key) => changeOwn({ group: key })} />}
        <ActionOutcome action={action} />
        {lines.length === 0 ? (
          <p className="secondary">{groupTreeWords.thereNoTeams(mayChange)}</p>
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
          <p className="secondary">{groupTreeWords.departmentWordThatTeams}</p>
        </section>
      )}
    </div>
  );
}
