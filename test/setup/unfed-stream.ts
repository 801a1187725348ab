/** What a stream of the store has that feeds no table, as one that an earlier version has read. */
export const unfed = {
  feeds: null,
  is_daily: null,
  complete_at: null,
  read_back_to: null,
  failing_since: null,
  is_refused: null,
  not_seen: null,
} as const;
