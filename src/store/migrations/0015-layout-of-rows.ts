/** How the rows of an organisation are kept, and where rows have ended. As JSON; nothing where no change has said so. */
export const layoutOfRows: readonly string[] = ['ALTER TABLE data_versions ADD COLUMN layout text'];
