import { useView } from '../../../ask/use-view.ts';
import { Table } from '../../../view/data-table.tsx';
import { grouped, shownTime } from '../../../view/format.ts';
import { NotSeenTable } from '../../../view/not-seen-table.tsx';
import { PersonLink } from '../../../view/person-link.tsx';
import { shownDate } from '../../../view/shown-date.ts';
import type { DataQualityAnswer, QualityTopic } from './questions.ts';

interface DetailsProps {
  readonly topic: QualityTopic;
  readonly quality: DataQualityAnswer;
}

/** The accounts, people, pull requests or repositories behind a line: at most a hundred, as the API returns them. */
export function QualityDetails({ topic, quality }: DetailsProps) {
  switch (topic) {
    case 'unknown':
      return <UnknownAccounts quality={quality} />;
    case 'not-onboarded':
      return <NotOnboardedPeople quality={quality} />;
    case 'sources':
      return <StreamProblems quality={quality} />;
    case 'gone':
      return <NoLongerListed quality={quality} />;
    case 'not-seen':
      return (
        <NotSeenTable
          caption="What connections could not see"
          rows={quality.sources.flatMap(({ name, not_seen }) => not_seen.map((one) => ({ connection: name, ...one })))}
        />
      );
    case 'left':
      return <PeopleWhoLeft quality={quality} />;
    case 'links':
      return (
        <Table
          caption="Accounts with the login of one person and the address of another"
          rows={quality.disputed_links}
          keyOf={({ source, login }) => `${source} ${login}`}
          columns={[
            { name: 'Account', cell: ({ source, login }) => `${login} (${source})` },
            { name: 'Counts for', cell: ({ linked_to }) => linked_to },
            { name: 'Its address belongs to', cell: ({ email_belongs_to }) => email_belongs_to },
          ]}
        />
      );
    case 'disputed':
      return (
        <Table
          caption="Accounts called both bot and person"
          rows={quality.disputed_accounts}
          keyOf={({ source, login, identifier }) => [source, login, identifier].join(' ')}
          columns={[
            {
              name: 'Account',
              cell: (one) => `${one.login ?? one.identifier ?? 'unnamed'} (${one.source ?? 'anywhere'})`,
            },
            { name: 'Records: bot', isNumber: true, cell: ({ bot_records }) => grouped(bot_records) },
            { name: 'Records: person', isNumber: true, cell: ({ person_records }) => grouped(person_records) },
            { name: 'Counts as', cell: ({ counts_as }) => counts_as },
          ]}
        />
      );
    case 'undeployed':
      return (
        <Table
          caption="Merged pull requests without a deployment, by status"
          rows={quality.pull_requests_without_deployment.by_status}
          keyOf={({ status }) => status}
          columns={[
            { name: 'Status', cell: ({ status }) => <code>{status}</code> },
            { name: 'Pull requests', isNumber: true, cell: ({ pull_requests }) => grouped(pull_requests) },
          ]}
        />
      );
    case 'incidents':
      return (
        <Table
          caption="Services of incidents without a repository, those with the most incidents first"
          rows={quality.incidents_without_repository.most_named}
          keyOf={({ service }) => service ?? ''}
          columns={[
            { name: 'Service', cell: ({ service }) => service ?? '–' },
            { name: 'Incidents', isNumber: true, cell: ({ incidents }) => grouped(incidents) },
          ]}
        />
      );
    case 'quiet':
      return <QuietRepositories quality={quality} />;
  }
}

type Part = { readonly quality: DataQualityAnswer };

function UnknownAccounts({ quality: { unknown_identities } }: Part) {
  return (
    <Table
      isOfPeople
      caption="Unmatched accounts, those with the most records first"
      rows={unknown_identities.most_named}
      keyOf={({ source, login, email }) => [source, login, email].join(' ')}
      columns={[
        { name: 'Account', cell: ({ login, email }) => login ?? email ?? 'unnamed' },
        { name: 'Where', cell: ({ source }) => source ?? 'anywhere' },
        { name: 'Name', cell: ({ name, is_bot }) => `${name ?? '–'}${is_bot ? ' (bot)' : ''}` },
        { name: 'Rows', isNumber: true, cell: ({ rows }) => grouped(rows) },
      ]}
    />
  );
}

function NotOnboardedPeople({ quality: { not_onboarded } }: Part) {
  return (
    <Table
      isOfPeople
      caption="People not in metrics"
      rows={not_onboarded.most_active.toSorted((a, b) => a.name.localeCompare(b.name))}
      keyOf={({ merged_user_id }) => merged_user_id}
      columns={[
        { name: 'Person', cell: (one) => <PersonLink id={one.merged_user_id}>{one.name}</PersonLink> },
        { name: 'Address', cell: ({ email }) => email ?? '–' },
        { name: 'Rows left out', isNumber: true, cell: ({ rows }) => grouped(rows) },
      ]}
    />
  );
}

function PeopleWhoLeft({ quality: { people_who_left } }: Part) {
  const { zone } = useView();
  return (
    <Table
      isOfPeople
      caption="People in metrics who left the code host"
      rows={people_who_left.latest}
      keyOf={({ merged_user_id }) => merged_user_id}
      columns={[
        { name: 'Person', cell: (one) => <PersonLink id={one.merged_user_id}>{one.name}</PersonLink> },
        { name: 'Logins', cell: ({ logins }) => logins.join(', ') },
        {
          name: 'Gone since',
          cell: ({ left_at }) => shownDate(left_at, zone),
          sortBy: ({ left_at }) => left_at,
        },
      ]}
    />
  );
}

function StreamProblems({ quality: { sources } }: Part) {
  const { zone } = useView();
  const problems = sources.flatMap(({ name, last_error, streams }) => [
    ...(last_error ? [{ name, scope: '', stream: 'the whole connection', since: null, ...last_error }] : []),
    ...streams.flatMap(({ scope, stream, last_success_at, last_error: error }) =>
      error ? [{ name, scope, stream, since: last_success_at, ...error }] : [],
    ),
  ]);
  return (
    <Table
      caption="Failed syncs"
      rows={problems}
      keyOf={({ name, scope, stream }) => [name, scope, stream].join(' ')}
      columns={[
        { name: 'Stream', cell: ({ name, scope, stream }) => [name, scope, stream].filter(Boolean).join(' · ') },
        { name: 'What went wrong', cell: ({ message }) => message },
        { name: 'What to do', cell: ({ to_do }) => to_do ?? 'It is tried again with the next sync.' },
        {
          name: 'Last success',
          cell: ({ since }) => (since ? shownTime(since, zone) : 'none'),
          sortBy: ({ since }) => since,
        },
      ]}
    />
  );
}

function NoLongerListed({ quality: { sources } }: Part) {
  return (
    <Table
      caption="Repositories that a connection has read and no longer finds"
      rows={sources.flatMap(({ id, name, no_longer_listed }) => no_longer_listed.map((scope) => ({ id, name, scope })))}
      keyOf={({ id, scope }) => `${id} ${scope}`}
      columns={[
        { name: 'Repository', cell: ({ scope }) => scope },
        { name: 'Connection', cell: ({ name }) => name },
      ]}
    />
  );
}

function QuietRepositories({ quality: { repositories_without_recent_data: quiet } }: Part) {
  const { zone } = useView();
  return (
    <Table
      caption="Repositories in which nothing happened for 30 days"
      rows={quiet.longest_quiet}
      keyOf={({ repository }) => repository}
      columns={[
        { name: 'Repository', cell: ({ repository }) => repository },
        {
          name: 'Newest record',
          cell: ({ newest_record_at }) => shownDate(newest_record_at, zone),
          sortBy: ({ newest_record_at }) => newest_record_at,
        },
      ]}
    />
  );
}
