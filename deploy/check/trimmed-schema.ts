/** Returns a schema without texts and what only Kubernetes reads. */
export function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) => !(key === 'description' && typeof inner === 'string') && !key.startsWith('x-kubernetes'),
      )
      .map(([key, inner]) => [key, trimmed(inner)]),
  );
}
