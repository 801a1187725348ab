import { sign } from 'node:crypto';
import type { Answer, Asking } from '../host-port.ts';
import { Payload, UnknownShape } from '../payload.ts';
import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { tokenField } from '../source-settings.ts';
import type { IssuedToken, IssuerAnswer, TokenIssuer } from '../token-issuer.ts';
import { type GithubApi, githubHeaders } from './api.ts';

/** A token of a person, or an app of one's own that is installed where the repositories are. */
export const githubAccessFields = (token: string): readonly SettingField[] => [
  tokenField('Token', token),
  {
    name: 'app_id',
    label: 'App ID',
    meaning: 'number of a GitHub App of your own, where that is used in place of a token',
    type: 'integer',
    isRequired: true,
    insteadOf: 'token',
  },
  {
    name: 'installation_id',
    label: 'Installation ID',
    meaning: 'number of the app’s installation: the last part of the address of its page',
    type: 'integer',
    isRequired: true,
    insteadOf: 'token',
  },
  {
    name: 'private_key',
    label: 'Private key',
    meaning: 'key that GitHub made for the app, the whole PEM file',
    type: 'private-key',
    isSecret: true,
    isRequired: true,
    insteadOf: 'token',
  },
];

/** The app that the settings name; undefined where they have a token. */
export function appInstallationIn({
  app_id,
  installation_id,
  private_key,
}: SettingValues): AppInstallation | undefined {
  if (typeof app_id !== 'number' || typeof installation_id !== 'number') return undefined;
  return new AppInstallation({ appId: app_id, installationId: installation_id, privateKey: String(private_key) });
}

interface AppParts {
  readonly appId: number;
  readonly installationId: number;
  /** PEM. */
  readonly privateKey: string;
}

/** GitHub takes no proof that is good for more than ten minutes. */
const proofSeconds = 540;
/** Its clock may be behind. */
const backSeconds = 60;

/** An installation of a GitHub App: its key proves who asks, and GitHub gives tokens for it that hold for an hour. */
export class AppInstallation implements TokenIssuer {
  readonly #parts: AppParts;

  constructor(parts: AppParts) {
    this.#parts = parts;
  }

  get path(): string {
    return `${this.#page}/access_tokens`;
  }

  get #page(): string {
    return `/app/installations/${this.#parts.installationId}`;
  }

  sign(at: number): Readonly<Record<string, string>> {
    const { appId, privateKey } = this.#parts;
    const claims = { iat: at - backSeconds, exp: at + proofSeconds, iss: appId };
    const signed = `${partOf({ alg: 'RS256', typ: 'JWT' })}.${partOf(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
    return { ...githubHeaders, authorization: `Bearer ${signed}.${signature}` };
  }

  tokenIn({ status, body }: IssuerAnswer): IssuedToken {
    if (status >= 300) throw this.#problemOf(status, messageIn(body));
    try {
      const issued = Payload.of(body, 'token of the installation');
      return { token: issued.text('token'), endsAt: Date.parse(issued.time('expires_at')) / 1_000 };
    } catch (error) {
      // Else what the token was for would count as unreadable.
      if (error instanceof UnknownShape) throw noTokenInAnswer(this.#parts.appId);
      throw error;
    }
  }

  /** What was suspended or uninstalled is told by the next request for a token. */
  hasEnded({ status, text }: { readonly status: number; readonly text: string }): boolean {
    return status === 401 || isSuspended(text);
  }

  /** The installation as GitHub describes it, which only the app itself may ask for. */
  async describe(api: GithubApi, at: number): Promise<Answer> {
    const asking: Asking = { headers: this.sign(at), isAnonymous: true, alsoGood: refusals };
    const answer = await api.requests.get(this.#page, asking);
    if (answer.status >= 300) throw this.#problemOf(answer.status, messageIn(answer.body));
    return answer;
  }

  #problemOf(status: number, said: string): SourceProblem {
    const { appId, installationId } = this.#parts;
    const refused = { isRefused: true };
    if (status === 403 && isSuspended(said)) {
      return new SourceProblem(
        `Installation ${installationId} of the GitHub App is suspended`,
        'Let an owner of the organisation unsuspend it: Settings, GitHub Apps, Configure.',
        refused,
      );
    }
    if (status === 404 && /integration not found/i.test(said)) {
      return new SourceProblem(
        `GitHub knows no app with the App ID ${appId}`,
        'Set app_id to the App ID on the page of the app. base_url has to be the GitHub where the app was made.',
        refused,
      );
    }
    if (status === 404) {
      return new SourceProblem(
        `The GitHub App ${appId} has no installation ${installationId}: it was removed, or the number is wrong`,
        'Install the app again, and set installation_id to the number at the end of the address of the installation’s page.',
        refused,
      );
    }
    if (status === 401 && /claim \('(?:exp|iat)'\)/i.test(said)) {
      return new SourceProblem(
        'GitHub finds that the clock of this server is wrong',
        'Let the server take its time from a time server. GitHub takes signatures of a few minutes only.',
        refused,
      );
    }
    if (status === 401) {
      return new SourceProblem(
        `GitHub does not accept the private key for the app ${appId}`,
        'Set private_key to a key that the page of the app still lists, and app_id to the App ID of that same app.',
        refused,
      );
    }
    return new SourceProblem(
      `GitHub refuses the app ${appId} (${status})`,
      'Check on the app’s page that it is active, and run plumb source check.',
      refused,
    );
  }
}

/** Statuses whose meaning for an app is another one than for a token. */
const refusals = [401, 403, 404];

const noTokenInAnswer = (appId: number): SourceProblem =>
  new SourceProblem(
    `The answer to the app ${appId} has no token`,
    'See that base_url is the address of GitHub’s API, and not of a proxy or a sign-in page.',
    { mayPass: true },
  );

const partOf = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const isSuspended = (said: string): boolean => /installation has been suspended/i.test(said);

function messageIn(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : '';
}
