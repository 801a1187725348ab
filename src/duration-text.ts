const units = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `1d 4h`, `3h 12m`, `48s`: two units, the second rounded. A page writes its minus with a longer dash than a terminal. */
export function durationText(seconds: number, minus = '-'): string {
  const sign = seconds < 0 ? minus : '';
  const size = Math.abs(seconds);
  if (size < 1) return size === 0 ? '0s' : `${sign}<1s`;
  const first = units.findIndex(([, length]) => size >= length);
  const [, smallest] = units[Math.min(first + 1, units.length - 1)] ?? ['s', 1];
  const rounded = Math.round(size / smallest) * smallest;
  // Rounding may lift it to the next unit: 59m 59.6s is 1h.
  const at = units.findIndex(([, length]) => rounded >= length);
  const [name, length] = units[at] ?? ['s', 1];
  const [nextName, nextLength] = units[at + 1] ?? [undefined, 1];
  const whole = Math.floor(rounded / length);
  const rest = Math.floor((rounded % length) / nextLength);
  return `${sign}${whole}${name}${nextName && rest > 0 ? ` ${rest}${nextName}` : ''}`;
}
