/** The environments of a repository that are production, where production, prod and live are not their names. */
export const productionEnvironments: readonly string[] = [
  'ALTER TABLE repositories ADD COLUMN production_environments text COLLATE "C"',
];
