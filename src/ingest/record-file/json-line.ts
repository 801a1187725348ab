import type { FileLine } from './file-line.ts';

// Whoever prints or walks a value calls itself once per level, and runs out of stack at some ten thousand.
const depthMax = 1_000;

/** One JSON text as a line of a file. */
export function jsonLine(line: number, raw: string): FileLine {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line, problem: `is not JSON: ${error.message}`, raw };
  }
  // That many levels need that many brackets, so a short text need not be walked.
  if (raw.length > 2 * depthMax && isDeeper(value, depthMax)) {
    return { line, problem: `is nested deeper than ${depthMax} levels`, raw };
  }
  return { line, value };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
