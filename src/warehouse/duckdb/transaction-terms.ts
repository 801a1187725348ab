import { serviceTicket, withoutSignal } from '../../admission/ticket.ts';
import type { ChangeOptions } from '../intake-port.ts';
import { writingSeconds } from './limits.ts';
import type { Task, TaskTerms } from './task.ts';

/** The parts of a task, but for the gate that it shares with others. */
export type TransactionTerms = Omit<TaskTerms, 'gate' | 'commits'>;

export type TransactionWork<T> = (task: Task, schema: string) => Promise<T>;

/** A file that is to take the place of another with the same rows. */
export interface FileReplacement {
  readonly isThere: () => boolean;
  readonly write: TransactionWork<void>;
  /** Whether it took the place. */
  readonly replace: () => Promise<boolean>;
}

/** For what reads everything. It lets everyone else go first, and takes as long as it takes. */
export const lowPriority = (organisationId: string, signal?: AbortSignal): TransactionTerms => ({
  organisationId,
  ticket: serviceTicket(organisationId, signal),
  lane: 'heavy',
  seconds: writingSeconds,
});

export const writing = (
  organisationId: string,
  { ticket = serviceTicket(organisationId), mayBeStopped = false }: ChangeOptions = {},
): TransactionTerms => ({
  organisationId,
  // A write under way goes on to its end.
  ticket: mayBeStopped ? ticket : withoutSignal(ticket),
  lane: 'writing',
  seconds: writingSeconds,
});
