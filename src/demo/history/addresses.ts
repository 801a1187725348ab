import type { CodeHost } from '../blueprint.ts';

/** Hosts under a domain that is reserved and leads nowhere. */
const hosts: Readonly<Record<CodeHost, string>> = {
  github: 'https://github.example',
  gitlab: 'https://gitlab.example',
  bitbucket: 'https://bitbucket.example',
};

const pullRequestPaths: Readonly<Record<CodeHost, string>> = {
  github: 'pull',
  gitlab: '-/merge_requests',
  bitbucket: 'pull-requests',
};
const commitPaths: Readonly<Record<CodeHost, string>> = { github: 'commit', gitlab: '-/commit', bitbucket: 'commits' };
const runPaths: Readonly<Record<CodeHost, string>> = {
  github: 'actions/runs',
  gitlab: '-/pipelines',
  bitbucket: 'pipelines/results',
};

export const pullRequestUrl = (host: CodeHost, repository: string, number: number): string =>
  `${hosts[host]}/${repository}/${pullRequestPaths[host]}/${number}`;

export const commitUrl = (host: CodeHost, repository: string, sha: string): string =>
  `${hosts[host]}/${repository}/${commitPaths[host]}/${sha}`;

export const runUrl = (host: CodeHost, repository: string, run: number): string =>
  `${hosts[host]}/${repository}/${runPaths[host]}/${run}`;

export const releaseUrl = (host: CodeHost, repository: string, version: string): string =>
  `${hosts[host]}/${repository}/releases/tag/${version}`;

export const issueUrl = (repository: string, number: number): string =>
  `${hosts.github}/${repository}/issues/${number}`;

export const ticketUrl = (tracker: string, owner: string, key: string): string =>
  `https://${owner}.${tracker}.example/browse/${key}`;
