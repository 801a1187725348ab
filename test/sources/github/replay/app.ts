import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { Reply } from '../../../jobs/failing-answers.ts';

/** A key as GitHub makes one for an app: PKCS#1, of 2,048 bits. */
export const someKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();

export const appKey = someKey();

const allRights = {
  metadata: 'read',
  pull_requests: 'read',
  issues: 'read',
  contents: 'read',
  actions: 'read',
  deployments: 'read',
  members: 'read',
};

interface AppOptions {
  /** GitHub's clock, in seconds since 1970. */
  readonly now: () => number;
  readonly lifeSeconds?: number;
  readonly rights?: Readonly<Record<string, string>>;
  readonly accountType?: string;
}

interface AppRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A GitHub App with one installation: it checks proofs as GitHub does, and gives tokens that end. */
export class ReplayedApp {
  static readonly settings = { app_id: 4_711, installation_id: 815, private_key: appKey };

  /** Tokens that hold, with their ends. */
  readonly tokens = new Map<string, number>();
  readonly issued: string[] = [];
  state: 'installed' | 'suspended' | 'removed' = 'installed';
  readonly #publicKey: KeyObject = createPublicKey(appKey);
  readonly #options: Required<AppOptions>;

  constructor({ lifeSeconds = 3_600, rights = allRights, accountType = 'Organization', now }: AppOptions) {
    this.#options = { lifeSeconds, rights, accountType, now };
  }

  /** As GitHub does at once when an installation goes. */
  revoke(): void {
    this.tokens.clear();
  }

  /** What the app itself asks for; undefined for everything that a token is for. */
  answer({ method, path, authorization }: AppRequest): Reply | undefined {
    const [, area, kind, id, below] = path.split('/');
    if (area !== 'app' || kind !== 'installations') return undefined;
    const wrong = this.#wrongIn(authorization?.replace('Bearer ', '') ?? '');
    if (wrong !== undefined) return wrong;
    if (this.state === 'removed' || Number(id) !== ReplayedApp.settings.installation_id) return said(404, 'Not Found');
    if (below === undefined && method === 'GET') return { status: 200, body: this.#described() };
    if (this.state === 'suspended') return said(403, 'This installation has been suspended');
    return { status: 201, body: this.#issue() };
  }

  /** The refusal of a request whose token does not hold. */
  refusal(authorization: string | undefined): Reply | undefined {
    const token = authorization?.replace('Bearer ', '') ?? '';
    if ((this.tokens.get(token) ?? 0) <= this.#options.now()) return said(401, 'Bad credentials');
    return this.state === 'suspended' ? said(403, 'This installation has been suspended') : undefined;
  }

  #issue() {
    const { now, lifeSeconds, rights } = this.#options;
    const token = `ghs_issued${this.issued.length}`;
    this.issued.push(token);
    this.tokens.set(token, now() + lifeSeconds);
    return {
      token,
      expires_at: new Date((now() + lifeSeconds) * 1_000).toISOString(),
      permissions: rights,
      repository_selection: 'all',
    };
  }

  #described() {
    const { installation_id: id, app_id } = ReplayedApp.settings;
    const { accountType: type } = this.#options;
    const account = { login: 'acme', type };
    return { id, app_id, app_slug: 'plumb-reader', account, permissions: this.#options.rights, suspended_at: null };
  }

  /** GitHub wants a signature of ten minutes at most, by its own clock. */
  #wrongIn(proof: string): Reply | undefined {
    const [head = '', claims = '', signature = ''] = proof.split('.');
    const { iat, exp, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}');
    const now = this.#options.now();
    if (iss !== ReplayedApp.settings.app_id) return said(404, 'Integration not found');
    const signed = Buffer.from(`${head}.${claims}`);
    if (!verify('sha256', signed, this.#publicKey, Buffer.from(signature, 'base64url'))) {
      return said(401, 'A JSON web token could not be decoded');
    }
    if (!(exp > now)) return said(401, "'Expiration time' claim ('exp') must be a numeric value in the future");
    if (exp > now + 600) return said(401, "'Expiration time' claim ('exp') is too far in the future");
    if (!(iat <= now)) return said(401, "'Issued at' claim ('iat') must be the time of issue");
    return undefined;
  }
}

const said = (status: number, message: string): Reply => ({ status, body: { message } });
