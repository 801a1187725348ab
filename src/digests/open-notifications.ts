import { Alerts } from '../alerts/alert-evaluation.ts';
import { factsOf } from '../alerts/alert-facts.ts';
import type { ReceiverParts } from '../alerts/kept-receivers.ts';
import type { Messages } from '../messages/messages.ts';
import type { Store } from '../store/store.ts';
import { Digests } from './digests.ts';
import { type EvaluationParts, EvaluationSchedule } from './evaluation-schedule.ts';
import type { DigestMakerParts } from './make-digest.ts';
import type { OrganisationDocuments } from './organisation-documents.ts';
import { ReceivedNotifications } from './received-notifications.ts';

interface NotificationParts extends Omit<DigestMakerParts, 'boards' | 'goals'> {
  readonly store: Store;
  readonly secrets: ReceiverParts['secrets'];
  readonly messages: Messages;
  readonly documents: OrganisationDocuments;
  readonly warehouse: EvaluationParts['warehouse'];
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
}

/** Alerts and digests, ready to be evaluated and sent. */
export interface OpenedNotifications {
  readonly alerts: Alerts;
  readonly digests: Digests;
  /** What each person is sent, and how they stop it. */
  readonly notifications: ReceivedNotifications;
  /** Evaluates and sends, once it is started. */
  readonly evaluations: EvaluationSchedule;
}

export function openNotifications(parts: NotificationParts): OpenedNotifications {
  const { store, metrics, attention, documents, now } = parts;
  const { board: boards, goal: goals } = documents;
  const asked = { store, metrics, attention, goals, now };
  const alerts = new Alerts({
    ...parts,
    documents: documents.alert,
    factsOf: (principal, rule, signal) => factsOf(asked, principal, rule, signal),
  });
  const digests = new Digests({ ...parts, boards, goals, documents: documents.digest });
  const notifications = new ReceivedNotifications(parts);
  return { alerts, digests, notifications, evaluations: new EvaluationSchedule({ ...parts, alerts, digests }) };
}
