/** The email addresses and logins of one organisation, each of which belongs to one person, whatever its case. */
export class TakenIdentities {
  readonly #taken = new Set<string>();
  readonly #lastNumber = new Map<string, number>();

  claimEmail(localParts: readonly string[], domain: string): string {
    return `${this.#claim('email', localParts, (local) => `${local}@${domain}`)}@${domain}`;
  }

  claimLogin(source: string, logins: readonly string[]): string {
    return this.#claim(source, logins, (login) => login);
  }

  /** The first free candidate, else the last one with the next number, as mail administrators do it. */
  #claim(kind: string, candidates: readonly string[], identityOf: (candidate: string) => string): string {
    const keyOf = (candidate: string) => `${kind}:${identityOf(candidate).toLowerCase()}`;
    for (const candidate of candidates) {
      if (this.#take(keyOf(candidate))) return candidate;
    }
    const last = candidates.at(-1);
    if (last === undefined) throw new RangeError('An identity needs a candidate');
    for (let number = (this.#lastNumber.get(keyOf(last)) ?? 1) + 1; ; number += 1) {
      if (!this.#take(keyOf(`${last}${number}`))) continue;
      this.#lastNumber.set(keyOf(last), number);
      return `${last}${number}`;
    }
  }

  #take(key: string): boolean {
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}
