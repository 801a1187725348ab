export declare function findChromium(): string | undefined;
export declare function findYamllint(): string | undefined;
export declare function findHelm(): string | undefined;
