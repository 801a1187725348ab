import { useState } from 'react';
import { useLocation } from 'wouter';
import type { FullPerson } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { postJson, sendJson } from '../../ask/send.ts';
import { queryClient } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { useView } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { CheckField, TextField } from '../../view/form.tsx';
import { draftOfPerson, type PersonDraft, personChanges, savedFields } from './draft.ts';
import { GroupPicker } from './group-picker.tsx';

export const personPath = ({ id }: Pick<FullPerson, 'id'>): string => `/app/people/${encodeURIComponent(id)}`;
export const refreshPeople = () => refresh('/app/people', '/app/groups', '/teams', '/data-quality');

/** The form of everything that an Owner can set of a person, and the way to undo a merge. */
export function PersonDetails({ person }: { readonly person: FullPerson }) {
  const [draft, setDraft] = useState(() => draftOfPerson(person));
  const action = useAction();
  const groups = useGroups();
  const changed = personChanges(person, draft);
  const field = <N extends keyof PersonDraft>(name: N) => ({
    value: draft[name],
    onChange: (value: PersonDraft[N]) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <>
      <section className="card" aria-labelledby="details">
        <header>
          <div>
            <h2 id="details">Change details</h2>
            <p className="subtitle">
              What you set here stays until it is changed again, also where a connection says otherwise.
            </p>
          </div>
        </header>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void action.run(async () => {
              const saved = await sendJson<FullPerson>('PATCH', personPath(person), changed);
              setDraft(draftOfPerson(saved));
              await refreshPeople();
              return `Saved: ${savedFields(changed)}.`;
            });
          }}
        >
          <TextField label="Name" {...field('name')} />
          <TextField label="Address" type="email" hint="The one to sign in with." {...field('main_email')} />
          <TextField
            label="All addresses"
            rows={3}
            hint="One per line. Addresses added here can also sign in with an OpenID provider. Those that came with records can’t, until they are removed, saved and added again."
            {...field('emails')}
          />
          <TextField
            label="Logins"
            rows={4}
            hint="Source and login, one per line, such as github: ada"
            {...field('logins')}
          />
          <TextField label="Job title" {...field('job_title')} />
          <TextField label="Level" {...field('level')} />
          <TextField label="Location" {...field('location')} />
          <TextField label="Address of the manager" type="email" {...field('manager_email')} />
          <GroupPicker label="Teams" one="team" known={groups.data?.teams} {...field('teams')} />
          <GroupPicker label="Squads" one="squad" known={groups.data?.squads} {...field('squads')} />
          <CheckField
            label="This is a bot"
            hint="Said here, it holds whatever logins and records say. Bots count neither as authors nor as reviewers."
            {...field('is_bot')}
          />
          <div className="row">
            <button
              type="submit"
              className="button primary"
              disabled={Object.keys(changed).length === 0 || action.isBusy}
            >
              Save
            </button>
          </div>
          <ActionOutcome action={action} />
        </form>
      </section>
      <Counting person={person} />
      {(person.merged_from?.length ?? 0) > 0 && <Unmerging person={person} />}
      <Removing person={person} />
    </>
  );
}

/** Onboards and offboards this person. */
function Counting({ person }: { readonly person: FullPerson }) {
  const action = useAction();
  const set = (onboarded: boolean) =>
    void action.run(async () => {
      await sendJson('PATCH', personPath(person), { onboarded });
      await refreshPeople();
      return `${person.name} is ${onboarded ? 'in metrics' : 'no longer in metrics'}.`;
    });
  return (
    <section className="card" aria-labelledby="counting">
      <header>
        <div>
          <h2 id="counting">{person.onboarded ? 'In metrics' : 'Not in metrics'}</h2>
          <p className="subtitle">
            {person.onboarded ? 'Their work counts in metrics.' : 'Metrics leave their work out.'}
          </p>
        </div>
        {person.onboarded ? (
          <ConfirmButton
            label="Exclude from metrics"
            title={`Exclude ${person.name} from metrics?`}
            verb="Exclude"
            isDisabled={action.isBusy}
            onConfirm={() => set(false)}
          >
            Their work stops counting in every metric, in the past as well. Their records stay, and including them again
            brings everything back.
          </ConfirmButton>
        ) : (
          <button type="button" className="button" disabled={action.isBusy} onClick={() => set(true)}>
            Include in metrics
          </button>
        )}
      </header>
      <ActionOutcome action={action} />
    </section>
  );
}

function Unmerging({ person }: { readonly person: FullPerson }) {
  const action = useAction();
  return (
    <section className="card" aria-labelledby="merged">
      <header>
        <h2 id="merged">Merged into this person</h2>
      </header>
      <ul className="stack">
        {(person.merged_from ?? []).map((one) => (
          <li key={one.id} className="row">
            <span>
              {one.name} <span className="secondary">{one.email}</span>
            </span>
            <ConfirmButton
              className="link small"
              label="Undo the merge"
              title={`Make ${one.name} a person of their own again?`}
              verb="Undo the merge"
              isDisabled={action.isBusy}
              onConfirm={() =>
                void action.run(async () => {
                  await postJson('/app/people/unmerge', { person: one.id });
                  await refreshPeople();
                  return `${one.name} is a person of their own again.`;
                })
              }
            >
              Their addresses, logins and work go back to them.
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <ActionOutcome action={action} />
    </section>
  );
}

function Removing({ person }: { readonly person: FullPerson }) {
  const action = useAction();
  const [, navigate] = useLocation();
  const { state } = useView();
  const isSelf = useSession().person.id === person.id;
  return (
    <section className="card" aria-labelledby="removing">
      <header>
        <div>
          <h2 id="removing">Remove from the directory</h2>
          <p className="subtitle">
            {isSelf
              ? 'You cannot remove yourself: another Owner can.'
              : 'For people who never belonged here. For people who left, exclude them from metrics instead.'}
          </p>
        </div>
        {!isSelf && (
          <ConfirmButton
            label="Remove"
            name={`Remove ${person.name}`}
            title={`Remove ${person.name}?`}
            verb="Remove the person"
            isDisabled={action.isBusy}
            onConfirm={() =>
              void action.run(async () => {
                await sendJson('DELETE', personPath(person));
                // The page is left first: a request for a person who is gone would fail.
                navigate(linkTo('/people', state));
                queryClient.removeQueries({ queryKey: [personPath(person)] });
                await refreshPeople();
                return `${person.name} is removed.`;
              })
            }
          >
            Their keys stop working, their sessions end, and their work belongs to no one. This can’t be undone.
          </ConfirmButton>
        )}
      </header>
      <ActionOutcome action={action} />
    </section>
  );
}
