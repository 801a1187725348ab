import { describe, expect, test } from 'vitest';
import { activityColumns, originOf, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { posthookSessions } from '../../../src/catalogue/tables/posthook-sessions.ts';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import {
  type AttributionReader,
  all,
  attributedColumns,
  columnsOfAttribution,
  is,
  notNull,
} from '../../../src/ingest/attribute/attribution-reader.ts';
import { judgedColumns, remedyColumns } from '../../../src/ingest/attribute/rules/failures.ts';
import {
  carriedColumns,
  deploymentColumns,
  releaseColumns,
  storedPullRequestColumns,
} from '../../../src/ingest/attribute/rules/repository-facts.ts';
import { derivations } from '../../../src/ingest/derive/all-derivations.ts';
import { scoreColumns, scoredBy } from '../../../src/ingest/derive/complexity-scores.ts';
import { ofParent, ofPart, ofRow, withLookups } from '../../../src/ingest/derive/derivation.ts';
import { linkColumns } from '../../../src/ingest/derive/issue-links.ts';
import { families } from '../../../src/ingest/resolve/family-columns.ts';
import { foundPersonColumns, namingColumns } from '../../../src/ingest/resolve/resolver.ts';
import { readTooEarly } from './read-too-early.ts';

const tableOf = (name: FactTable): Table => factTables[name];

/** What is written by whole repository or across many rows, and not by a derivation of a row and its parts. */
const writtenElsewhere: { readonly [N in FactTable]?: readonly string[] } = {
  ...columnsOfAttribution,
  pull_requests: [...columnsOfAttribution.pull_requests, ...scoreColumns, ...linkColumns.pull_requests],
  // Emptied when everything is derived again: an earlier version kept `production` there.
  deployments: [...columnsOfAttribution.deployments, 'given_is_production'],
  issues: linkColumns.issues,
};

/** What follows from the declaration of a table. */
function declaredWrites({ naming, parent, namedAs, sentByEngineer }: Table): string[] {
  return [
    ...(naming ? foundPersonColumns : []),
    ...(naming && parent ? ['source'] : []),
    ...(namedAs ? [namedAs] : []),
    ...(sentByEngineer ? [sentByEngineer] : []),
  ];
}

describe.each(factTableNames)('%s', (name) => {
  const table = tableOf(name);
  const own = derivations.filter((one) => one.table === table);

  test('A table has every derived and completed column written in one place', () => {
    const written = [
      ...declaredWrites(table),
      ...(writtenElsewhere[name] ?? []),
      ...own.flatMap(({ writes }) => writes),
    ].sort();
    const derived = Object.entries(table.columns)
      .flatMap(([column, declared]) => (['derived', 'completed'].includes(originOf(declared)) ? [column] : []))
      .sort();
    expect(written).toEqual(derived);
  });

  test('A table stores every column that is read or written', () => {
    const stored = storedColumns(table);
    const used = [
      ...own.flatMap(({ reads, writes }) => [...reads, ...writes]),
      ...namingColumns(table),
      ...activityColumns(table),
      ...((attributedColumns as { readonly [N in FactTable]?: readonly string[] })[name] ?? []),
      ...derivations.flatMap((one) => ('parts' in one ? (one.parts[name] ?? []) : [])),
      ...derivations.flatMap((one) => (one.kind === 'lookup' ? (one.lookups[name] ?? []) : [])),
    ];
    expect(used.filter((column) => !stored.has(column))).toEqual([]);
  });

  test('A table is in one family', () => {
    const members = families.flatMap((family) => [family, ...family.parts]);
    expect(members.filter((member) => member.name === name)).toHaveLength(1);
  });
});

describe('derivations', () => {
  test('Derivations read nothing that is written after them', () => {
    expect(readTooEarly(derivations, writtenElsewhere)).toEqual([]);
  });

  const nothing = () => ({}) as never;
  test.each([
    [
      'a row what follows from its parts',
      ofRow(pullRequests, { reads: ['cycle_time'], writes: ['is_hotfix'], derive: nothing }),
    ],
    [
      'a part what it inherits',
      ofRow(pullRequestReviews, { reads: ['pr_merged_at'], writes: ['is_review'], derive: nothing }),
    ],
    [
      'a part what its parent gets from parts',
      ofPart(pullRequestReviews, {
        parent: pullRequests,
        reads: [],
        readsParent: ['first_review_at'],
        writes: ['is_review'],
        derive: nothing,
      }),
    ],
    [
      'a parent what parts get from one another',
      ofParent(posthookSessions, {
        reads: [],
        parts: { posthook_session_messages: ['turn_minutes'] },
        writes: ['date'],
        derive: nothing,
      }),
    ],
    [
      'a row what is attributed to it',
      ofRow(pullRequests, { reads: ['deployment_id'], writes: ['is_hotfix'], derive: nothing }),
    ],
    [
      'a row what a later row derivation writes',
      ofRow(pullRequests, { reads: ['is_hotfix'], writes: ['pr_title'], derive: nothing }),
    ],
    [
      'a look-up what is attributed to another table',
      withLookups('pull_requests', {
        reads: [],
        parts: {},
        writes: ['is_ai_assisted'],
        lookups: { deployments: ['is_rollback'] },
        touched: nothing,
        derive: nothing,
      }),
    ],
  ] as const)('are found out where they read too early: %s', (_, wrong) => {
    expect(readTooEarly([wrong, ...derivations], writtenElsewhere)).toHaveLength(1);
  });

  test('Derivations that look up other tables come after the families of those', () => {
    for (const [i, { derivations: own }] of families.entries()) {
      const lookups = own.flatMap((one) => (one.kind === 'lookup' ? Object.keys(one.lookups) : []));
      const before = families.slice(0, i).flatMap((family) => [family.name, ...family.parts.map(({ name }) => name)]);
      expect(before).toEqual(expect.arrayContaining([...lookups]));
    }
  });

  // A pull request that is read in part, because its parts have changed, so keeps its score.
  test('Derivations leave what scores follow from to rows by themselves', () => {
    const others = derivations.filter(({ table, kind }) => table === pullRequests && kind !== 'row');
    expect(others.flatMap(({ writes }) => writes).filter((column) => scoredBy.some((one) => one === column))).toEqual(
      [],
    );
  });

  test('Derivations cannot look up a column that they do not declare, nor find rows by it', () => {
    const declared = {
      reads: ['pr_id'],
      parts: { pull_request_commits: ['pr_id'] },
      writes: ['is_ai_assisted'],
      lookups: { ai_copilot: ['date'] },
    } as const;
    withLookups('pull_requests', {
      ...declared,
      touched: async ({ ai_copilot: days }, reader) => {
        // @ts-expect-error the person of a day is not among the columns looked up
        const people = days.flatMap(({ after }) => after?.merged_user_id ?? []);
        // @ts-expect-error the person of a pull request is not among the columns read
        await reader.select('pull_requests', ['pr_id'], { column: 'merged_user_id', in: people });
        // @ts-expect-error nor is the hash of a commit
        await reader.select('pull_request_commits', ['sha'], { column: 'pr_id', in: [] });
        return new Set();
      },
      derive: async (_, reader) => {
        // @ts-expect-error the assistant is not among the columns looked up
        await reader.select('ai_copilot', ['source'], { column: 'date', in: [] });
        // @ts-expect-error rows cannot be found by it either
        await reader.select('ai_copilot', ['date'], { column: 'source', in: [] });
        // @ts-expect-error a table that is not looked up
        await reader.select('posthook_sessions', ['date'], { column: 'date', in: [] });
      },
    });
  });

  test('Derivations cannot read a column or a setting that they do not declare', () => {
    ofRow(issues, {
      reads: ['created_at'],
      writes: ['issue_cycle_time'],
      // @ts-expect-error completed_at is not among the columns read
      derive: ({ created_at, completed_at }) => ({ issue_cycle_time: (created_at ?? 0) - (completed_at ?? 0) }),
    });
    ofRow(issues, {
      reads: ['created_at'],
      writes: ['issue_cycle_time'],
      // @ts-expect-error the column that is declared to be written is missing
      derive: ({ created_at }) => ({ created_at }),
    });
    ofRow(issues, {
      reads: ['created_at'],
      writes: ['issue_cycle_time'],
      // @ts-expect-error the prices of runners are not among the settings
      derive: (_, { runnerPrices }) => ({ issue_cycle_time: runnerPrices.ubuntu ?? 0 }),
    });
    ofParent(issues, {
      reads: [],
      parts: { issue_comments: ['created_at'] },
      writes: ['issue_cycle_time'],
      // @ts-expect-error the text of a comment is not among the columns read
      derive: (_, { issue_comments: comments }) => ({ issue_cycle_time: comments[0]?.comment?.length ?? 0 }),
    });
  });
});

describe('attribution', () => {
  test('Attribution cannot read a column that touches nothing when it changes, nor find rows by it', () => {
    const reading = async (reader: AttributionReader) => {
      // What touches repositories, and what attribution writes itself.
      await reader.select(
        pullRequests,
        ['pr_merged_at', 'deployment_id'],
        all(is('is_hotfix', true), notNull('pr_id')),
      );
      // @ts-expect-error the labels of a pull request touch nothing
      await reader.select(pullRequests, ['pr_id', 'labels']);
      // @ts-expect-error rows cannot be found by them either
      await reader.select(pullRequests, ['pr_id'], all(is('is_hotfix', true), notNull('labels')));
      // @ts-expect-error the link of a deployment touches nothing
      await reader.tally(deployments, ['run_url']);
      // @ts-expect-error a table that attribution does not follow from
      await reader.select(issues, ['created_at']);
    };
    expect(reading).toBeTypeOf('function');
  });

  // The compiler refuses other columns where they are read; these lists are written apart from where they are.
  test.each([
    ['pull_requests', [...storedPullRequestColumns, ...carriedColumns, ...remedyColumns]],
    ['deployments', [...deploymentColumns, ...judgedColumns]],
    ['release_details', releaseColumns],
  ] as const)('is touched by every column of %s that it reads and does not write', (name, read) => {
    const known: readonly string[] = [...attributedColumns[name], ...columnsOfAttribution[name]];
    expect(read.filter((column) => !known.includes(column))).toEqual([]);
  });
});

describe('a batch loads', () => {
  const members = families.flatMap((family) => [
    { name: family.name, columns: family.columns },
    ...family.parts.map(({ name, columns }) => ({ name, columns: columns.derived })),
  ]);
  const lookups = derivations.flatMap((one) => (one.kind === 'lookup' ? Object.entries(one.lookups) : []));
  // Whether a looked-up row has changed, and for whom, is decided by all of these columns together.
  test.each(lookups)('A batch loads of %s what other families look up', (name, lookedUp) => {
    expect(members.find((one) => one.name === name)?.columns).toEqual(expect.arrayContaining([...lookedUp]));
  });

  test.each(families.flatMap((family) => family.parts.map((part) => [part.name, family, part] as const)))(
    'A batch loads of %s what derivations read and write, and of its parent too',
    (_, family, part) => {
      const reads = family.derivations.flatMap(({ parts }) => parts[part.name] ?? []);
      expect(part.columns.derived).toEqual(expect.arrayContaining([...part.table.key, part.link, ...reads]));
      expect(part.columns.named).toEqual(
        expect.arrayContaining([...part.columns.derived, ...namingColumns(part.table)]),
      );
      const ofParents = family.derivations.flatMap(({ reads: own, writes }) => [...own, ...writes]);
      expect(family.columns).toEqual(expect.arrayContaining([...family.table.key, ...ofParents]));
    },
  );
});
