import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { counted, grouped } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type CarriedPullRequest, carriedList } from './carried-list.ts';
import { carriedPullRequests } from './questions.ts';

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
      <section className="card" aria-label="Changes in this deployment">
        <header>
          <h2>Changes in this deployment</h2>
        </header>
        <State kind="empty" title="No known pull requests">
          A failed run, a rollback, the first known deployment of a repository, and one whose changes were live before
          contain none. Pull requests of people you can’t see aren’t counted.
        </State>
      </section>
    );
  }
  return (
    <TableCard
      title="Changes in this deployment"
      subtitle={`${counted(carried.length, 'pull request', 'pull requests')} you can see${ids.length > maxAsked ? `, times of the first ${maxAsked}` : ''}`}
      question={question}
      answer={{ ...answer, data: answer.data ? carried : undefined }}
    >
      {(list) => <Table caption="Changes in this deployment" rows={list} keyOf={({ id }) => id} columns={columns} />}
    </TableCard>
  );
}

const columns: readonly TableColumn<CarriedPullRequest>[] = [
  {
    name: 'Pull request',
    cell: ({ id, title, number }) => (
      <>
        <PageLink to={`/pull-requests/${encodeURIComponent(id)}`}>{title}</PageLink>
        {number !== null && <span className="secondary"> #{number}</span>}
      </>
    ),
  },
  { name: 'Author', cell: ({ author }) => author ?? '–' },
  {
    name: 'Size',
    isNumber: true,
    cell: ({ additions, deletions }) =>
      additions === null && deletions === null ? '–' : `+${grouped(additions ?? 0)} −${grouped(deletions ?? 0)}`,
  },
  {
    name: 'Merge to production',
    isNumber: true,
    cell: ({ mergeToDeploy }) => <Value value={mergeToDeploy} measure="duration" />,
  },
  { name: 'Lead time', isNumber: true, cell: ({ leadTime }) => <Value value={leadTime} measure="duration" /> },
];
