import { useState } from 'react';
import { refresh } from '../../ask/refresh.ts';
import { postJson } from '../../ask/send.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { TextField } from '../../view/form.tsx';
import { counted } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';

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
    <Answered answer={answer} what="The list of teams" height={80}>
      {({ teams }) => (
        <div className="stack">
          <p>
            {teams.length === 0
              ? 'There are no teams yet. Connections bring those of your organisation. Add others here.'
              : `${counted(teams.length, 'team', 'teams')}: ${teams
                  .slice(0, 12)
                  .map(({ name }) => name)
                  .join(', ')}${teams.length > 12 ? ' and more' : ''}.`}{' '}
            <PageLink to="/people" own={{ part: 'groups' }}>
              Put people into teams
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
                return `Made: ${names.join(', ')}.`;
              });
            }}
          >
            <TextField label="Names of new teams" rows={4} hint="One per line." value={text} onChange={setText} />
            <div className="row">
              <button type="submit" className="button primary" disabled={names.length === 0 || action.isBusy}>
                {names.length === 0 ? 'Make teams' : `Make ${counted(names.length, 'team', 'teams')}`}
              </button>
            </div>
            <ActionOutcome action={action} />
          </form>
        </div>
      )}
    </Answered>
  );
}
