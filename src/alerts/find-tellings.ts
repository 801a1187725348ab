import type { TimeZone } from '../calendar.ts';
import type { AlertRule } from './alert-document.ts';
import type { CauseState, Happening } from './causes.ts';
import { evaluateRule, type RuleFacts } from './find-happenings.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { MessagePerson, Recipient } from './recipients.ts';

/** What one person sees happen, and to whom it is told. */
export interface Telling<F extends RuleFacts = RuleFacts> {
  readonly as: MessagePerson;
  readonly facts: F;
  readonly happenings: readonly Happening[];
  readonly recipients: readonly Recipient[];
}

/** What was told to each person in whose rights an alert was evaluated. */
export type StatesByPerson = ReadonlyMap<string, readonly CauseState[]>;

interface Tellings<F extends RuleFacts> {
  readonly tellings: readonly Telling<F>[];
  readonly states: StatesByPerson;
}

interface FoundAlert {
  readonly rule: AlertRule;
  readonly quiet?: QuietHours | undefined;
}

/** Evaluates an alert once for each person in whose rights it is made. What nobody gets any more is forgotten. */
export async function findTellings<F extends RuleFacts>(
  alert: FoundAlert,
  recipients: readonly Recipient[],
  factsFor: (person: MessagePerson) => Promise<F | undefined>,
  before: StatesByPerson,
  clock: { readonly now: number; readonly zone: TimeZone },
): Promise<Tellings<F>> {
  const tellings: Telling<F>[] = [];
  const states = new Map<string, readonly CauseState[]>();
  for (const as of new Map(recipients.map((recipient) => [recipient.as.id, recipient.as])).values()) {
    const facts = await factsFor(as);
    const evaluation = evaluateRule(alert, facts, before.get(as.id) ?? [], clock);
    states.set(as.id, evaluation.states);
    if (!facts || evaluation.happenings.length === 0) continue;
    const own = recipients.filter((recipient) => recipient.as.id === as.id);
    tellings.push({ as, facts, happenings: evaluation.happenings, recipients: own });
  }
  return { tellings, states };
}
