import type { Listed } from '../../../ask/stored-documents.ts';

export const notificationsPath = '/app/notifications';

/** Where a message goes: an email address, or host and last four characters of a channel. */
export type Receiver = Readonly<Partial<Record<'email' | 'slack' | 'teams' | 'webhook', string>>>;

export interface Origin {
  readonly kind: 'alert' | 'digest';
  readonly slug: string;
}

export interface Received extends Origin {
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly addresses: readonly string[];
  readonly is_stopped: boolean;
}

export interface Delivery extends Origin {
  readonly id: string;
  readonly receiver: Receiver;
  readonly title: string;
  readonly state: 'queued' | 'sent' | 'failed';
  readonly tries: number;
  readonly status: string | null;
  readonly queued_at: string;
  readonly tried_at: string | null;
  readonly next_try_at: string | null;
}

export interface Notifications {
  readonly missing_settings: readonly string[];
  readonly received: readonly Received[];
  readonly deliveries: readonly Delivery[];
}

type Filters = Readonly<Record<string, unknown>>;
export type Period = 'week' | 'month' | 'quarter';
export type WaitingFor = 'review' | 'merge' | 'deploy';

export type Rule =
  | { readonly goal_missed: { readonly goal: string; readonly periods: number } }
  | {
      readonly unusual: {
        readonly metric: string;
        readonly aggregation?: string | null;
        readonly filters?: Filters;
        readonly period: Period;
      };
    }
  | { readonly source_behind: { readonly hours: number } }
  | { readonly waiting: { readonly for: WaitingFor; readonly hours: number; readonly filters?: Filters } };

export interface AlertDocument {
  readonly alert?: string;
  readonly rule: Rule;
  readonly to: readonly Receiver[];
  readonly quiet?: { readonly from?: string; readonly until?: string; readonly weekends?: boolean };
}

export interface DigestDocument {
  readonly digest?: string;
  readonly board: string | null;
  readonly filters?: Filters;
  readonly every: string;
  readonly to: readonly Receiver[];
}

/** An alert or a digest, as the lists of this page show it. */
export interface Notification extends Origin, Listed {
  readonly about: string;
  readonly to: readonly Receiver[];
}

export const receiverText = (receiver: Receiver): string => Object.values(receiver)[0] ?? '';
