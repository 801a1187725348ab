import { Refusal } from '../refusal.ts';
import { decrypt, type EncryptionKey, encrypt, encryptionKeyOf, keyIdOf } from './encryption.ts';
import { adoptNextFolderSecret, folderSecret, folderSecrets, nextFolderSecret } from './folder-secret.ts';

export interface SecretSettings {
  readonly folder: string;
  /** PLUMB_SECRET. Where it is unset, a secret is made and kept in the data folder. */
  readonly secret?: string | undefined;
  /** PLUMB_SECRET_OLD: what is still encrypted with it can be read. */
  readonly secretOld?: string | undefined;
}

/** A secret that cannot be decrypted here, with what to do about it. */
export class UnreadableSecret extends Refusal {
  readonly problem: string;
  readonly toDo: string;

  constructor(problem: string, toDo: string) {
    super('conflict', `${problem}. ${toDo}`);
    this.problem = problem;
    this.toDo = toDo;
  }
}

/** Encrypts what nobody may read in the store or in a backup, and decrypts it for its use. */
export class Secrets {
  readonly #settings: SecretSettings;
  readonly #keys = new Map<string, Promise<EncryptionKey>>();

  constructor(settings: SecretSettings) {
    this.#settings = settings;
  }

  /**
   * Always with the newest secret. Only in the same context can it be decrypted. Called inside the transaction that keeps
   * it, so that a rotation finds it.
   */
  async encrypt(text: string, context: string): Promise<string> {
    const { folder, secret } = this.#settings;
    return encrypt(await this.#keyOf(secret ?? folderSecret(folder)), text, context);
  }

  /** Refused where the secret that it was encrypted with is not at hand. `what` names it: "The secrets of source 'Code'". */
  async decrypt(encrypted: string, context: string, what: string): Promise<string> {
    const key = await this.#keyFor(encrypted);
    if (!key)
      throw new UnreadableSecret(`${what} were encrypted with another PLUMB_SECRET than this server has`, withIt);
    const text = decrypt(key, encrypted, context);
    if (text === undefined) {
      throw new UnreadableSecret(
        `${what} are damaged, or were moved here from another place`,
        'Set them again with `plumb source set`.',
      );
    }
    return text;
  }

  /** Whether the secret that it was encrypted with is at hand. */
  async isReadable(encrypted: string): Promise<boolean> {
    return (await this.#keyFor(encrypted)) !== undefined;
  }

  /**
   * Calls back with a way to encrypt with the secret that is to stay: PLUMB_SECRET, or a new one in the data folder. The
   * new one is adopted when the work is done; until then both are at hand.
   */
  async rotate<T>(work: (reencrypt: (text: string, context: string) => string) => Promise<T>): Promise<T> {
    const { folder, secret } = this.#settings;
    const key = await this.#keyOf(secret ?? nextFolderSecret(folder));
    const result = await work((text, context) => encrypt(key, text, context));
    if (secret === undefined) adoptNextFolderSecret(folder);
    return result;
  }

  /** Whether it was encrypted with PLUMB_SECRET, or with the one in the data folder where that is unset. */
  async isCurrent(encrypted: string): Promise<boolean> {
    const { folder, secret = folderSecrets(folder).at(-1) } = this.#settings;
    return secret !== undefined && (await this.#keyOf(secret)).id === keyIdOf(encrypted);
  }

  async #keyFor(encrypted: string): Promise<EncryptionKey | undefined> {
    const { folder, secret, secretOld } = this.#settings;
    const wanted = keyIdOf(encrypted);
    for (const known of [secret, secretOld, ...folderSecrets(folder)]) {
      if (known === undefined) continue;
      const key = await this.#keyOf(known);
      if (key.id === wanted) return key;
    }
    return undefined;
  }

  #keyOf(secret: string): Promise<EncryptionKey> {
    const key = this.#keys.get(secret) ?? encryptionKeyOf(secret);
    this.#keys.set(secret, key);
    return key;
  }
}

const withIt =
  'Nothing is lost: start it with that one, or with that one as PLUMB_SECRET_OLD, or set them again with `plumb source set`.';
