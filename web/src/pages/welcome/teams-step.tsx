import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { TextField } from '../../view/form.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';
import { teamsStepWords } from './words.ts';

/** People from code hosts bring their teams; the reader makes others by name. */
export function TeamsStep() {
  const answer = useGroups();
  const [text, setText] = useState('');
  const action = useAction();
  const names = [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  ];
  return (
    <Answered answer={answer} what={teamsStepWords.listTeams} height={80}>
      {({ teams }) => (
        <div className="stack">
          <p>
            {teams.length === 0
              ? teamsStepWords.thereNoTeamsYet
              : teamsStepWords.teamTeamsAndMore(
                  teams.length,
                  teams
                    .slice(0, 12)
                    .map(({ name }) => name)
                    .join(', '),
                )}{' '}
            <PageLink to="/people" own={{ part: 'groups' }}>
              {teamsStepWords.putPeopleIntoTeams}
            </PageLink>
          </p>
          <form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              void action.run(async () => {
                const left = [...names];
                try {
                  for (const name of names) {
                    await postJson('/app/groups', { kind: 'team', name });
                    left.shift();
                  }
                } finally {
                  // Teams that could not be made stay in the form.
                  setText(left.join('\n'));
                  await refresh('/app/groups', '/teams');
                }
                return teamsStepWords.made(names.join(', '));
              });
            }}
          >
            <TextField
              label={teamsStepWords.namesNewTeams}
              rows={4}
              hint={teamsStepWords.onePerLine}
              value={text}
              onChange={setText}
            />
            <div className="row">
              <button type="submit" className="button primary" disabled={names.length === 0 || action.isBusy}>
                {names.length === 0 ? teamsStepWords.makeTeams : teamsStepWords.make(names.length)}
              </button>
            </div>
            <ActionOutcome action={action} />
          </form>
        </div>
      )}
    </Answered>
  );
}
