import { Link, useLocation } from 'wouter';
import { accessRoles } from '../../../ask/people-answers.ts';
import { roleMeaning } from '../../../ask/role-words.ts';
import { useView } from '../../../ask/use-view.ts';
import { linkTo } from '../../../ask/view-state.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Table } from '../../../view/data-table.tsx';
import { PersonPicker } from '../../../view/person-picker.tsx';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useEveryone } from './questions.ts';
import { withMoreThanOwnWork } from './roles.ts';
import { peopleWords, rolesSentence } from './words.ts';

/** People who may see and do more than an Engineer. The page of a person changes their role. */
export default function RolesPage() {
  const session = useSession();
  const answer = useEveryone(isOwner(session));
  const [, navigate] = useLocation();
  const { state } = useView();
  const accessOf = (id: string) => linkTo(`/people/${encodeURIComponent(id)}`, state, { part: 'access' });
  return (
    <SettingsPage
      title={peopleWords.rolesAndPermissions}
      ownersOnly={peopleWords.rolesAndPermissionsOwnersOnly}
      sentence={answer.data ? rolesSentence(answer.data) : ' '}
    >
      {() => (
        <>
          <section className="card" aria-labelledby="change-role">
            <header>
              <h2 id="change-role">{peopleWords.changeRole}</h2>
            </header>
            <div className="form">
              <PersonPicker label={peopleWords.whose} onPick={({ id }) => navigate(accessOf(id))} />
            </div>
          </section>
          <div className="columns is-top">
            <section className="card" aria-labelledby="more">
              <header>
                <h2 id="more">{peopleWords.peopleWithMore}</h2>
              </header>
              <Answered answer={answer} what={peopleWords.listPeople}>
                {(people) => (
                  <Table
                    isOfPeople
                    caption={peopleWords.peopleWhoNotEngineers}
                    rows={withMoreThanOwnWork(people)}
                    keyOf={({ id }) => id}
                    columns={[
                      { name: peopleWords.name, cell: ({ id, name }) => <Link href={accessOf(id)}>{name}</Link> },
                      { name: peopleWords.role, cell: ({ access_role }) => access_role },
                      { name: peopleWords.teams, cell: ({ teams }) => teams.map(({ name }) => name).join(', ') || '–' },
                      { name: peopleWords.address, cell: ({ email }) => email ?? peopleWords.noneCannotSign },
                    ]}
                  />
                )}
              </Answered>
            </section>
            <section className="card" aria-labelledby="roles">
              <header>
                <h2 id="roles">{peopleWords.whatEachRoleMeans}</h2>
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
                    <strong>{peopleWords.canViewSalaries}</strong>
                  </dt>
                  <dd className="secondary">{peopleWords.permissionBesideRoleSalaries}</dd>
                </div>
              </dl>
            </section>
          </div>
        </>
      )}
    </SettingsPage>
  );
}
