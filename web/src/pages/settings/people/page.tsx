import { Link, useLocation } from 'wouter';
import { accessRoles, roleMeaning } from '../../../ask/people-answers.ts';
import { useView } from '../../../ask/use-view.ts';
import { linkTo } from '../../../ask/view-state.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Table } from '../../../view/data-table.tsx';
import { PersonPicker } from '../../../view/person-picker.tsx';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useEveryone } from './questions.ts';
import { rolesSentence, withMoreThanOwnWork } from './roles.ts';

/** People who may see and do more than an Engineer. The page of a person changes their role. */
export default function RolesPage() {
  const session = useSession();
  const answer = useEveryone(isOwner(session));
  const [, navigate] = useLocation();
  const { state } = useView();
  const accessOf = (id: string) => linkTo(`/people/${encodeURIComponent(id)}`, state, { part: 'access' });
  return (
    <SettingsPage
      title="Roles and permissions"
      ownersOnly="Roles and permissions are"
      sentence={answer.data ? rolesSentence(answer.data) : ' '}
    >
      {() => (
        <>
          <section className="card" aria-labelledby="change-role">
            <header>
              <h2 id="change-role">Change a role</h2>
            </header>
            <div className="form">
              <PersonPicker label="Whose" onPick={({ id }) => navigate(accessOf(id))} />
            </div>
          </section>
          <div className="columns is-top">
            <section className="card" aria-labelledby="more">
              <header>
                <h2 id="more">People with more than their own work</h2>
              </header>
              <Answered answer={answer} what="The list of people">
                {(people) => (
                  <Table
                    isOfPeople
                    caption="People who are not Engineers, by role"
                    rows={withMoreThanOwnWork(people)}
                    keyOf={({ id }) => id}
                    columns={[
                      { name: 'Name', cell: ({ id, name }) => <Link href={accessOf(id)}>{name}</Link> },
                      { name: 'Role', cell: ({ access_role }) => access_role },
                      { name: 'Teams', cell: ({ teams }) => teams.map(({ name }) => name).join(', ') || '–' },
                      { name: 'Address', cell: ({ email }) => email ?? 'none: cannot sign in' },
                    ]}
                  />
                )}
              </Answered>
            </section>
            <section className="card" aria-labelledby="roles">
              <header>
                <h2 id="roles">What each role means</h2>
              </header>
              <dl className="stack">
                {accessRoles.map((role) => (
                  <div key={role}>
                    <dt>
                      <strong>{role}</strong>
                    </dt>
                    <dd className="secondary">{roleMeaning(role, session.organisation)}</dd>
                  </div>
                ))}
                <div>
                  <dt>
                    <strong>can-view-salaries</strong>
                  </dt>
                  <dd className="secondary">
                    a permission beside the role: salaries of people whose work they see, where the organisation shows
                    salaries at all
                  </dd>
                </div>
              </dl>
            </section>
          </div>
        </>
      )}
    </SettingsPage>
  );
}
