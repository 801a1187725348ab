import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../refusal.ts';
import type { SignInMethod } from './session.ts';
import type { BegunSession, Sessions } from './sessions.ts';

/** A person who has shown who they are, in one of the organisations that know them. */
export interface ProvenMember {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly personId: string;
}

/** Signed in, or asked for which of several organisations. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly session: BegunSession }
  | { readonly kind: 'several'; readonly choice: string; readonly organisations: readonly ProvenMember[] };

interface OpenChoice {
  readonly memberships: readonly ProvenMember[];
  readonly method: SignInMethod;
  readonly endsAt: number;
}

const minutes = 5;
const choicesMost = 1_000;

/** Begins a session in the one organisation that knows a person, or asks them which of several they mean. */
export class OrganisationChoices {
  readonly #sessions: Sessions;
  readonly #now: () => Date;
  readonly #open = new LRUCache<string, OpenChoice>({ max: choicesMost });

  constructor(sessions: Sessions, now: () => Date) {
    this.#sessions = sessions;
    this.#now = now;
  }

  async enter(memberships: readonly ProvenMember[], method: SignInMethod): Promise<SignInOutcome> {
    const [only, ...others] = memberships;
    if (!only) throw new Error('a person without an organisation was let in');
    if (others.length === 0) return { kind: 'signed-in', session: await this.#begin(only, method) };
    const choice = randomBytes(24).toString('base64url');
    this.#open.set(choice, { memberships, method, endsAt: this.#now().getTime() + minutes * 60_000 });
    return { kind: 'several', choice, organisations: memberships };
  }

  /** Answers the question, once. */
  async choose(choice: string, organisationId: string): Promise<BegunSession> {
    const open = this.#open.get(choice);
    const chosen = open?.memberships.find((membership) => membership.organisationId === organisationId);
    if (!open || !chosen || open.endsAt <= this.#now().getTime()) {
      throw new Refusal('bad-input', `That took longer than ${minutes} minutes. Sign in again.`);
    }
    this.#open.delete(choice);
    return this.#begin(chosen, open.method);
  }

  #begin({ organisationId, personId }: ProvenMember, method: SignInMethod): Promise<BegunSession> {
    return this.#sessions.begin(organisationId, personId, method);
  }
}
