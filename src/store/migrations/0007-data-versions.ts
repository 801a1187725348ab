/**
 * Records from which change of an organisation's tables questions are answered, who may write the next one, and until when. A
 * change has a number of its own; those of lost writers are dead: no row with such a number is ever shown.
 */
export const dataVersions: readonly string[] = [
  'CREATE SEQUENCE change_number',
  `CREATE TABLE data_versions (
    organisation_id text COLLATE "C" PRIMARY KEY, published bigint NOT NULL, writer bigint, lease_until timestamptz,
    dead bigint[] NOT NULL)`,
];
