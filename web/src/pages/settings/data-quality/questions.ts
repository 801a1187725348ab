import type { NotSeen } from '../../../ask/sources.ts';
import type { StaleTable } from '../../../ask/status-answer.ts';
import { counted, grouped } from '../../../view/format.ts';

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

const people = { path: '/people', part: 'matching', name: 'Match people' };

/** All lines, those that need work first, ordered by how much they distort numbers. */
export function qualityLines(answer: DataQualityAnswer): readonly QualityLine[] {
  const { unknown_identities: unknown, not_onboarded: absent, sources } = answer;
  const failing = sources.flatMap((source) => [
    ...(source.last_error ? [source.name] : []),
    ...source.streams.filter(({ last_error }) => last_error).map(() => source.name),
  ]);
  const gone = sources.flatMap(({ no_longer_listed }) => no_longer_listed);
  const notSeen = sources.flatMap(({ not_seen }) => not_seen);
  const undeployed = answer.pull_requests_without_deployment;
  const quiet = answer.repositories_without_recent_data;
  const lines: readonly QualityLine[] = [
    {
      topic: 'sources',
      title: 'Failed syncs',
      count: failing.length,
      means: 'What they bring is missing since their last success.',
      toDo: 'See below what to do for each, then check the connection and sync it again.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'gone',
      title: 'Repositories no longer found',
      count: gone.length,
      means: 'Their records stay and count. Nothing new arrives. Each is listed for 30 days.',
      toDo: 'Nothing where it was deleted or archived on purpose. Else give the token access again, name it in the connection’s settings, or connect its new owner.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'not-seen',
      title: 'Not visible to a connection',
      count: notSeen.length,
      means: 'These numbers are too small, or start late. Syncing again doesn’t help.',
      toDo: 'Nothing if that is intended, or if the provider shows it to no one. If a right is missing, grant it.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
    {
      topic: 'unknown',
      title: 'Unmatched accounts',
      count: unknown.accounts,
      means: `${counted(unknown.rows, 'row is', 'rows are')} unmatched. Filters by person or team don’t count them.`,
      toDo: 'Add the login or address to the person it belongs to, or add the person.',
      where: people,
    },
    {
      topic: 'not-onboarded',
      title: 'People not in metrics',
      count: absent.people,
      means: `${counted(absent.rows, 'of their records isn’t', 'of their records aren’t')} counted.`,
      toDo: 'Include the people who should count. Those who left, or work elsewhere, can stay as they are.',
      where: { path: '/people', part: 'onboarding', name: 'Include people' },
    },
    {
      topic: 'left',
      title: 'People in metrics who left the code host',
      count: answer.people_who_left.people,
      means: 'They still count, also in rates per person.',
      toDo: 'Exclude those who left. A connection can do this for you with “Exclude leavers”.',
      where: { path: '/people', part: 'onboarding', name: 'Exclude people' },
    },
    {
      topic: 'links',
      title: 'Accounts with the login of one person and the address of another',
      count: answer.disputed_links.length,
      means: 'Their work counts for the person who has the login.',
      toDo: 'Merge the two if they are the same person. Otherwise remove the login from the wrong one.',
      where: people,
    },
    {
      topic: 'disputed',
      title: 'Accounts called a bot by some records and a person by others',
      count: answer.disputed_accounts.length,
      means: 'Most of their records decide. Bots don’t count as authors or reviewers.',
      toDo: 'Say on the person’s page whether it is a bot: that holds whatever records say.',
      where: { path: '/people', name: 'Open people' },
    },
    {
      topic: 'undeployed',
      title: 'Merged pull requests without a known deployment',
      count: undeployed.pull_requests,
      means: 'They have no lead time, and appear in no deployment.',
      toDo: 'Changes waiting to deploy resolve on their own. For the rest, set a deployment source or send deployments.',
      where: { path: '/delivery', name: 'Open delivery' },
    },
    {
      topic: 'incidents',
      title: 'Incidents without a repository',
      count: answer.incidents_without_repository.incidents,
      means: 'Their service is no known repository, or several, so they make no deployment fail.',
      toDo: 'Send them with the repository (owner/name), or with the deployment that caused them.',
      where: { path: '/delivery', name: 'Open delivery' },
    },
    {
      topic: 'quiet',
      title: 'Repositories in which nothing happened for 30 days',
      count: quiet.repositories,
      means: 'They may be finished, or no longer be read.',
      toDo: 'If work goes on there, check that the connection’s token still sees them.',
      where: { path: '/settings/connections', name: 'Open connections' },
    },
  ];
  return [...lines.filter(({ count }) => count > 0), ...lines.filter(({ count }) => count === 0)];
}

/** The page's sentence: whether numbers can be trusted, and what distorts them most. */
export function qualitySentence(answer: DataQualityAnswer): string {
  if (answer.freshness.tables.length === 0) return 'No data yet, so there’s nothing to judge.';
  const open = qualityLines(answer).filter(({ count }) => count > 0);
  const [first] = open;
  if (!first) return 'Nothing stands in the way of the numbers.';
  const rows = answer.freshness.tables.reduce((sum, { rows: all }) => sum + all, 0);
  const lost = answer.unknown_identities.rows + answer.not_onboarded.rows;
  const share = lost > 0 ? ` ${grouped(lost)} of ${counted(rows, 'row', 'rows')} count for no one.` : '';
  return `${counted(open.length, 'thing', 'things')} to look at, ${first.title[0]?.toLowerCase()}${first.title.slice(1)} first.${share}`;
}

export const curlOf = (publicUrl: string): string =>
  `curl -s '${publicUrl.replace(/\/$/, '')}${dataQualityPath}' -H "Authorization: $KEY"`;
