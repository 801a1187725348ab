import { Refusal } from '../../refusal.ts';

/** The server is gone or going, as opposed to a statement that it refused. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (code === undefined) return /terminated|timeout|connection/i.test(error.message);
  return /^(08|57P|53)/.test(code) || /^E[A-Z]+$/.test(code);
}

export const unavailable = (cause: unknown) =>
  new Refusal('unavailable', 'The store cannot be reached at the moment. Send the request again.', {
    retryAfterSeconds: 2,
    cause,
  });
