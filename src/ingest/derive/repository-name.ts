/** The repository without its owner. GitLab groups nest, so the owner may be a path itself. */
export function repositoryName(repository: string | null): string | null {
  const segments = repository?.split('/').filter((segment) => segment.trim() !== '');
  return segments?.at(-1)?.trim() ?? null;
}
