/** Charts of one line, made of the block characters that every terminal has. */

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A bar as long as its share of the largest value. Whatever is more than nothing is seen. */
export function barOf(value: number, largest: number, width: number): string {
  if (!(value > 0 && largest > 0)) return '';
  const steps = Math.max(1, Math.round((value / largest) * width * 8));
  return '█'.repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? '');
}

/**
 * A line of values from left to right, the least at the bottom and the largest on top; one height where all are the same. No
 * value leaves a gap.
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const shown = values.length > width ? averaged(values, width) : values;
  const known = shown.filter((value) => value !== null);
  const [least, largest] = [Math.min(...known), Math.max(...known)];
  return shown
    .map((value) => {
      if (value === null) return ' ';
      const share = largest === least ? 0 : (value - least) / (largest - least);
      return heights[Math.round(share * (heights.length - 1))];
    })
    .join('');
}

/** Fewer values: each the average of its neighbours. */
function averaged(values: readonly (number | null)[], width: number): (number | null)[] {
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width);
    const until = Math.floor(((i + 1) * values.length) / width);
    const some = values.slice(from, until).filter((value) => value !== null);
    return some.length === 0 ? null : some.reduce((sum, value) => sum + value, 0) / some.length;
  });
}
