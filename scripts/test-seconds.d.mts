export declare const longDefaults: Readonly<Record<string, number>>;
export declare function readTestSeconds(root: string): (file: string) => number;
export declare function recordTestSeconds(root: string, seconds: Readonly<Record<string, number>>): void;
