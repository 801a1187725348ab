import type { Configuration } from 'openid-client';
import { Refusal } from '../refusal.ts';

export interface OpenidSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent where the provider knows this service as a public client. */
  readonly clientSecret?: string | undefined;
  /** Identifiers or names of the organisations whose people may sign in this way. */
  readonly organisations: readonly string[];
  /** The name of the provider on pages. */
  readonly name: string;
}

/** The state that the browser keeps while a person signs in at the provider. */
export interface OpenidAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person that the provider has identified. */
export interface OpenidIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
}

const configurationMs = 3_600_000;
const answerSeconds = 10;

/** Loaded when a person signs in this way: most installations have no provider. */
const openidClient = () => import('openid-client');

/** An OpenID Connect provider: where to send people, and who came back. */
export class OpenidProvider {
  readonly #settings: OpenidSettings;
  readonly #now: () => Date;
  #known: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined;

  constructor(settings: OpenidSettings, now: () => Date) {
    this.#settings = settings;
    this.#now = now;
  }

  get name(): string {
    return this.#settings.name;
  }

  get organisations(): readonly string[] {
    return this.#settings.organisations;
  }

  async begin(redirectUrl: string): Promise<{ readonly url: URL; readonly attempt: OpenidAttempt }> {
    const configuration = await this.#configuration();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
      await openidClient();
    const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUrl,
      scope: 'openid email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /** The person who came back to this address. Everything that the browser could have changed on the way is checked. */
  async finish(cameTo: URL, { state, nonce, verifier }: OpenidAttempt): Promise<OpenidIdentity> {
    const configuration = await this.#configuration();
    const { authorizationCodeGrant, fetchUserInfo } = await openidClient();
    try {
      const tokens = await authorizationCodeGrant(configuration, cameTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      // Many providers tell the address only when they are asked for it.
      const account =
        claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof account.email === 'string' ? account.email : undefined,
        isEmailVerified: account.email_verified === true,
      };
    } catch (cause) {
      throw new Refusal('forbidden', `Signing in with ${this.name} did not succeed. Try again.`, {
        cause,
        isCausedElsewhere: true,
      });
    }
  }

  /** Read when it is first needed, and again every hour: a provider that is away must not keep the service from starting. */
  async #configuration(): Promise<Configuration> {
    const at = this.#now().getTime();
    if (!this.#known || this.#known.until <= at) {
      this.#known = { configuration: this.#discover(), until: at + configurationMs };
    }
    const known = this.#known;
    try {
      return await known.configuration;
    } catch (cause) {
      if (this.#known === known) this.#known = undefined;
      throw new Refusal('unavailable', `${this.name} cannot be reached at the moment. Try again.`, {
        retryAfterSeconds: 5,
        cause,
        isCausedElsewhere: true,
      });
    }
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks, None } = await openidClient();
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    return discovery(server, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
      // By default the client does not verify an ID token that came from the provider over TLS; with these checks one
      // of the provider's keys must have signed it. The settings allow plain http on this machine only.
      execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])],
      timeout: answerSeconds,
    });
  }
}
