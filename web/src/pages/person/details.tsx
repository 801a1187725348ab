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
import { draftOfPerson, type PersonDraft, personChanges } from './draft.ts';
import { GroupPicker } from './group-picker.tsx';
import { detailsWords, savedFields } from './words.ts';

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
            <h2 id="details">{detailsWords.changeDetails}</h2>
            <p className="subtitle">{detailsWords.whatYouSetHere}</p>
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
              return detailsWords.saved(savedFields(changed));
            });
          }}
        >
          <TextField label={detailsWords.name} {...field('name')} />
          <TextField label={detailsWords.address} type="email" hint={detailsWords.oneToSign} {...field('main_email')} />
          <TextField
            label={detailsWords.allAddresses}
            rows={3}
            hint={detailsWords.onePerLineAddresses}
            {...field('emails')}
          />
          <TextField label={detailsWords.logins} rows={4} hint={detailsWords.sourceAndLogin} {...field('logins')} />
          <TextField label={detailsWords.jobTitle} {...field('job_title')} />
          <TextField label={detailsWords.level} {...field('level')} />
          <TextField label={detailsWords.location} {...field('location')} />
          <TextField label={detailsWords.addressManager} type="email" {...field('manager_email')} />
          <GroupPicker label={detailsWords.teams} one="team" known={groups.data?.teams} {...field('teams')} />
          <GroupPicker label={detailsWords.squads} one="squad" known={groups.data?.squads} {...field('squads')} />
          <CheckField label={detailsWords.thisBot} hint={detailsWords.saidHereItHolds} {...field('is_bot')} />
          <div className="row">
            <button
              type="submit"
              className="button primary"
              disabled={Object.keys(changed).length === 0 || action.isBusy}
            >
              {detailsWords.save}
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
      return detailsWords.is(person.name, onboarded);
    });
  return (
    <section className="card" aria-labelledby="counting">
      <header>
        <div>
          <h2 id="counting">{person.onboarded ? detailsWords.inMetrics : detailsWords.notInMetrics}</h2>
          <p className="subtitle">
            {person.onboarded ? detailsWords.theirWorkCounts : detailsWords.metricsLeaveTheirWork}
          </p>
        </div>
        {person.onboarded ? (
          <ConfirmButton
            label={detailsWords.excludeFromMetrics}
            title={detailsWords.excludeFromMetricsTitle(person.name)}
            verb={detailsWords.exclude}
            isDisabled={action.isBusy}
            onConfirm={() => set(false)}
          >
            {detailsWords.theirWorkStopsCounting}
          </ConfirmButton>
        ) : (
          <button type="button" className="button" disabled={action.isBusy} onClick={() => set(true)}>
            {detailsWords.includeInMetrics}
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
        <h2 id="merged">{detailsWords.mergedIntoThisPerson}</h2>
      </header>
      <ul className="stack">
        {(person.merged_from ?? []).map((one) => (
          <li key={one.id} className="row">
            <span>
              {one.name} <span className="secondary">{one.email}</span>
            </span>
            <ConfirmButton
              className="link small"
              label={detailsWords.undoMerge}
              title={detailsWords.makePersonTheirOwn(one.name)}
              verb={detailsWords.undoMerge}
              isDisabled={action.isBusy}
              onConfirm={() =>
                void action.run(async () => {
                  await postJson('/app/people/unmerge', { person: one.id });
                  await refreshPeople();
                  return detailsWords.personTheirOwnAgain(one.name);
                })
              }
            >
              {detailsWords.theirAddressesLogins}
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
          <h2 id="removing">{detailsWords.removeFromDirectory}</h2>
          <p className="subtitle">{isSelf ? detailsWords.youCannotRemoveYourself : detailsWords.forPeopleWhoNever}</p>
        </div>
        {!isSelf && (
          <ConfirmButton
            label={detailsWords.remove}
            name={detailsWords.removeName(person.name)}
            title={detailsWords.removeTitle(person.name)}
            verb={detailsWords.removePerson}
            isDisabled={action.isBusy}
            onConfirm={() =>
              void action.run(async () => {
                await sendJson('DELETE', personPath(person));
                // The page is left first: a request for a person who is gone would fail.
                navigate(linkTo('/people', state));
                queryClient.removeQueries({ queryKey: [personPath(person)] });
                await refreshPeople();
                return detailsWords.removed(person.name);
              })
            }
          >
            {detailsWords.theirKeysStopWorking}
          </ConfirmButton>
        )}
      </header>
      <ActionOutcome action={action} />
    </section>
  );
}
