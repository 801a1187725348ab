import type { RecordShape } from '../../../catalogue/record.ts';
import { didYouMean } from '../../../nearest.ts';
import { Refusal } from '../../../refusal.ts';
import { HeadingNames, headingKey, namedWithField } from './heading-names.ts';

/** Which column of a file becomes which field: what is said, else what its heading means. An empty field drops it. */
export class ColumnMapping {
  readonly #shape: RecordShape;
  readonly #names: HeadingNames;
  readonly #said: ReadonlyMap<string, string>;

  /** `said` has their names and ours. */
  constructor(shape: RecordShape, said: Readonly<Record<string, string>> = {}) {
    this.#shape = shape;
    this.#names = new HeadingNames(shape);
    this.#said = new Map(
      Object.entries(said).map(([theirs, ours]) => [headingKey(theirs), ours === '' ? '' : this.#ownField(ours)]),
    );
  }

  /** Undefined for a heading that means nothing; empty for one that is to be left out. */
  fieldOf(heading: string): string | undefined {
    return this.#said.get(headingKey(heading)) ?? this.#names.fieldOf(heading);
  }

  /** Why a name that means nothing is no field of these records. */
  refusalOf(name: string): string {
    const likely = this.#names.likely(name);
    const hint = likely === undefined ? '' : ` Did you mean ${namedWithField(likely)}?`;
    const fields = Object.keys(this.#shape.fields).join(', ');
    return `'${name.slice(0, 100)}' is not a field of ${this.#shape.name}.${hint} Fields: ${fields}`;
  }

  /** The field of each heading of a file. Refuses the file when one means nothing, or two mean the same. */
  fieldsOf(file: string, headings: readonly string[]): readonly string[] {
    const fields = headings.map((heading) => this.fieldOf(heading));
    const unknown = headings.filter((_, i) => fields[i] === undefined);
    if (unknown.length > 0) throw this.#refuseUnknown(file, unknown);
    const twice = fields.find((field, i) => field !== '' && fields.indexOf(field) !== i);
    if (twice !== undefined) {
      const both = headings.filter((_, i) => fields[i] === twice).map((heading) => `'${heading}'`);
      throw new Refusal(
        'bad-input',
        `In ${file} the columns ${both.join(' and ')} both mean ${twice}. Leave one out: --map ${both[0]}=`,
      );
    }
    const absent = [...this.#said.keys()].find((key) => !headings.some((heading) => headingKey(heading) === key));
    if (absent !== undefined) {
      const hint = didYouMean(absent, headings);
      throw new Refusal('bad-input', `${file} has no column '${absent}', which --map names.${hint}`);
    }
    return fields as readonly string[];
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
        `of ${this.#shape.name}: ${each.join('; ')}. Say what a column is with --map '${first}=${field}', or leave it out ` +
        `with --map '${first}='. Fields: ${Object.keys(this.#shape.fields).join(', ')}.`,
    );
  }

  #ownField(name: string): string {
    const field = this.#names.fieldOf(name);
    if (field !== undefined) return field;
    const known = Object.keys(this.#shape.fields);
    throw new Refusal(
      'bad-input',
      `--map: '${name}' is not a field of ${this.#shape.name}.${didYouMean(name, known)} Fields: ${known.join(', ')}.`,
    );
  }
}
