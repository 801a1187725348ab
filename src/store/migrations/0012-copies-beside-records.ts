/**
 * Copies of the directory may be changed beside records that are being written: by which writer they are left to others, the
 * number of the change that goes beside it, and until when.
 */
export const copiesBesideRecords: readonly string[] = [
  'ALTER TABLE data_versions ADD COLUMN left_copies bigint',
  'ALTER TABLE data_versions ADD COLUMN beside bigint',
  'ALTER TABLE data_versions ADD COLUMN beside_until timestamptz',
];
