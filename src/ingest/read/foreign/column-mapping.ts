import type { FieldValues } from '../../../catalogue/field-values.ts';
import { type RecordTable, recordShapeFor } from '../../../catalogue/record-tables.ts';
import { didYouMean } from '../../../nearest.ts';
import { Refusal } from '../../../refusal.ts';
import { HeadingNames, headingKey, isMeasuredHere, namedWithField } from './heading-names.ts';
import { fieldInExport, isExportOf, type ToolExport } from './tool-export.ts';
import { gitlabIssues, gitlabMergeRequests } from './tools/gitlab-export.ts';
import { jiraIssues } from './tools/jira-export.ts';
import { linearIssues } from './tools/linear-export.ts';

const toolExports: readonly ToolExport[] = [gitlabMergeRequests, gitlabIssues, jiraIssues, linearIssues];

/**
 * The field of each column of a file: the one that the caller names, else the one that its heading means. An empty
 * field drops the column.
 */
export class ColumnMapping {
  /** The tool that exported the file, where its headings say so. */
  readonly toolExport: ToolExport | undefined;
  readonly #table: RecordTable;
  readonly #names: HeadingNames;
  readonly #said: ReadonlyMap<string, string>;
  readonly #headings: readonly string[];
  readonly #leavesOutUnknown: boolean;

  /** `said` has their names and ours, `headings` those of the file where it names its columns once. */
  constructor(
    table: RecordTable,
    said: Readonly<Record<string, string>> = {},
    headings: readonly string[] = [],
    leavesOutUnknown = false,
  ) {
    this.#leavesOutUnknown = leavesOutUnknown;
    this.#table = table;
    this.#names = new HeadingNames(recordShapeFor(table), headings);
    this.#said = new Map(
      Object.entries(said).map(([theirs, ours]) => [headingKey(theirs), ours === '' ? '' : this.#ownField(ours)]),
    );
    this.#headings = headings;
    const keys = new Set(headings.map(headingKey));
    this.toolExport = toolExports.find((known) => known.table === table && isExportOf(known, keys));
  }

  /** Undefined for a heading that means nothing; empty for one that is to be left out. */
  fieldOf(heading: string): string | undefined {
    const field = this.#said.get(headingKey(heading)) ?? this.#knownField(heading);
    const isLeftOut =
      this.#leavesOutUnknown || (isMeasuredHere(this.#table, heading) && this.#headings.includes(heading));
    return field ?? (isLeftOut ? '' : undefined);
  }

  #knownField(heading: string): string | undefined {
    if (this.toolExport) {
      const field = fieldInExport(this.toolExport, heading);
      if (field !== undefined) return field;
    }
    const field = this.#names.fieldOf(heading);
    return field !== undefined && this.#isCopy(heading, field) ? undefined : field;
  }

  #isCopy(heading: string, field: string): boolean {
    return this.#headings.includes(field) && this.#followsFrom(heading, field);
  }

  /** The same for a record of a file that does not name its columns: whether it has the field beside the copy. */
  isCopyIn(record: FieldValues, name: string, field: string): boolean {
    return (
      name !== field &&
      Object.hasOwn(record, field) &&
      !this.#said.has(headingKey(name)) &&
      this.#followsFrom(name, field)
    );
  }

  /** Whether it is a column of ours that follows from the field. Exports of all columns have both. */
  #followsFrom(heading: string, field: string): boolean {
    return headingKey(heading) !== field && isMeasuredHere(this.#table, heading);
  }

  /** Why a name that means nothing is no field of these records. */
  refusalOf(name: string): string {
    const likely = this.#names.likely(name);
    const hint = likely === undefined ? '' : ` Did you mean ${namedWithField(likely)}?`;
    return `'${name.slice(0, 100)}' is not a field of ${this.#table}.${hint} Fields: ${this.#fieldNames.join(', ')}`;
  }

  /** The field of each heading. Refuses the file when one means nothing, or two mean the same. */
  fieldsOf(file: string): readonly string[] {
    const unknown = this.#headings.filter((heading) => this.fieldOf(heading) === undefined);
    if (unknown.length > 0) throw this.#refuseUnknown(file, [...new Set(unknown)]);
    this.#refuseTwice(file);
    const keys = new Set(this.#headings.map(headingKey));
    const absent = [...this.#said.keys()].find((key) => !keys.has(key));
    if (absent !== undefined) {
      const hint = didYouMean(absent, this.#headings);
      throw new Refusal('bad-input', `${file} has no column '${absent}', which --map names.${hint}`);
    }
    return this.#headings.map((heading) => this.fieldOf(heading) ?? '');
  }

  /** Notes about the tool that exported the file, and about columns that are left out although nobody asked for it. */
  notesOf(file: string): readonly string[] {
    const { toolExport } = this;
    const leftOut = new Set(
      this.#headings.filter((heading) => !this.#said.has(headingKey(heading)) && this.fieldOf(heading) === ''),
    );
    const withoutPlace = [...leftOut].filter((heading) => this.#knownField(heading) === '').join(', ');
    const measuredHere = [...leftOut].filter((heading) => this.#knownField(heading) === undefined).join(', ');
    const left = withoutPlace === '' ? '' : ` Left out, because no field here holds it: ${withoutPlace}.`;
    return [
      ...(toolExport ? [`${file} is an export of ${toolExport.tool}.${left}`] : []),
      ...(toolExport?.note === undefined ? [] : [toolExport.note]),
      ...(measuredHere === '' ? [] : [`Left out of ${file}, because Plumb derives it itself: ${measuredHere}.`]),
    ];
  }

  get #fieldNames(): readonly string[] {
    return Object.keys(recordShapeFor(this.#table).fields);
  }

  /** A list may be spread over columns of the same name, and known exports have several columns for a field. */
  #refuseTwice(file: string): void {
    const { fields } = recordShapeFor(this.#table);
    const firstOf = new Map<string, string>();
    for (const heading of this.#headings) {
      const field = this.fieldOf(heading) ?? '';
      const earlier = firstOf.get(field);
      if (earlier === undefined && field !== '') firstOf.set(field, heading);
      const isOfExport = this.toolExport !== undefined && !this.#said.has(headingKey(heading));
      if (earlier === undefined || isOfExport || (earlier === heading && fields[field]?.type === 'text[]')) continue;
      throw new Refusal(
        'bad-input',
        earlier === heading
          ? `The header of ${file} names the column '${heading}' twice, and ${field} takes one value. Leave both out: --map '${heading}='`
          : `In ${file} the columns '${earlier}' and '${heading}' both mean ${field}. Leave one out: --map '${earlier}='`,
      );
    }
  }

  #refuseUnknown(file: string, unknown: readonly string[]): Refusal {
    const each = unknown.map((heading) => {
      const likely = this.#names.likely(heading);
      return `'${heading}', ${likely === undefined ? 'which is like no field' : `did you mean ${namedWithField(likely)}?`}`;
    });
    const [first = ''] = unknown;
    const field = this.#names.likely(first)?.name ?? 'FIELD';
    return new Refusal(
      'bad-input',
      `${file} was not imported: ${unknown.length === 1 ? 'a column is no field' : `${unknown.length} columns are no fields`} ` +
        `of ${this.#table}: ${each.join('; ')}${each.at(-1)?.endsWith('?') ? '' : '.'} Say what a column is with --map '${first}=${field}', or leave it out ` +
        `with --map '${first}='. Fields: ${this.#fieldNames.join(', ')}.`,
    );
  }

  #ownField(name: string): string {
    const field = this.#names.fieldOf(name);
    if (field !== undefined) return field;
    throw new Refusal(
      'bad-input',
      `--map: '${name}' is not a field of ${this.#table}.${didYouMean(name, this.#fieldNames)} Fields: ${this.#fieldNames.join(', ')}.`,
    );
  }
}
