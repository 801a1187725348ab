export declare function changedFiles(root: string, since?: string): string[];
export declare function filesOfTree(root: string): string[];
