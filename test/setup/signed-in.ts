import type { SignInMethod } from '../../src/access/principal.ts';
import type { HttpAnswer, Service } from './running-app.ts';

/** Somebody who is signed in to a running service. */
export interface SignedIn {
  /** What the browser keeps: `plumb_session=…`. */
  readonly cookie: string;
  readonly sessionId: string;
  /** What a page of the service sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  request(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
}

/**
 * Signs a person of the service's organisation in, as far as their browser can tell:
 *
 *     const ada = await signIn(service, 'ada@example.com');
 *     await ada.request('GET', '/app/session');
 */
export async function signIn(service: Service, email: string, method: SignInMethod = 'password'): Promise<SignedIn> {
  const begun = await service.app.sessions.begin(service.organisationId, await service.idOf(email), method);
  return signedIn(service, begun);
}

/** Somebody whose session has begun. */
export function signedIn(service: Service, { id, token }: { readonly id: string; readonly token: string }): SignedIn {
  const cookie = `plumb_session=${token}`;
  const headers = { cookie, origin: service.url };
  return {
    cookie,
    sessionId: id,
    headers,
    request: (verb, path, body) => service.request(verb, path, body === undefined ? { headers } : { headers, body }),
  };
}
