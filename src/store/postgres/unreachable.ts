import { Refusal } from '../../refusal.ts';

/** The server is gone or going, as opposed to a statement that it refused. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (code === undefined) return /terminated|timeout|connection/i.test(error.message);
  return /^(08|57P|53)/.test(code) || /^E[A-Z]+$/.test(code);
}

/**
 * The errors of an address of a database that the operator can correct: it answers and lets nobody in. The code is for
 * the log.
 */
export function unusableAddress(error: unknown): Refusal | undefined {
  const { code = '' } = error as { readonly code?: string };
  const problem = addressProblems.get(code);
  return problem === undefined ? undefined : new Refusal('bad-input', `${problem} (${code}).`, { cause: error });
}

const notAccepted = 'PostgreSQL does not accept the user and the password in the address of the store';
const addressProblems: ReadonlyMap<string, string> = new Map([
  ['28P01', notAccepted],
  ['28000', notAccepted],
  ['3D000', 'PostgreSQL has no database of the name in the address of the store'],
]);

export const unavailable = (cause: unknown) =>
  new Refusal('unavailable', 'The store cannot be reached at the moment. Send the request again.', {
    retryAfterSeconds: 2,
    cause,
  });
