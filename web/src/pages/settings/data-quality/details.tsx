import { useView } from '../../../ask/use-view.ts';
import { Table } from '../../../view/data-table.tsx';
import { grouped, shownTime } from '../../../view/format.ts';
import { NotSeenTable } from '../../../view/not-seen-table.tsx';
import { PersonLink } from '../../../view/person-link.tsx';
import { shownDate } from '../../../view/shown-date.ts';
import type { DataQualityAnswer, QualityTopic } from './questions.ts';
import { detailsWords } from './words.ts';

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
          caption={detailsWords.whatConnectionsCouldNot}
          rows={quality.sources.flatMap(({ name, not_seen }) => not_seen.map((one) => ({ connection: name, ...one })))}
        />
      );
    case 'left':
      return <PeopleWhoLeft quality={quality} />;
    case 'links':
      return (
        <Table
          caption={detailsWords.accountsWithLogin}
          rows={quality.disputed_links}
          keyOf={({ source, login }) => `${source} ${login}`}
          columns={[
            { name: detailsWords.account, cell: ({ source, login }) => `${login} (${source})` },
            { name: detailsWords.counts, cell: ({ linked_to }) => linked_to },
            { name: detailsWords.itsAddressBelongs, cell: ({ email_belongs_to }) => email_belongs_to },
          ]}
        />
      );
    case 'disputed':
      return (
        <Table
          caption={detailsWords.accountsCalledBothBot}
          rows={quality.disputed_accounts}
          keyOf={({ source, login, identifier }) => [source, login, identifier].join(' ')}
          columns={[
            {
              name: detailsWords.account,
              cell: (one) => `${one.login ?? one.identifier ?? 'unnamed'} (${one.source ?? detailsWords.anywhere})`,
            },
            { name: detailsWords.recordsBot, isNumber: true, cell: ({ bot_records }) => grouped(bot_records) },
            { name: detailsWords.recordsPerson, isNumber: true, cell: ({ person_records }) => grouped(person_records) },
            { name: detailsWords.countsName, cell: ({ counts_as }) => counts_as },
          ]}
        />
      );
    case 'undeployed':
      return (
        <Table
          caption={detailsWords.mergedPullRequestsWithout}
          rows={quality.pull_requests_without_deployment.by_status}
          keyOf={({ status }) => status}
          columns={[
            { name: detailsWords.status, cell: ({ status }) => <code>{status}</code> },
            { name: detailsWords.pullRequests, isNumber: true, cell: ({ pull_requests }) => grouped(pull_requests) },
          ]}
        />
      );
    case 'incidents':
      return (
        <Table
          caption={detailsWords.servicesIncidentsWithoutRepository}
          rows={quality.incidents_without_repository.most_named}
          keyOf={({ service }) => service ?? ''}
          columns={[
            { name: detailsWords.service, cell: ({ service }) => service ?? '–' },
            { name: detailsWords.incidents, isNumber: true, cell: ({ incidents }) => grouped(incidents) },
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
      caption={detailsWords.unmatchedAccounts}
      rows={unknown_identities.most_named}
      keyOf={({ source, login, email }) => [source, login, email].join(' ')}
      columns={[
        { name: detailsWords.account, cell: ({ login, email }) => login ?? email ?? detailsWords.unnamed },
        { name: detailsWords.where, cell: ({ source }) => source ?? detailsWords.anywhere },
        {
          name: detailsWords.name,
          cell: ({ name, is_bot }) => (is_bot ? detailsWords.ofBot(name ?? '–') : (name ?? '–')),
        },
        { name: detailsWords.rows, isNumber: true, cell: ({ rows }) => grouped(rows) },
      ]}
    />
  );
}

function NotOnboardedPeople({ quality: { not_onboarded } }: Part) {
  return (
    <Table
      isOfPeople
      caption={detailsWords.peopleNotInMetrics}
      rows={not_onboarded.most_active.toSorted((a, b) => a.name.localeCompare(b.name))}
      keyOf={({ merged_user_id }) => merged_user_id}
      columns={[
        { name: detailsWords.person, cell: (one) => <PersonLink id={one.merged_user_id}>{one.name}</PersonLink> },
        { name: detailsWords.address, cell: ({ email }) => email ?? '–' },
        { name: detailsWords.rowsLeft, isNumber: true, cell: ({ rows }) => grouped(rows) },
      ]}
    />
  );
}

function PeopleWhoLeft({ quality: { people_who_left } }: Part) {
  const { zone } = useView();
  return (
    <Table
      isOfPeople
      caption={detailsWords.peopleInMetrics}
      rows={people_who_left.latest}
      keyOf={({ merged_user_id }) => merged_user_id}
      columns={[
        { name: detailsWords.person, cell: (one) => <PersonLink id={one.merged_user_id}>{one.name}</PersonLink> },
        { name: detailsWords.logins, cell: ({ logins }) => logins.join(', ') },
        {
          name: detailsWords.goneSince,
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
    ...(last_error ? [{ name, scope: '', stream: detailsWords.wholeConnection, since: null, ...last_error }] : []),
    ...streams.flatMap(({ scope, stream, last_success_at, last_error: error }) =>
      error ? [{ name, scope, stream, since: last_success_at, ...error }] : [],
    ),
  ]);
  return (
    <Table
      caption={detailsWords.failedSyncs}
      rows={problems}
      keyOf={({ name, scope, stream }) => [name, scope, stream].join(' ')}
      columns={[
        {
          name: detailsWords.stream,
          cell: ({ name, scope, stream }) => [name, scope, stream].filter(Boolean).join(' · '),
        },
        { name: detailsWords.whatWentWrong, cell: ({ message }) => message },
        { name: detailsWords.whatToDo, cell: ({ to_do }) => to_do ?? detailsWords.itTriedAgain },
        {
          name: detailsWords.lastSuccess,
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
      caption={detailsWords.repositoriesThatConnection}
      rows={sources.flatMap(({ id, name, no_longer_listed }) => no_longer_listed.map((scope) => ({ id, name, scope })))}
      keyOf={({ id, scope }) => `${id} ${scope}`}
      columns={[
        { name: detailsWords.repository, cell: ({ scope }) => scope },
        { name: detailsWords.connection, cell: ({ name }) => name },
      ]}
    />
  );
}

function QuietRepositories({ quality: { repositories_without_recent_data: quiet } }: Part) {
  const { zone } = useView();
  return (
    <Table
      caption={detailsWords.repositoriesInWhichNothing}
      rows={quiet.longest_quiet}
      keyOf={({ repository }) => repository}
      columns={[
        { name: detailsWords.repository, cell: ({ repository }) => repository },
        {
          name: detailsWords.newestRecord,
          cell: ({ newest_record_at }) => shownDate(newest_record_at, zone),
          sortBy: ({ newest_record_at }) => newest_record_at,
        },
      ]}
    />
  );
}
