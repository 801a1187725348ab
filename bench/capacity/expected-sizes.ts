import { megabytes, printTable, whole } from '../query/report.ts';

/** What a row and a question took in this run. */
export interface MeasuredCosts {
  /** Rows of all tables for each pull request. */
  readonly rowsOfPullRequest: number;
  readonly microsecondsOfRow: number;
  readonly millisecondsOfQuestion: number;
  readonly bytesOfRow: number;
}

/** A company as the demo has it, and people who ask ten questions a day. */
const assumed = {
  mergedInWeek: 3,
  weeksInYear: 46,
  years: 2,
  questionsInDay: 10,
  hoursInDay: 8,
  /** The busiest minutes, against the rest of the day. */
  busiest: 3,
  /** The busiest hour of arriving records, against the average. */
  busiestRows: 10,
};

/** Of a first sync: `npm run bench:sync`, and what GitHub answers in an hour, 25 pull requests at a time. */
const sync = { millisecondsOfPullRequest: 26, inRequest: 25, requestsInHour: 5_000 };

const engineers = [100, 1_000, 10_000, 100_000];

interface ExpectedSize {
  readonly engineers: number;
  readonly rows: number;
  readonly bytes: number;
  readonly questionsInSecond: number;
  /** Processors that questions and arriving records keep busy in the busiest minutes. */
  readonly processors: number;
  readonly hoursOfFirstSync: number;
}

function expectedSize(people: number, costs: MeasuredCosts): ExpectedSize {
  const pullRequests = people * assumed.mergedInWeek * assumed.weeksInYear * assumed.years;
  const rows = pullRequests * costs.rowsOfPullRequest;
  const questionsInSecond = (people * assumed.questionsInDay * assumed.busiest) / (assumed.hoursInDay * 3_600);
  const rowsInSecond = (rows / (assumed.years * 365 * 86_400)) * assumed.busiestRows;
  return {
    engineers: people,
    rows,
    bytes: rows * costs.bytesOfRow,
    questionsInSecond,
    processors:
      (questionsInSecond * costs.millisecondsOfQuestion) / 1e3 + (rowsInSecond * costs.microsecondsOfRow) / 1e6,
    hoursOfFirstSync: Math.max(
      (pullRequests * sync.millisecondsOfPullRequest) / 3.6e6,
      pullRequests / sync.inRequest / sync.requestsInHour,
    ),
  };
}

/** What companies of four sizes may expect of the place that was measured, by its costs alone. */
export function printExpectedSizes(place: string, costs: MeasuredCosts): void {
  console.log(`\nexpected of ${place} after ${assumed.years} years, from the costs above; not tried:`);
  printTable(
    ['engineers', 'rows', 'disk', 'questions a second', 'processors', 'first sync, hours'],
    engineers
      .map((people) => expectedSize(people, costs))
      .map((size) => [
        whole(size.engineers),
        whole(size.rows),
        megabytes(size.bytes),
        size.questionsInSecond.toFixed(1),
        size.processors.toFixed(2),
        size.hoursOfFirstSync.toFixed(1),
      ]),
  );
}
