import { maxSearchLength } from '../../../../src/text-limits.ts';
import { isSeen, type ListedPerson, type PeoplePage, peoplePath } from '../../ask/people-answers.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Avatar } from '../../view/avatar.tsx';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import { counted, grouped } from '../../view/format.ts';
import { PersonLink } from '../../view/person-link.tsx';
import { Answered } from '../../view/states.tsx';
import './people.css';
import { rosterStates } from './questions.ts';

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
          <h2 id="roster">Roster</h2>
          <p className="subtitle">
            By name. {!isOwner(session) && 'Squads, job titles and roles are shown only of people whose work you see. '}
            <PersonLink id={session.person.id}>Your own page</PersonLink>
          </p>
        </div>
      </header>
      <search className="roster-search">
        <TextField
          label="Search people"
          type="search"
          value={search}
          maxLength={maxSearchLength}
          onChange={(value) => changeOwn({ q: value, page: '' }, { replace: true })}
          placeholder="Name, team, address or login"
        />
        <SelectField
          label="Who"
          value={state}
          onChange={(value) => changeOwn({ state: value === 'all' ? '' : value, page: '' })}
          choices={Object.entries(rosterStates)}
        />
        <SelectField
          label="Team"
          value={own.in ?? ''}
          onChange={(value) => changeOwn({ in: value, page: '' })}
          choices={[['', 'All teams'], ...(groups.data?.teams ?? []).map(({ id, name }) => [id, name] as const)]}
        />
      </search>
      <Answered answer={answer} what="The roster">
        {({ total, people }) =>
          people.length === 0 ? (
            <p className="secondary">
              No one matches{search ? ` “${search}”` : ''}.{' '}
              <button type="button" className="link" onClick={() => changeOwn({ q: '', state: '', in: '', page: '' })}>
                Show everyone
              </button>
            </p>
          ) : (
            <>
              <Table
                isOfPeople
                caption="People by name"
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
    { name: 'Squads', cell: (person) => (isSeen(person) ? names(person.squads) : '') },
    { name: 'Job title', cell: (person) => (isSeen(person) ? (person.job_title ?? '–') : '') },
    { name: 'Role', cell: ({ access_role }) => <span className="whole">{access_role}</span> },
  ];
  return [
    {
      name: 'Name',
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
    { name: 'Teams', cell: ({ teams }) => names(teams) },
    ...(people.filter(isSeen).length > 1 ? more : []),
    { name: 'In metrics', cell: (person) => <span className="whole">{countsAs(person)}</span> },
  ];
}

const countsAs = ({ onboarded, is_bot }: ListedPerson): string => (is_bot ? 'Bot' : onboarded ? 'Yes' : 'No');

function Pages({ page, total, shown }: { readonly page: number; readonly total: number; readonly shown: number }) {
  const last = Math.ceil(total / pageSize);
  const first = (page - 1) * pageSize + 1;
  const go = (to: number) => changeOwn({ page: to === 1 ? '' : String(to) });
  return (
    <nav className="row roster-pages" aria-label="Pages of the roster">
      <span className="small secondary">
        {last > 1 ? `${grouped(first)} to ${grouped(first + shown - 1)} of ` : ''}
        {counted(total, 'person', 'people')}
      </span>
      {last > 1 && (
        <>
          <button type="button" className="button" disabled={page <= 1} onClick={() => go(page - 1)}>
            Previous
          </button>
          <button type="button" className="button" disabled={page >= last} onClick={() => go(page + 1)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
