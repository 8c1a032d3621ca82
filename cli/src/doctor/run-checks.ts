import { type Finding, problem } from '@catchment/bus';
import { DomainError } from '@catchment/errors';

export type Check = {
  /** The findings of the check are about this, where it fails as a whole. */
  readonly about: string;
  /** People can do this when it fails. */
  readonly advice: string;
  /** Ends soon after the signal; one that does not is left behind. */
  readonly look: (limit: { readonly ms: number; readonly signal: AbortSignal }) => Promise<readonly Finding[]>;
};

/**
 * Runs all checks side by side, each no longer than its time: one that fails or hangs is a problem of its own and holds up no other.
 * @returns the findings in the order of the checks
 */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<Finding[]> {
  return (await Promise.all(checks.map((check) => outcome(check, limitMs)))).flat();
}

async function outcome({ about, advice, look }: Check, limitMs: number): Promise<readonly Finding[]> {
  const controller = new AbortController();
  const late = Promise.withResolvers<readonly Finding[]>();
  const timer = setTimeout(() => {
    controller.abort(new Error('the time of the check is over'));
    late.resolve([problem(about, `gave no answer within ${limitMs / 1000} s`, advice)]);
  }, limitMs);
  // The library's own limits come first: they say more.
  const looking = (async () => look({ ms: Math.ceil(limitMs * 0.8), signal: controller.signal }))().catch((error) => [
    problem(about, reasonOf(error), advice),
  ]);
  return Promise.race([looking, late.promise]).finally(() => clearTimeout(timer));
}

/** Returns the reason of a failure for people: that of the driver where ours only says that something is away. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof DomainError && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause instanceof AggregateError ? (cause.errors[0] as Error | undefined) : undefined;
  const deeper = cause.cause instanceof Error ? cause.cause.message : undefined;
  const text = cause.message || inner?.message || cause.name;
  // A library may quote the address that it was given.
  return `${text}${deeper && deeper !== text ? `: ${deeper}` : ''}`.replaceAll(/:\/\/[^@/\s]*@/g, '://');
}
