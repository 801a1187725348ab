export const deploymentsByResultWords = {
  deploymentsPer: (level: string) => `Deployments per ${level}`,
  succeeded: 'Succeeded',
  failed: 'Failed',
  toProductionByResult: 'To production, by result of the run',
  deployments: 'deployments',
} as const;
