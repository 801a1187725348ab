/** A careless change: in `file`, the text `replace` becomes `by`, and the promise is broken. */
export interface Fault {
  readonly name: string;
  readonly promise: string;
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

export declare const faults: readonly Fault[];
