import type { HttpAnswer, Service } from '../../setup/running-app.ts';

/** A form as a browser sends it from a page of the service. */
export function submit(
  service: Service,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return service.request('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** What the browser keeps of an answer. */
export const cookieOf = ({ headers }: HttpAnswer): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

/** Gives somebody a password by a link, and says what their browser keeps. */
export async function choosePassword(service: Service, email: string, password: string): Promise<string> {
  const answer = await submit(service, await service.signInLink(email), { password });
  if (answer.status !== 303) throw new Error(`${answer.status} ${answer.text}`);
  return cookieOf(answer);
}
