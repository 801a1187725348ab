import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';

/** A column by its name for people. */
const ColumnName = ({ column }: { readonly column: string }) => `“${columnLabel(column)}”`;

export default ColumnName;
