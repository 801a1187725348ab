import { postJson } from '../ask/send.ts';

export async function signOut({ everywhere = false } = {}): Promise<void> {
  await postJson('/app/sign-out', { everywhere });
  location.assign('/sign-in');
}
