import type { FullPerson, NamedOne } from '../../ask/people-answers.ts';
import { useView } from '../../ask/use-view.ts';
import { PersonLink } from '../../view/person-link.tsx';
import { shownDate } from '../../view/shown-date.ts';
import '../../view/form.css';
import { factsWords } from './words.ts';

/** The facts that the directory has of a person. */
export function PersonFacts({ person }: { readonly person: FullPerson }) {
  const { zone } = useView();
  const names = (ones: readonly NamedOne[] | undefined) => (ones ?? []).map(({ name }) => name).join(', ') || 'none';
  const { manager } = person;
  return (
    <section className="card" aria-labelledby="about">
      <header>
        <h2 id="about">{factsWords.about}</h2>
      </header>
      <dl className="fact-list">
        <dt>{factsWords.address}</dt>
        <dd>{person.email ?? 'none'}</dd>
        {(person.emails?.length ?? 0) > 1 && (
          <>
            <dt>{factsWords.allAddresses}</dt>
            <dd>{person.emails?.join(', ')}</dd>
          </>
        )}
        <dt>{factsWords.logins}</dt>
        <dd>{(person.logins ?? []).map(({ source, login }) => `${login} (${source})`).join(', ') || 'none'}</dd>
        <dt>{factsWords.teams}</dt>
        <dd>{names(person.teams)}</dd>
        <dt>{factsWords.squads}</dt>
        <dd>{names(person.squads)}</dd>
        <dt>{factsWords.manager}</dt>
        <dd>{manager ? <PersonLink id={manager.id}>{manager.name}</PersonLink> : (person.manager_email ?? 'none')}</dd>
        <dt>{factsWords.jobTitle}</dt>
        <dd>{[person.job_title, person.level].filter(Boolean).join(', ') || 'none'}</dd>
        <dt>{factsWords.location}</dt>
        <dd>{person.location ?? 'none'}</dd>
        <dt>{factsWords.role}</dt>
        <dd>{person.access_role}</dd>
        <dt>{factsWords.counts}</dt>
        <dd>{person.is_bot ? 'no: a bot' : person.onboarded ? factsWords.yesInMetrics : factsWords.noNotInMetrics}</dd>
        <dt>{factsWords.knownSince}</dt>
        <dd>{shownDate(person.created_date, zone)}</dd>
      </dl>
    </section>
  );
}
