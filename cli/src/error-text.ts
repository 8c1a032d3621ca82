/**
 * Returns what people read of a failure: all of it, where something failed again while its traces were removed, or
 * several attempts did.
 */
export function errorText(error: unknown): string {
  if (error instanceof SuppressedError) return [error.suppressed, error.error].map(errorText).join('\n');
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join('\n');
  return error instanceof Error ? error.message : String(error);
}
