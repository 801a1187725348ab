/** The host as issuer of tokens: it gives one that holds for a while in exchange for a proof of something lasting, such as a key. */
export interface TokenIssuer {
  /** Where a token is asked for, by POST, below `base_url`. */
  readonly path: string;
  /** Headers that prove who asks, made again for each request. `at` is the host's time, in seconds since 1970. */
  sign(at: number): Readonly<Record<string, string>>;
  /** The token in an answer. Throws a `SourceProblem` with what to do where there is none. */
  tokenIn(answer: IssuerAnswer): IssuedToken;
  /** Whether a request was refused since its token holds no longer: then another one is asked for. */
  hasEnded(refused: { readonly status: number; readonly text: string }): boolean;
}

export interface IssuerAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IssuedToken {
  readonly token: string;
  /** By the host's clock, in seconds since 1970. */
  readonly endsAt: number;
}
