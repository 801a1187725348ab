/** What a replayed GitHub holds: objects in the shapes of its REST interface. */
export interface World {
  readonly repositories: ReplayedRepository[];
  readonly organizations: ReplayedOrganization[];
}

/** An object of the provider, with whatever fields it has. */
export type Fields = Record<string, unknown>;

export interface ReplayedRepository {
  /** `/repos/{owner}/{name}`. */
  readonly repository: Fields & { id: number; full_name: string };
  /** Names that it had before: asked by one of them, GitHub leads to the repository's number. */
  readonly earlierNames?: readonly string[];
  readonly pulls: ReplayedPull[];
  readonly issues: ReplayedIssue[];
  readonly releases: Fields[];
  readonly runs: ReplayedRun[];
  readonly deployments: ReplayedDeployment[];
}

export interface ReplayedPull {
  pull: Fields & { number: number; updated_at: string };
  timeline: Fields[];
  reviews: Fields[];
  reviewComments: Fields[];
  /** As the detail of a commit has them, with `stats`. */
  commits: Fields[];
  files: Fields[];
}

export interface ReplayedIssue {
  issue: Fields & { number: number; updated_at: string };
  comments: Fields[];
}

export interface ReplayedRun {
  run: Fields & { id: number; created_at: string };
  timing: Fields;
  artifacts: Fields[];
}

export interface ReplayedDeployment {
  deployment: Fields & { id: number; created_at: string };
  /** Newest first. */
  statuses: Fields[];
}

export interface ReplayedOrganization {
  readonly login: string;
  readonly members: { readonly login: string; readonly name: string | null; readonly emails: readonly string[] }[];
  readonly teams: { readonly name: string; readonly parent?: string; readonly logins: readonly string[] }[];
}

export const emptyRepository = (repository: ReplayedRepository['repository']): ReplayedRepository => ({
  repository,
  pulls: [],
  issues: [],
  releases: [],
  runs: [],
  deployments: [],
});
