import { DocumentCollection, type SendDocument } from './document-collection.ts';
import type { MetricName } from './question.ts';

/** Where messages go. The address of a channel is shown as its host and its last four characters. */
export type MessageTo =
  | { readonly slack: string }
  | { readonly teams: string }
  | { readonly email: string }
  | { readonly webhook: string };

type QuestionFilters = Readonly<Record<string, unknown>>;

/** When an alert fires. */
export type AlertRule =
  | { readonly goal_missed: { readonly goal: string; readonly periods?: number } }
  | {
      readonly unusual: {
        readonly metric: MetricName;
        readonly aggregation?: string;
        readonly filters?: QuestionFilters;
        readonly period: 'week' | 'month' | 'quarter';
      };
    }
  | { readonly source_behind: { readonly hours?: number } }
  | {
      readonly waiting: {
        readonly for: 'review' | 'merge' | 'deploy';
        readonly hours?: number;
        readonly filters?: QuestionFilters;
      };
    };

/** What signs the bodies of a new webhook: only in the answer to what made it. */
interface MadeSecrets {
  readonly webhook_secrets?: readonly { readonly webhook: string; readonly secret: string }[];
}

/** An alert: a rule, and who is told when it fires. */
export interface AlertDocument extends MadeSecrets {
  readonly alert?: string;
  readonly rule: AlertRule;
  readonly to: readonly MessageTo[];
  readonly quiet?: { readonly from?: string; readonly until?: string; readonly weekends?: boolean };
}

/** A digest: the overview or a board, sent at its time. */
export interface DigestDocument extends MadeSecrets {
  readonly digest?: string;
  readonly board: string | null;
  readonly filters?: QuestionFilters;
  /** `monday 08:00`, `day 08:00` or `month 1 08:00`. */
  readonly every: string;
  readonly to: readonly MessageTo[];
}

/** What was sent for an alert, and what became of it. */
export interface AnsweredDelivery {
  /** The same on every try. */
  readonly id: string;
  readonly receiver: Readonly<Record<string, string>>;
  readonly title: string;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly tries: number;
  readonly status: string | null;
  readonly queued_at: string;
  readonly tried_at: string | null;
  readonly done_at: string | null;
}

/** The alerts that the key may see: those of its creator, and all for Owners. */
export class AlertCollection extends DocumentCollection<AlertDocument> {
  readonly #sendRequest: SendDocument;

  constructor(send: SendDocument) {
    super('alerts', send);
    this.#sendRequest = send;
  }

  /** Sends an example to everyone whom the alert tells, and answers with how many that are. */
  async test(name: string): Promise<number> {
    const response = await this.#sendRequest(`alerts/${encodeURIComponent(name)}/test`, { method: 'POST' });
    return ((await response.json()) as { readonly sent: number }).sent;
  }

  /** The newest messages of an alert, and what became of them. */
  async deliveries(name: string): Promise<readonly AnsweredDelivery[]> {
    const response = await this.#sendRequest(`alerts/${encodeURIComponent(name)}/deliveries`, { method: 'GET' });
    return (await response.json()) as AnsweredDelivery[];
  }
}
