/** What is to happen on later days. Each day is taken once and forgotten: only what is still to come is kept. */
export class DayQueue<T> {
  readonly #days = new Map<number, T[]>();

  put(day: number, item: T): void {
    const waiting = this.#days.get(day);
    if (waiting) waiting.push(item);
    else this.#days.set(day, [item]);
  }

  take(day: number): readonly T[] {
    const waiting = this.#days.get(day) ?? [];
    this.#days.delete(day);
    return waiting;
  }
}
