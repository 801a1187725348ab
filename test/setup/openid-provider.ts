import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface ProviderAccount {
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface RunningProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By subject; changes count from the next sign-in on. */
  readonly accounts: Map<string, ProviderAccount>;
  /** How the provider answers from now on for its token: as it should, with a signature that is not its own, or not at all. */
  tokens: 'good' | 'forged' | 'broken';
  /** Tells the provider where people may be sent back to. */
  allow(redirectUrl: string): void;
  /**
   * What a browser does with an address of the provider: signs in as this account, agrees, and is sent back. Answers the
   * address that it is sent back to.
   */
  signInAs(subject: string, url: string): Promise<URL>;
  close(): Promise<void>;
}

/** A real OpenID provider on loopback, without a browser. */
export async function startOpenidProvider(): Promise<RunningProvider> {
  const accounts = new Map<string, ProviderAccount>();
  const [clientId, clientSecret] = ['plumb', 'a secret between the two'];
  let answer: ReturnType<Provider['callback']> = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => {
    if (request.url === '/token' && provider.tokens === 'broken') {
      response.writeHead(500).end('not a token');
      return;
    }
    if (request.url === '/token' && provider.tokens === 'forged') forgeSignature(response);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: RunningProvider = {
    issuer,
    clientId,
    clientSecret,
    accounts,
    tokens: 'good',
    allow(redirectUrl) {
      answer = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        cookies: { keys: ['a key for cookies of a test'] },
        pkce: { required: () => true },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({ sub, ...accounts.get(sub) }),
        }),
      }).callback();
    },
    signInAs: (subject, url) => walk(issuer, subject, url),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return provider;
}

/** Everything of the ID token stays as it is but its signature, which stays as long as it was. */
function forgeSignature(response: ServerResponse): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = (body: unknown) =>
    end(
      String(body).replace(
        /("id_token":"[\w-]+\.[\w-]+\.)([\w-]+)/,
        (_, kept, signature) => kept + 'A'.repeat(signature.length),
      ),
    );
}

const maxSteps = 20;

/** Follows redirections, and fills in the two forms of the provider, until it leads elsewhere. */
async function walk(issuer: string, subject: string, begun: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(begun);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < maxSteps; step += 1) {
    if (url.origin !== issuer) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (location !== null) {
      form = undefined;
      url = new URL(location, url);
    } else if (prompt !== undefined) {
      form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: subject, password: 'any' } : {}) });
      url = new URL(/action="([^"]+)"/.exec(text)?.[1] ?? '', url);
    } else throw new Error(`${answer.status} ${text}`);
  }
  throw new Error('the provider sent the browser in a circle');
}
