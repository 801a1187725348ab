import { maxSearchLength } from '../../../../src/text-limits.ts';
import { isSeen, type ListedPerson, type PeoplePage, peoplePath } from '../../ask/people-answers.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Avatar } from '../../view/avatar.tsx';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { counted } from '../../view/format.ts';
import { PersonLink } from '../../view/person-link.tsx';
import { Answered } from '../../view/states.tsx';
import './people.css';
import { rosterStates, rosterWords } from './words.ts';

const pageSize = 50;

/** Everyone by name. The address holds the text that is searched for. */
export function Roster() {
  const { own } = useView().state;
  const session = useSession();
  const groups = useGroups();
  const search = own.q ?? '';
  const page = Math.max(1, Number.parseInt(own.page ?? '1', 10) || 1);
  const state = own.state !== undefined && own.state in rosterStates ? own.state : 'all';
  const answer = useJson<PeoplePage>(
    peoplePath({
      search: search.trim(),
      state: state === 'all' ? '' : state,
      team: own.in ?? '',
      limit: pageSize,
      offset: (page - 1) * pageSize,
    }),
  );
  return (
    <section className="card" aria-labelledby="roster">
      <header>
        <div>
          <h2 id="roster">{rosterWords.roster}</h2>
          <p className="subtitle">
            {rosterWords.byName(isOwner(session))}
            <PersonLink id={session.person.id}>{rosterWords.yourOwnPage}</PersonLink>
          </p>
        </div>
      </header>
      <search className="roster-search">
        <TextField
          label={rosterWords.searchPeople}
          type="search"
          value={search}
          maxLength={maxSearchLength}
          onChange={(value) => changeOwn({ q: value, page: '' }, { replace: true })}
          placeholder={rosterWords.nameTeamAddress}
        />
        <SelectField
          label={rosterWords.who}
          value={state}
          onChange={(value) => changeOwn({ state: value === 'all' ? '' : value, page: '' })}
          choices={Object.entries(rosterStates)}
        />
        <SelectField
          label={rosterWords.team}
          value={own.in ?? ''}
          onChange={(value) => changeOwn({ in: value, page: '' })}
          choices={[
            ['', rosterWords.allTeams],
            ...(groups.data?.teams ?? []).map(({ id, name }) => [id, name] as const),
          ]}
        />
      </search>
      <Answered answer={answer} what={rosterWords.rosterWhat}>
        {({ total, people }) =>
          people.length === 0 ? (
            <p className="secondary">
              {rosterWords.noOneMatches(search)}{' '}
              <button type="button" className="link" onClick={() => changeOwn({ q: '', state: '', in: '', page: '' })}>
                {rosterWords.showEveryone}
              </button>
            </p>
          ) : (
            <>
              <Table
                isOfPeople
                caption={rosterWords.peopleByName}
                rows={people}
                keyOf={({ id }) => id}
                columns={columnsFor(people)}
              />
              <Pages page={page} total={total} shown={people.length} />
            </>
          )
        }
      </Answered>
    </section>
  );
}

/** Columns without any value are left out: an engineer sees names and teams. */
function columnsFor(people: readonly ListedPerson[]): TableColumn<ListedPerson>[] {
  const names = (ones: readonly { name: string }[] | undefined) =>
    (ones ?? []).map(({ name }) => name).join(', ') || '–';
  const more: TableColumn<ListedPerson>[] = [
    { name: rosterWords.squads, cell: (person) => (isSeen(person) ? names(person.squads) : '') },
    { name: rosterWords.jobTitle, cell: (person) => (isSeen(person) ? (person.job_title ?? '–') : '') },
    { name: rosterWords.role, cell: ({ access_role }) => <span className="whole">{access_role}</span> },
  ];
  return [
    {
      name: rosterWords.name,
      cell: ({ id, name, email }) => (
        <span className="roster-person">
          <Avatar id={id} name={name} />
          <span>
            <PersonLink id={id}>{name}</PersonLink>
            {email && <span className="small secondary under">{email}</span>}
          </span>
        </span>
      ),
    },
    { name: rosterWords.teams, cell: ({ teams }) => names(teams) },
    ...(people.filter(isSeen).length > 1 ? more : []),
    { name: rosterWords.inMetrics, cell: (person) => <span className="whole">{countsAs(person)}</span> },
  ];
}

const countsAs = ({ onboarded, is_bot }: ListedPerson): string =>
  is_bot ? rosterWords.bot : onboarded ? rosterWords.yes : rosterWords.no;

function Pages({ page, total, shown }: { readonly page: number; readonly total: number; readonly shown: number }) {
  const last = Math.ceil(total / pageSize);
  const first = (page - 1) * pageSize + 1;
  const go = (to: number) => changeOwn({ page: to === 1 ? '' : String(to) });
  return (
    <nav className="row roster-pages" aria-label={rosterWords.pagesRoster}>
      <span className="small secondary">
        {last > 1 ? rosterWords.to(first, first + shown - 1) : ''}
        {counted(total, 'person', 'people')}
      </span>
      {last > 1 && (
        <>
          <button type="button" className="button" disabled={page <= 1} onClick={() => go(page - 1)}>
            {rosterWords.previous}
          </button>
          <button type="button" className="button" disabled={page >= last} onClick={() => go(page + 1)}>
            {rosterWords.next}
          </button>
        </>
      )}
    </nav>
  );
}
