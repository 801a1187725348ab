import { CommanderError } from 'commander';
import { Refusal } from '../refusal.ts';

export const exitCode = { done: 0, failed: 1, wrongUsage: 2, notFound: 3, notAllowed: 4, partlyDone: 5 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The one place where an error becomes an exit code. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.wrongUsage;
  if (!(error instanceof Refusal)) return exitCode.failed;
  switch (error.reason) {
    case 'bad-input':
    case 'not-json':
    case 'too-large':
    case 'too-long-address':
    case 'method-not-allowed':
    case 'condition-missing':
      return exitCode.wrongUsage;
    case 'not-found':
      return exitCode.notFound;
    case 'unauthenticated':
    case 'forbidden':
      return exitCode.notAllowed;
    case 'conflict':
    case 'changed-meanwhile':
    case 'unavailable':
    case 'too-many-requests':
    case 'too-late':
    case 'too-slow':
      return exitCode.failed;
  }
}
