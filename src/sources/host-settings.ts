import type { SettingField } from './source.ts';

/** Settings that every kind of source with a host has in the same words. `openSource` reads them. */
export const allowHostsField: SettingField = {
  name: 'allow_hosts',
  label: 'Allowed hosts',
  meaning:
    'other hosts that answers may lead to, such as example.com, *.example.com or example.com:8443; they never get the token',
  type: 'list',
  isHosts: true,
};

export const keepFreeField: SettingField = {
  name: 'keep_free_percent',
  label: 'Share of the rate limit to keep free',
  meaning: 'how much of the hourly rate limit is left to other tools that use the same account, in percent, at most 90',
  type: 'integer',
  // With all of it kept free, nothing would ever be asked.
  most: 90,
  usual: '20',
};
