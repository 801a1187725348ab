import { hidden, inherited } from '../column.ts';
import { boolean, date, text } from '../record.ts';

/** What the parts of a session know of it, its engineer included. */
export const sessionColumns = {
  session_id: text('Session it belongs to.'),
  engineer_email: inherited(text('Email address of the engineer of the session.')),
  merged_user_id: inherited(text('Identifier of the engineer in the directory.')),
  is_bot: inherited(boolean('Whether the engineer is a bot.')),
  actor: hidden(inherited(text('The engineer, or else the unknown account.'))),
  agent_slug: inherited(text('Coding agent of the session.')),
  model_slug: inherited(text('Model of the session.')),
  repo_name: inherited(text('Repository of the session.')),
  date: inherited(date('Day of the session.')),
} as const;

/** Who a part is of as its source says it. A part follows its session, so nothing is made of it. */
export const partsEngineer = {
  engineer_email: text('Email address of the engineer. The session decides.'),
  person_email: text('The same as engineer_email.'),
  person_login: text('Login of the engineer on a code host. The session decides.'),
} as const;

export const sessionParent = { table: 'posthook_sessions', key: ['session_id'] } as const;
