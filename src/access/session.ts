import { msPerDay } from '../calendar.ts';

const signInMethods = ['link', 'password', 'openid'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** A session ends when it was not used for so long, */
export const idleMs = 12 * 3_600_000;
/** and this long after it began in any case. */
export const lifeMs = 30 * msPerDay;

/** The session by which the caller asks. */
export interface PrincipalSession {
  readonly id: string;
  readonly method: SignInMethod;
}
