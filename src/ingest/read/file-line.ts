/** What one line of a file holds: a value, or the reason why there is none. */
export type FileLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string; readonly raw: string };

/**
 * A record with a text of the most that is taken, written with escapes throughout, has room in it. A longer line is no
 * record, but a file that is not what its name says.
 */
export const lineBytesMost = 8 * 1024 * 1024;
export const tooLong = 'is longer than 8 MiB';
export const notUtf8 = 'is not valid UTF-8';
