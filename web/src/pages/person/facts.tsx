import type { FullPerson, NamedOne } from '../../ask/people-answers.ts';
import { useView } from '../../ask/use-view.ts';
import { PersonLink } from '../../view/person-link.tsx';
import { shownDate } from '../../view/shown-date.ts';
import '../../view/form.css';

/** The facts that the directory has of a person. */
export function PersonFacts({ person }: { readonly person: FullPerson }) {
  const { zone } = useView();
  const names = (ones: readonly NamedOne[] | undefined) => (ones ?? []).map(({ name }) => name).join(', ') || 'none';
  const { manager } = person;
  return (
    <section className="card" aria-labelledby="about">
      <header>
        <h2 id="about">About</h2>
      </header>
      <dl className="fact-list">
        <dt>Address</dt>
        <dd>{person.email ?? 'none'}</dd>
        {(person.emails?.length ?? 0) > 1 && (
          <>
            <dt>All addresses</dt>
            <dd>{person.emails?.join(', ')}</dd>
          </>
        )}
        <dt>Logins</dt>
        <dd>{(person.logins ?? []).map(({ source, login }) => `${login} (${source})`).join(', ') || 'none'}</dd>
        <dt>Teams</dt>
        <dd>{names(person.teams)}</dd>
        <dt>Squads</dt>
        <dd>{names(person.squads)}</dd>
        <dt>Manager</dt>
        <dd>{manager ? <PersonLink id={manager.id}>{manager.name}</PersonLink> : (person.manager_email ?? 'none')}</dd>
        <dt>Job title</dt>
        <dd>{[person.job_title, person.level].filter(Boolean).join(', ') || 'none'}</dd>
        <dt>Location</dt>
        <dd>{person.location ?? 'none'}</dd>
        <dt>Role</dt>
        <dd>{person.access_role}</dd>
        <dt>Counts</dt>
        <dd>{person.is_bot ? 'no: a bot' : person.onboarded ? 'yes: in metrics' : 'no: not in metrics'}</dd>
        <dt>Known since</dt>
        <dd>{shownDate(person.created_date, zone)}</dd>
      </dl>
    </section>
  );
}
