/** The longest text to search for, in characters. */
export const maxSearchLength = 200;

/** A name, an identifier or another value that a question gives, in characters. Records have limits of their own. */
export const maxNameLength = 1_000;

/** How many characters a text has that is too long, and nothing of any other. JSON schemas count in the same way. */
export function tooLong(text: string, maxLength: number): number | undefined {
  if (text.length <= maxLength) return undefined;
  const length = [...text].length;
  return length <= maxLength ? undefined : length;
}

/** No store and no warehouse keeps a zero byte or half a surrogate pair in a text. */
export const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
