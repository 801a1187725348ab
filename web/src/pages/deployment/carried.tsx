import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { grouped } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type CarriedPullRequest, carriedList } from './carried-list.ts';
import { carriedPullRequests } from './questions.ts';
import { carriedWords } from './words.ts';

/** The page asks for no more ids than these one by one: a request holds only so many. */
const maxAsked = 200;

/** The pull requests that the deployment brought to production. */
export function Carried({ row, view }: { readonly row: Row; readonly view: View }) {
  const ids = carriedList(row, []).map(({ id }) => id);
  const question = carriedPullRequests(ids.slice(0, maxAsked), view.today);
  const answer = useAnswer(ids.length === 0 ? undefined : question);
  const carried = carriedList(row, ids.length === 0 ? [] : (answer.data?.rows ?? []));
  if (ids.length === 0) {
    return (
      <section className="card" aria-label={carriedWords.changesInThisDeployment}>
        <header>
          <h2>{carriedWords.changesInThisDeployment}</h2>
        </header>
        <State kind="empty" title={carriedWords.noKnownPullRequests}>
          {carriedWords.failedRunRollbackFirst}
        </State>
      </section>
    );
  }
  return (
    <TableCard
      title={carriedWords.changesInThisDeployment}
      subtitle={carriedWords.youCanSee(carried.length, ids.length, maxAsked)}
      question={question}
      answer={{ ...answer, data: answer.data ? carried : undefined }}
    >
      {(list) => (
        <Table caption={carriedWords.changesInThisDeployment} rows={list} keyOf={({ id }) => id} columns={columns} />
      )}
    </TableCard>
  );
}

const columns: readonly TableColumn<CarriedPullRequest>[] = [
  {
    name: carriedWords.pullRequest,
    cell: ({ id, title, number }) => (
      <>
        <PageLink to={`/pull-requests/${encodeURIComponent(id)}`}>{title}</PageLink>
        {number !== null && <span className="secondary"> #{number}</span>}
      </>
    ),
  },
  { name: carriedWords.author, cell: ({ author }) => author ?? '–' },
  {
    name: carriedWords.size,
    isNumber: true,
    cell: ({ additions, deletions }) =>
      additions === null && deletions === null ? '–' : `+${grouped(additions ?? 0)} −${grouped(deletions ?? 0)}`,
  },
  {
    name: carriedWords.mergeToProduction,
    isNumber: true,
    cell: ({ mergeToDeploy }) => <Value value={mergeToDeploy} measure="duration" />,
  },
  {
    name: carriedWords.leadTime,
    isNumber: true,
    cell: ({ leadTime }) => <Value value={leadTime} measure="duration" />,
  },
];
