import { type RecordTable, recordShapeFor } from '../../../catalogue/record-tables.ts';
import { didYouMean } from '../../../nearest.ts';
import { Refusal } from '../../../refusal.ts';
import { HeadingNames, headingKey, namedWithField } from './heading-names.ts';
import { fieldInExport, type KnownExport, knownExportOf } from './known-exports.ts';
import { isMeasuredHere } from './measured-headings.ts';

/** Why a column is left out though nobody said so. */
type LeftOut = 'no place' | 'measured here';

/** Which column of a file becomes which field: what is said, else what its heading means. An empty field drops it. */
export class ColumnMapping {
  /** The tool that exported the file, where its headings say so. */
  readonly knownExport: KnownExport | undefined;
  readonly #table: RecordTable;
  readonly #names: HeadingNames;
  readonly #said: ReadonlyMap<string, string>;
  readonly #headings: readonly string[];
  /** Headings of the file that are left out though nobody said so. */
  readonly #leftOut = new Map<string, LeftOut>();

  /** `said` has their names and ours, `headings` those of the file where it names its columns once. */
  constructor(table: RecordTable, said: Readonly<Record<string, string>> = {}, headings: readonly string[] = []) {
    this.#table = table;
    this.#names = new HeadingNames(recordShapeFor(table));
    this.#said = new Map(
      Object.entries(said).map(([theirs, ours]) => [headingKey(theirs), ours === '' ? '' : this.#ownField(ours)]),
    );
    this.#headings = headings;
    this.knownExport = knownExportOf(table, headings);
    for (const heading of headings) {
      if (this.#said.has(headingKey(heading))) continue;
      const field = this.fieldOf(heading);
      if (field === '') this.#leftOut.set(heading, 'no place');
      if (field === undefined && isMeasuredHere(table, heading)) this.#leftOut.set(heading, 'measured here');
    }
  }

  /** Undefined for a heading that means nothing; empty for one that is to be left out. */
  fieldOf(heading: string): string | undefined {
    return (
      this.#said.get(headingKey(heading)) ??
      (this.knownExport && fieldInExport(this.knownExport, heading)) ??
      this.#names.fieldOf(heading) ??
      (this.#leftOut.has(heading) ? '' : undefined)
    );
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

  /** Which tool exported the file and what to know of it, and which columns are left out though nobody said so. */
  notesOf(file: string): readonly string[] {
    const notes: string[] = [];
    const { knownExport } = this;
    const noPlace = this.#leftOutFor('no place');
    const measured = this.#leftOutFor('measured here');
    if (knownExport) {
      const left = noPlace.length === 0 ? '' : ` Left out, because no field here holds it: ${noPlace.join(', ')}.`;
      notes.push(`${file} is an export of ${knownExport.tool}.${left}`);
      if (knownExport.note !== undefined) notes.push(knownExport.note);
    }
    if (measured.length > 0)
      notes.push(`Left out of ${file}, because Plumb derives it itself: ${measured.join(', ')}.`);
    return notes;
  }

  get #fieldNames(): readonly string[] {
    return Object.keys(recordShapeFor(this.#table).fields);
  }

  #leftOutFor(reason: LeftOut): readonly string[] {
    return [...this.#leftOut].flatMap(([heading, why]) => (why === reason ? [heading] : []));
  }

  /** A list may be spread over columns of the same name, and known exports have several columns for a field. */
  #refuseTwice(file: string): void {
    const { fields } = recordShapeFor(this.#table);
    const taken = this.#headings.filter((heading) => this.fieldOf(heading) !== '');
    for (const [i, heading] of taken.entries()) {
      const field = this.fieldOf(heading) ?? '';
      const earlier = taken.slice(0, i).find((other) => this.fieldOf(other) === field);
      const isOfExport = this.knownExport !== undefined && !this.#said.has(headingKey(heading));
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
        `of ${this.#table}: ${each.join('; ')}. Say what a column is with --map '${first}=${field}', or leave it out ` +
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
