import { addToList } from '../lists-by-key.ts';
import type { Urgency } from './stream-reading.ts';

interface Queued<T> {
  readonly scope: string;
  readonly item: T;
}

/**
 * Chooses the scope whose page is read next. Scopes, such as repositories, take turns page by page, so that a large one keeps no small one
 * waiting; what is recent goes before what is old.
 */
export class StreamQueue<T> {
  /** A Map keeps the order of insertion: the scope that was served last is at the end. */
  readonly #scopes: Record<Urgency, Map<string, T[]>> = { recent: new Map(), history: new Map() };
  readonly #waiting: ((next: Queued<T> | undefined) => void)[] = [];
  #open = 1;

  /** Something more to read. Every item that is taken is either added again or ended. */
  add(item: T, scope: string, urgency: Urgency): void {
    this.#open += 1;
    this.#put(item, scope, urgency);
  }

  addAgain({ item, scope }: Queued<T>, urgency: Urgency): void {
    this.#put(item, scope, urgency);
  }

  /** Called once for each item that is done, and once when the producer adds no more items. */
  end(): void {
    this.#open -= 1;
    if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }

  /** The next one, or nothing once all have ended. */
  take(): Promise<Queued<T> | undefined> {
    const next = this.#next('recent') ?? this.#next('history');
    if (next || this.#open === 0) return Promise.resolve(next);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #put(item: T, scope: string, urgency: Urgency): void {
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting({ scope, item });
      return;
    }
    addToList(this.#scopes[urgency], scope, item);
  }

  #next(urgency: Urgency): Queued<T> | undefined {
    const scopes = this.#scopes[urgency];
    const [first] = scopes;
    if (!first) return undefined;
    const [scope, items] = first;
    scopes.delete(scope);
    const item = items.shift();
    if (items.length > 0) scopes.set(scope, items);
    return item === undefined ? undefined : { scope, item };
  }
}
