import { useRef, useState } from 'react';
import { accessRoles, type FullPerson } from '../../ask/people-answers.ts';
import { roleMeaning } from '../../ask/role-words.ts';
import { sendJson } from '../../ask/send.ts';
import { queryClient } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { ConfirmDialog } from '../../view/confirm.tsx';
import { CheckField, SelectField } from '../../view/form.tsx';
import { personPath, refreshPeople } from './details.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { accessTaken, accessWords } from './words.ts';

const salaryPermission = 'can-view-salaries';

/** Role, permission and assigned teams. Before a right is taken away, the form asks once more. */
export function PersonAccess({ person }: { readonly person: FullPerson }) {
  const before = {
    role: person.access_role ?? 'Engineer',
    permissions: person.permissions ?? [],
    managed: (person.managed_teams ?? []).map(({ name }) => name),
  };
  const [role, setRole] = useState(before.role);
  const [permissions, setPermissions] = useState(before.permissions);
  const [managed, setManaged] = useState<readonly string[]>(before.managed);
  const groups = useGroups();
  const action = useAction();
  const dialog = useRef<HTMLDialogElement>(null);
  const { organisation, command } = useSession();
  const isDifferent = (one: readonly string[], other: readonly string[]) =>
    one.toSorted().join('\n') !== other.toSorted().join('\n');
  const changed = {
    ...(role !== before.role ? { access_role: role } : {}),
    ...(isDifferent(permissions, before.permissions) ? { permissions } : {}),
    ...(isDifferent(managed, before.managed) ? { managed_teams: managed } : {}),
  };
  const taken = accessTaken(before, { role, permissions, managed });
  const save = () =>
    void action.run(async () => {
      await sendJson('PATCH', personPath(person), changed);
      await refreshPeople();
      await queryClient.invalidateQueries({ queryKey: ['session'] });
      return accessWords.nowItHolds(person.name, role, managed.length, managed.join(', '));
    });
  const toggle = (list: readonly string[], one: string, isIn: boolean) =>
    isIn ? [...list.filter((other) => other !== one), one] : list.filter((other) => other !== one);
  return (
    <>
      <section className="card" aria-labelledby="access">
        <header>
          <h2 id="access">{accessWords.roleAndAccess}</h2>
        </header>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (taken.length > 0) dialog.current?.showModal();
            else save();
          }}
        >
          <SelectField
            label={accessWords.role}
            value={role}
            onChange={setRole}
            hint={`${role} ${roleMeaning(role, organisation)}.`}
            choices={accessRoles.map((one) => [one, one] as const)}
          />
          <CheckField
            label={accessWords.maySeeSalaries}
            hint={
              organisation.salary_visibility ? accessWords.peopleWhoseWork : accessWords.withoutEffectWhileOrganisation
            }
            value={permissions.includes(salaryPermission)}
            onChange={(isIn) => setPermissions(toggle(permissions, salaryPermission, isIn))}
          />
          {(role === 'Manager' || managed.length > 0) && (
            <fieldset>
              <legend>{accessWords.teamsAssigned}</legend>
              <p className="small secondary">
                {organisation.team_restrictions ? accessWords.asManagerTheySee : accessWords.withoutEffectWhileManagers}
              </p>
              <div className="checks">
                {(groups.data?.teams ?? []).map(({ id, name }) => (
                  <CheckField
                    key={id}
                    label={name}
                    value={managed.includes(name)}
                    onChange={(isIn) => setManaged(toggle(managed, name, isIn))}
                  />
                ))}
              </div>
            </fieldset>
          )}
          <div className="row">
            <button
              type="submit"
              className="button primary"
              disabled={Object.keys(changed).length === 0 || action.isBusy}
            >
              {accessWords.save}
            </button>
          </div>
          <ActionOutcome action={action} />
          <ConfirmDialog
            dialog={dialog}
            title={accessWords.removeSAccess(person.name)}
            verb={accessWords.save}
            onConfirm={save}
          >
            <ul className="stack">
              {taken.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </ConfirmDialog>
        </form>
      </section>
      <section className="card" aria-labelledby="sign-in-link">
        <header>
          <div>
            <h2 id="sign-in-link">{accessWords.sendInvite}</h2>
            <p className="subtitle">{signInWords(person)}</p>
          </div>
        </header>
        {person.email && <SignInLink person={person} />}
        {person.email && (
          <CodeBlock
            name={accessWords.commandThatMakesSign}
            label={accessWords.copy}
            text={`${command} person sign-in --org ${organisation.id} ${person.email}`}
          />
        )}
      </section>
    </>
  );
}

function signInWords({ email, access_role }: FullPerson): string {
  if (!email) return accessWords.addEmailAddressFirst;
  const works = accessWords.linkThatWorksOnce;
  return access_role === 'Owner' ? accessWords.forOwnerWhoCan(works) : accessWords.operatorServerCanAlso(works);
}
