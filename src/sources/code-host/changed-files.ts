/** A file that a pull request changes, as the column `files` has it. */
export interface CountedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

const maxFilesBytes = 1_000_000;

/** A column holds 1 MiB of JSON. The largest changes are cut there, and `changed_files` still counts them all. */
export function withinColumn(files: readonly CountedFile[]): readonly CountedFile[] {
  let bytes = 2;
  const end = files.findIndex((file) => {
    bytes += Buffer.byteLength(JSON.stringify(file)) + 1;
    return bytes > maxFilesBytes;
  });
  return end === -1 ? files : files.slice(0, end);
}

/**
 * Counts the lines of a change as `diff` writes it. The names of the file may stand at its head, which look like changed
 * lines.
 */
export function countChangedLines(diff: string): Pick<CountedFile, 'additions' | 'deletions'> {
  const lines = diff.split('\n');
  const body = lines.slice(lines.findIndex((line) => line.startsWith('@@')) + 1);
  const startingWith = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
  return { additions: startingWith('+'), deletions: startingWith('-') };
}
