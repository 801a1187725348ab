import { expect, test } from 'vitest';
import type { Principal } from '../../../src/access/principal.ts';
import { scopeAlike, scopeTo } from '../../../src/access/scope.ts';
import type { Table } from '../../../src/catalogue/table.ts';
import { surveyRecipients, surveyResponses } from '../../../src/catalogue/tables/surveys.ts';
import { workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import type { Plan } from '../../../src/query/plan.ts';
import { duckdbDialect } from '../../../src/warehouse/duckdb/dialect.ts';
import { guarded } from '../../../src/warehouse/sql/guard.ts';
import { SqlQuerySession } from '../../../src/warehouse/sql/query-session.ts';
import { raw, type Sql, statementOf } from '../../../src/warehouse/sql/sql.ts';
import { NamedQueries, type SqlContext } from '../../../src/warehouse/sql/sql-context.ts';

const context: SqlContext = { dialect: duckdbDialect, table: ({ name }) => raw(`org.${name}`) };
const manager: Principal = {
  organisationId: 'org',
  keyId: 'key',
  personId: 'bob',
  role: 'Manager',
  permissions: [],
  visibility: { self: 'bob', teamIds: ['red'], hasReports: false, leadsSquads: false },
  timeZone: 'UTC',
  salaryVisibility: false,
  minRespondents: 5,
};

const textOf = (sql: Sql): string => statementOf(sql, duckdbDialect.place).text;
const guard = (table: Table) => guarded(context, new NamedQueries(), scopeTo(manager, table), 't');

test('A table is seen through pull requests by the columns that it declares, whatever its name', () => {
  const seenAs = (by: readonly string[]) => {
    const deliveries = { ...workflowRuns, name: 'deliveries' } as Table;
    const { conditions } = guard({ ...deliveries, carriesPullRequests: { by, list: 'changes', count: 'number' } });
    return conditions.map(textOf).join('');
  };
  expect(seenAs(['delivery_id'])).toContain(
    'FROM org.deliveries AS g JOIN org.pull_requests AS k ON k.delivery_id = g.workflow_run_id',
  );
  expect(seenAs(['delivery_id', 'trial_id'])).toContain(
    'JOIN (SELECT *, delivery_id AS brought_by FROM org.pull_requests UNION ALL SELECT *, trial_id AS brought_by FROM org.pull_requests) AS k ON k.brought_by = g.workflow_run_id',
  );
});

test('Anonymous answers are those of the table that is asked', () => {
  const text = textOf(guard({ ...(surveyResponses as Table), name: 'interviews' }).from);
  expect(text).toContain('FROM org.interviews AS s');
  expect(text).not.toContain('org.survey_responses');
});

test.each([surveyResponses, surveyRecipients] as readonly Table[])(
  'The table $name is seen only by whoever asks for it, which says whether its answers are anonymous',
  (table) => {
    const runs = scopeTo(manager, workflowRuns as Table);
    expect(() => scopeAlike(runs, table)).toThrow('only scopeTo knows whether');
  },
);

test('Answers are not looked through for anonymous ones where no survey is', async () => {
  const asked: string[] = [];
  const session = new SqlQuerySession(
    {
      rows: async <R>(piece: Sql) => {
        asked.push(textOf(piece));
        return [[0]] as R[];
      },
      rowsWithin: () => Promise.reject(new Error('no rows are asked for')),
    },
    context,
  );
  const from = scopeTo({ ...manager, minRespondents: undefined }, surveyResponses as Table);
  const plan = { from, span: undefined, people: {}, rows: [], groupBy: [], bucket: undefined };
  expect(await session.suppressed(plan as unknown as Plan)).toBe(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toContain('survey_responses');
});
