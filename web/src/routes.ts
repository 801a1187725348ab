import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A page: where it is, which folder of `pages/` draws it, and where it stands in the navigation. */
export interface Route {
  readonly path: string;
  readonly folder: string;
  /** The name in the navigation. Pages without a name are reached from others. */
  readonly name?: string;
  /** Two letters for the collapsed navigation. */
  readonly short?: string;
  readonly group?: 1 | 2 | 3;
}

export const routes: readonly Route[] = [
  { path: '/', folder: 'overview', name: 'Overview', short: 'Ov', group: 1 },
  { path: '/delivery', folder: 'delivery', name: 'Delivery', short: 'De', group: 1 },
  { path: '/cycle-time', folder: 'cycle-time', name: 'Cycle time', short: 'Cy', group: 1 },
  { path: '/reviews', folder: 'reviews', name: 'Reviews', short: 'Re', group: 1 },
  { path: '/ai', folder: 'ai', name: 'AI', short: 'AI', group: 1 },
  { path: '/ci', folder: 'ci', name: 'CI', short: 'CI', group: 1 },
  { path: '/issues', folder: 'issues', name: 'Issues', short: 'Is', group: 1 },
  { path: '/people', folder: 'people', name: 'People', short: 'Pe', group: 2 },
  { path: '/surveys', folder: 'surveys', name: 'Surveys', short: 'Su', group: 2 },
  { path: '/benchmarks', folder: 'benchmarks', name: 'Benchmarks', short: 'Be', group: 2 },
  { path: '/explore', folder: 'explore', name: 'Explore', short: 'Ex', group: 2 },
  { path: '/settings', folder: 'settings', name: 'Settings', short: 'Se', group: 3 },
  { path: '/settings/keys', folder: 'settings/keys' },
  { path: '/settings/data-quality', folder: 'settings/data-quality' },
  { path: '/settings/people', folder: 'settings/people' },
  { path: '/settings/connections', folder: 'settings/connections' },
  { path: '/settings/organisation', folder: 'settings/organisation' },
  { path: '/settings/audit', folder: 'settings/audit' },
  { path: '/settings/backup', folder: 'settings/backup' },
  { path: '/pull-requests/:id', folder: 'pull-request' },
  { path: '/deployments/:id', folder: 'deployment' },
  { path: '/ai-sessions/:id', folder: 'ai-session' },
  { path: '/people/:id', folder: 'person' },
  { path: '/welcome', folder: 'welcome' },
];

/** The pages of settings, as the links between them name them. */
export const settingsPages: readonly { readonly path: string; readonly name: string; readonly isForOwners?: true }[] = [
  { path: '/settings', name: 'Your account' },
  { path: '/settings/keys', name: 'API keys' },
  { path: '/settings/organisation', name: 'Organisation' },
  { path: '/settings/people', name: 'Roles', isForOwners: true },
  { path: '/settings/connections', name: 'Connections', isForOwners: true },
  { path: '/settings/data-quality', name: 'Data quality', isForOwners: true },
  { path: '/settings/audit', name: 'Audit log', isForOwners: true },
  { path: '/settings/backup', name: 'Backup', isForOwners: true },
];

type PageModule = { readonly default: ComponentType };
const modules = import.meta.glob<PageModule>('./pages/**/page.tsx');

/** Pages by folder, each loaded when it is opened. */
export const pages: Readonly<Record<string, LazyExoticComponent<ComponentType> | undefined>> = Object.fromEntries(
  Object.entries(modules).map(([file, load]) => [file.replace(/^\.\/pages\/|\/page\.tsx$/g, ''), lazy(load)]),
);

/** Begins to load a page when the pointer is on its link. */
export const preloadPage = (folder: string): void => void modules[`./pages/${folder}/page.tsx`]?.();
