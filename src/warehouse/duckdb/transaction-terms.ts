import { serviceTicket, withoutSignal } from '../../admission/ticket.ts';
import type { ChangeOptions } from '../intake-port.ts';
import { writingSeconds } from './limits.ts';
import type { TaskTerms } from './task.ts';

/** The parts of a task, but for the gate that it shares with others. */
export type TransactionTerms = Omit<TaskTerms, 'gate' | 'commits'>;

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
