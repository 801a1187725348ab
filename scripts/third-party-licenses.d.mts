import type { Plugin } from 'rolldown';

export const licensesFile: string;
export function thirdPartyLicenses(): Plugin;
