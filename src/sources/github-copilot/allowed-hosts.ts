/**
 * Where GitHub keeps report files: https://docs.github.com/en/copilot/reference/copilot-allowlist-reference. Links to them
 * are signed, so nobody there gets the token. Another host is refused unless the setting `allow_hosts` names it.
 */
export const reportHosts: readonly string[] = [
  'copilot-reports.github.com',
  'copilot-reports.*.ghe.com',
  'copilot-reports-*.b01.azurefd.net',
  'usagereports*.blob.core.windows.net',
];
