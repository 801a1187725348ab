import { createContext, useContext } from 'react';
import { getJson } from './ask/send.ts';

interface Owner {
  readonly name: string;
  readonly email: string;
}

/** The signed-in person, and what the pages need to know of the organisation. */
interface Session {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly role: string;
  readonly organisation: {
    readonly id: string;
    readonly name: string;
    readonly time_zone: string;
    readonly is_demo: boolean;
    readonly survey_minimum_group: number;
    readonly survey_privacy: string;
    readonly salary_visibility: boolean;
    readonly team_restrictions: boolean;
  };
  /** The people to ask for more rights. */
  readonly owners: readonly Owner[];
  /** The rows that the reader sees, where it is not all of them. */
  readonly visibility_notice: {
    readonly visibility: 'organisation' | 'teams' | 'squads' | 'self';
    readonly teams: { readonly seen: number; readonly all: number } | null;
    /** In a sentence; null for those who see everything. */
    readonly words: string | null;
  };
  readonly permissions: readonly string[];
  readonly version: string;
  readonly public_url: string;
  /** How the operator of the server starts Plumb there: `npx plumb` in a clone, `plumb` elsewhere. */
  readonly command: string;
  readonly signed_in_with: 'password' | 'link' | 'openid';
}

export const loadSession = (signal?: AbortSignal): Promise<Session> => getJson('/app/session', signal);

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('No session: this is drawn outside of the frame.');
  return session;
}

export const isOwner = ({ role }: Session): boolean => role === 'Owner';
/** Engineers see only rows of their own; pages say so. */
export const seesOnlyOwn = ({ role }: Session): boolean => role === 'Engineer';

/** The sign-in page, which brings the reader back to where they are. */
export function signInAddress(): string {
  const next = `${location.pathname}${location.search}`;
  return `/sign-in?next=${encodeURIComponent(next)}`;
}
