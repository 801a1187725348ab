/** A request that Plumb refused, or could not answer. */
export class PlumbError extends Error {
  override readonly name = 'PlumbError';
  readonly status: number;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, detail: string, requestId: string | undefined) {
    super(detail);
    this.status = status;
    this.requestId = requestId;
  }
}

/** What a refused response says of itself. */
export async function errorOf(response: Response): Promise<PlumbError> {
  const text = await response.text().catch(() => '');
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new PlumbError(response.status, detailIn(text) ?? `Plumb answered with status ${response.status}.`, requestId);
}

/** A proxy in front of Plumb may answer with something else. */
function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
}
