/** What one line of a file holds: a value, or the reason why there is none. */
export type FileLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string; readonly raw: string };

/** No record comes near it: a longer line is no record, but a file that is not what its name says. */
export const lineBytesMax = 16 * 1024 * 1024;
export const tooLong = 'is longer than 16 MiB';
export const notUtf8 = 'is not valid UTF-8';
