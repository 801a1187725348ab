import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Metric } from '../../../src/catalogue/metric.ts';
import { viewOf } from '../../reference/visibility.ts';
import type { Seeing } from '../../reference/world.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { askedWorld } from '../asked-world.ts';
import { type AskedRequest, singleRequests, visibilities } from '../random-request.ts';
import { allMetrics, seededWorld, seedOf } from '../seeded-worlds.ts';

const { world, name } = seededWorld(3);
const asked = askedWorld(world);

/**
 * What belongs to repositories is seen whether or not its person is onboarded, whom no filter finds; answers of a survey
 * take no such filter.
 */
const notByPerson = ['deployments', 'release_details', 'workflow_runs', 'survey_responses'];
/** Looks at rows besides those that are counted, of which the owner sees more. */
const lookingFurther = 'pull_requests_search_term';

const isComparable = ({ seeing, body }: AskedRequest): boolean =>
  seeing !== 'organisation' &&
  !body.time_series_data &&
  !body.include_previous_period &&
  !Object.keys(body.filters ?? {}).some((key) => key === 'member' || key === lookingFurther);

// Outside the long run one of each table and kind, and every third of the others.
const isFirst = ({ table, kind }: Metric, at: number) =>
  allMetrics.findIndex((one) => one.table === table && one.kind === kind) === at;
const compared = allMetrics
  .filter((metric, at) => isLong || at % 3 === 0 || isFirst(metric, at))
  .filter(({ table }) => !notByPerson.includes(table.name));

test.concurrent.each(compared.map((metric) => ({ metric, about: metric.name })))(
  `Someone gets of $about what the owner gets of the people they see, in ${name}`,
  ({ metric }) => isTheSame(metric),
);

async function isTheSame(metric: Metric): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      singleRequests(metric).filter(({ body }) => isComparable({ seeing: limited, metric: '', body })),
      visibilities.filter((seeing) => seeing !== 'organisation'),
      async ({ body }, seeing) => {
        const member = [...(viewOf(world, seeing).visible ?? [])];
        const ofOwner = { ...body, filters: { ...body.filters, member } };
        const [own, owners] = await Promise.all([
          asked().ask(seeing, metric.name, body),
          asked().ask('organisation', metric.name, ofOwner),
        ]);
        // Only the owner sent a filter of people, some of whom match nothing.
        expect([own.text, own.total]).toEqual([owners.text, owners.total]);
      },
    ),
    { seed: seedOf(metric), numRuns: times(1, 80) },
  );
}
const limited: Seeing = { self: '', teamIds: [], hasReports: false, leadsSquads: false };
