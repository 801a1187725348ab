import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import type { ShownChange } from '../../../src/conclusions/verdict-words.ts';
import type { Exploration } from '../ask/exploration.ts';
import type { Point } from '../ask/figure.ts';
import { aboutMetric, measureOf, valueColumn, wordFor } from '../ask/metric-facts.ts';
import type { Row } from '../ask/send.ts';
import type { View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { answerTableWords } from './answer-words.ts';
import { Table } from './data-table.tsx';
import { type GroupWhere, groupColumns, groupWhere } from './drawn-answer.ts';
import { bucketInWords, capitalised, shown } from './format.ts';
import { cellOrder, cellText } from './record-cells.ts';
import { ChangeText, Value } from './value.tsx';

interface AnswerRowsProps {
  readonly rows: readonly Row[];
  readonly asked: Exploration;
  readonly view: View;
  /** The change of a row since the window before, where it is compared. */
  readonly changeOf?: ((row: Row) => ShownChange | undefined) | undefined;
  /** The value of the period before that stands beside each, by its place. */
  readonly before?: readonly Point[] | undefined;
  readonly onOpen?: (where: GroupWhere, window?: { readonly start: string; readonly end: string }) => void;
}

/** The answer in its own columns: bucket, groups, value, n. */
export function AnswerRows({ rows, asked, view, changeOf, before, onOpen }: AnswerRowsProps) {
  const columns = groupColumns(rows, asked);
  const { level, metric, aggregation } = asked;
  const measure = measureOf(metric, aggregation);
  const value = valueColumn(metric, aggregation);
  const buckets = level ? timeBuckets(view.windowFor(metric), level, view.reachFor(metric)) : [];
  const bucketOf = (row: Row) => buckets.find(({ name }) => name === row[`${level}_date`]);
  const beforeIn = (row: Row): number | null =>
    before?.[buckets.findIndex(({ name }) => name === row[`${level}_date`])]?.value ?? null;
  const sizes = Object.keys(rows[0] ?? {}).filter(
    (one) => metric === 'pull-requests-size' && one !== value && /_(additions|deletions)$/.test(one),
  );
  const nameOfBucket = (row: Row): string => {
    const bucket = bucketOf(row);
    if (!bucket || !level) return String(row[`${level}_date`] ?? '');
    return bucketInWords(bucket, level);
  };
  return (
    <Table
      isOfPeople={columns.some(isOfPerson)}
      caption={answerTableWords.theAnswer}
      rows={rows}
      keyOf={(_, at) => String(at)}
      {...(onOpen
        ? {
            onOpen: (row: Row) => {
              const bucket = bucketOf(row);
              onOpen(groupWhere(row, columns), bucket && { start: bucket.start, end: bucket.end });
            },
          }
        : {})}
      columns={[
        ...(level
          ? [{ name: capitalised(level), cell: nameOfBucket, sortBy: (row: Row) => cellOrder(row[`${level}_date`]) }]
          : []),
        ...columns.map((column) => ({
          name: columnLabel(column),
          // A dash would be too small a target where it opens the records.
          cell: (row: Row) => (row[column] == null ? answerTableWords.none : cellText(row[column], column, view.zone)),
          sortBy: (row: Row) => cellOrder(row[column]),
        })),
        ...sizes.map((column) => ({
          name: columnLabel(column.replace(/^[a-z0-9]+_/, '')),
          isNumber: true,
          cell: (row: Row) => numberCell(row[column]),
        })),
        {
          name: valueTitle(asked),
          isNumber: true,
          cell: (row: Row) => {
            const cell = row[value];
            return typeof cell === 'number' || cell === null ? (
              <Value value={cell} measure={measure} />
            ) : (
              String(cell ?? '–')
            );
          },
        },
        ...(before
          ? [
              {
                name: answerTableWords.before,
                isNumber: true,
                cell: (row: Row) => <Value value={beforeIn(row)} measure={measure} />,
                sortBy: beforeIn,
              },
            ]
          : []),
        ...(changeOf
          ? [
              {
                name: answerTableWords.before,
                isNumber: true,
                cell: (row: Row) => <Value value={changeOf(row)?.before?.value ?? null} measure={measure} />,
                sortBy: (row: Row) => changeOf(row)?.before?.value ?? null,
              },
              {
                name: answerTableWords.change,
                cell: (row: Row) => {
                  const change = changeOf(row);
                  return change ? <ChangeText change={change} /> : '–';
                },
              },
            ]
          : []),
        {
          name: answerTableWords.n,
          isNumber: true,
          meaning: answerTableWords.nMeaning,
          cell: (row: Row) => numberCell(row.n),
        },
      ]}
    />
  );
}

/** `Cycle time, median`. */
const valueTitle = ({ metric, aggregation }: Exploration): string =>
  answerTableWords.statistic(
    aboutMetric(metric).label,
    aggregation ? wordFor(aggregation, measureOf(metric)) : undefined,
  );

/** Groups of one person each are listed as they come: nobody is put in an order by a number. */
const isOfPerson = (column: string): boolean => /^name$|person|user|login|email|author|reviewer/.test(column);

const numberCell = (cell: Row[string] | undefined): string => (typeof cell === 'number' ? shown(cell, 'count') : '–');
