import type { NotSeen } from '../../../ask/sources.ts';
import type { StaleTable } from '../../../ask/status-answer.ts';

export const dataQualityPath = '/data-quality';

interface StreamProblem {
  readonly at: string | null;
  readonly message: string;
  readonly to_do: string | null;
}

/** The part of `GET /data-quality` that the page shows. */
export interface DataQualityAnswer {
  readonly unknown_identities: {
    readonly accounts: number;
    readonly rows: number;
    readonly most_named: readonly {
      readonly source: string | null;
      readonly login: string | null;
      readonly email: string | null;
      readonly name: string | null;
      readonly is_bot: boolean;
      readonly rows: number;
    }[];
  };
  readonly disputed_accounts: readonly {
    readonly source: string | null;
    readonly login: string | null;
    readonly identifier: string | null;
    readonly bot_records: number;
    readonly person_records: number;
    readonly counts_as: string;
  }[];
  readonly not_onboarded: {
    readonly people: number;
    readonly rows: number;
    readonly most_active: readonly {
      readonly merged_user_id: string;
      readonly name: string;
      readonly email: string | null;
      readonly rows: number;
    }[];
  };
  readonly people_who_left: {
    readonly people: number;
    readonly latest: readonly {
      readonly merged_user_id: string;
      readonly name: string;
      readonly logins: readonly string[];
      readonly left_at: string;
    }[];
  };
  readonly disputed_links: readonly {
    readonly source: string;
    readonly login: string;
    readonly linked_to: string;
    readonly email_belongs_to: string;
  }[];
  readonly pull_requests_without_deployment: {
    readonly pull_requests: number;
    readonly by_status: readonly { readonly status: string; readonly pull_requests: number }[];
  };
  readonly incidents_without_repository: {
    readonly incidents: number;
    readonly most_named: readonly { readonly service: string | null; readonly incidents: number }[];
  };
  readonly repositories_without_recent_data: {
    readonly repositories: number;
    readonly longest_quiet: readonly { readonly repository: string; readonly newest_record_at: string | null }[];
  };
  readonly sources: readonly {
    readonly id: string;
    readonly name: string;
    readonly outcome: string | null;
    /** Repositories and the like that earlier syncs read and the last one did not find. */
    readonly no_longer_listed: readonly string[];
    readonly not_seen: readonly NotSeen[];
    readonly last_error: StreamProblem | null;
    readonly streams: readonly {
      readonly stream: string;
      readonly scope: string;
      readonly last_success_at: string | null;
      readonly last_error: StreamProblem | null;
    }[];
  }[];
  readonly freshness: {
    readonly newest_record_at: string | null;
    readonly tables: readonly {
      readonly table: string;
      readonly rows: number;
      readonly newest_record_at: string | null;
      readonly data_through: string | null;
    }[];
    readonly data_through: string | null;
    readonly stale: readonly StaleTable[];
  };
}

export type QualityTopic =
  | 'unknown'
  | 'not-onboarded'
  | 'sources'
  | 'gone'
  | 'not-seen'
  | 'left'
  | 'links'
  | 'disputed'
  | 'undeployed'
  | 'incidents'
  | 'quiet';

/** One line: how much there is, what it means for the numbers, and what to do about it. */
export interface QualityLine {
  readonly topic: QualityTopic;
  readonly title: string;
  readonly count: number;
  readonly means: string;
  readonly toDo: string;
  /** The page on which it is mended; a command or a request where no page does it. */
  readonly where: { readonly path: string; readonly part?: string; readonly name: string } | undefined;
}

export const curlOf = (publicUrl: string): string =>
  `curl -s '${publicUrl.replace(/\/$/, '')}${dataQualityPath}' -H "Authorization: $KEY"`;
