import { seesSalaries } from './gates.ts';
import type { Principal } from './principal.ts';

/** What a key that somebody makes now will see, in a sentence for them. */
export function whatKeySees(maker: KeyMaker): string {
  const { role, visibility } = maker;
  const salaries = seesSalaries(maker) ? ', salaries included' : '';
  const also =
    'It follows you: when your role changes, so does what it sees, and when you are removed, it stops working.';
  return `A key of yours sees ${seen(role, visibility)}${salaries}. ${also}`;
}

type KeyMaker = Pick<Principal, 'role' | 'visibility' | 'salaryVisibility' | 'permissions'>;

function seen(role: Principal['role'], visibility: Principal['visibility']): string {
  switch (role) {
    case 'Owner':
      return 'everything in the organisation, and may onboard and offboard people and send records';
    case 'Manager':
      return visibility === 'organisation'
        ? 'the work of everyone in the organisation'
        : 'the work of the teams assigned to you, of everyone who reports to you, and your own';
    case 'Squad Lead':
      return 'the work of the squads that you lead and of the squads below them, and your own';
    case 'Engineer':
      return 'your own work, and the names and teams of everyone onboarded';
  }
}
