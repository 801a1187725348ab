/** What every answer carries, whatever it answers. Written by hand: helmet does the same, once more for each request. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  // Answers differ by key and change with the directory: no proxy and no browser may keep one.
  'cache-control': 'no-store',
} as const;

/** A year. Sent only where the caller came by https: on plain http it would mean nothing, or lock a tester out. */
export const strictTransport = 'max-age=31536000; includeSubDomains';
