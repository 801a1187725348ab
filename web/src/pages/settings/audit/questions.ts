export interface AuditLine {
  readonly at: string;
  readonly via: string;
  readonly actor: { readonly id: string | null; readonly name: string } | null;
  readonly key_id: string | null;
  readonly action: string;
  readonly subject: { readonly id: string; readonly name: string | null };
  readonly details: unknown;
}

export interface AuditPage {
  readonly entries: readonly AuditLine[];
  /** The parameter for older entries; null at the beginning of the log. */
  readonly before: string | null;
}

export const auditPath = (before: string | undefined): string =>
  before === undefined ? '/app/audit?limit=50' : `/app/audit?${new URLSearchParams({ limit: '50', before })}`;
