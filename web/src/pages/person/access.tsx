import { useRef, useState } from 'react';
import { accessRoles, type FullPerson, roleMeaning } from '../../ask/people-answers.ts';
import { sendJson } from '../../ask/send.ts';
import { queryClient } from '../../ask/use-answer.ts';
import { useGroups } from '../../ask/use-groups.ts';
import { useSession } from '../../page-session.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { CodeBlock } from '../../view/code-block.tsx';
import { ConfirmDialog } from '../../view/confirm.tsx';
import { CheckField, SelectField } from '../../view/form.tsx';
import { personPath, refreshPeople } from './details.tsx';
import { accessTaken } from './draft.ts';
import { SignInLink } from './sign-in-link.tsx';

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
      return `${person.name} is now ${role}${managed.length > 0 && role === 'Manager' ? ` of ${managed.join(', ')}` : ''}. It holds at once, for their keys as well.`;
    });
  const toggle = (list: readonly string[], one: string, isIn: boolean) =>
    isIn ? [...list.filter((other) => other !== one), one] : list.filter((other) => other !== one);
  return (
    <>
      <section className="card" aria-labelledby="access">
        <header>
          <h2 id="access">Role and access</h2>
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
            label="Role"
            value={role}
            onChange={setRole}
            hint={`${role} ${roleMeaning(role, organisation)}.`}
            choices={accessRoles.map((one) => [one, one] as const)}
          />
          <CheckField
            label="May see salaries"
            hint={
              organisation.salary_visibility
                ? 'Of people whose work they see. Each reading is written into the audit log.'
                : 'Without effect while the organisation hides salaries.'
            }
            value={permissions.includes(salaryPermission)}
            onChange={(isIn) => setPermissions(toggle(permissions, salaryPermission, isIn))}
          />
          {(role === 'Manager' || managed.length > 0) && (
            <fieldset>
              <legend>Teams assigned to them</legend>
              <p className="small secondary">
                {organisation.team_restrictions
                  ? 'As Manager they see the work of these teams and of those who report to them.'
                  : 'Without effect while Managers are not restricted to their teams.'}
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
              Save
            </button>
          </div>
          <ActionOutcome action={action} />
          <ConfirmDialog dialog={dialog} title={`Remove ${person.name}’s access?`} verb="Save" onConfirm={save}>
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
            <h2 id="sign-in-link">Send an invite</h2>
            <p className="subtitle">{signInWords(person)}</p>
          </div>
        </header>
        {person.email && <SignInLink person={person} />}
        {person.email && (
          <CodeBlock
            name="Command that makes a sign-in link"
            label="Copy"
            text={`${command} person sign-in --org ${organisation.id} ${person.email}`}
          />
        )}
      </section>
    </>
  );
}

function signInWords({ email, access_role }: FullPerson): string {
  if (!email) return 'Add an email address first, under “Change details”.';
  const works = 'A link that works once. With it they choose a password, or replace a forgotten one.';
  return access_role === 'Owner'
    ? `${works} For an Owner who can already sign in, only the operator of the server can make one.`
    : `${works} The operator of the server can also make one.`;
}
