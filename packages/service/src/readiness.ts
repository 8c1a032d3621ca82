export type ReadinessReport = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** A check that hangs counts as failed after this time. */
const CHECK_LIMIT_MS = 2_000;

/** Reports the truth about a service's dependencies: ready when started, not draining, and every check answers. */
export class Readiness {
  #state: 'starting' | 'started' | 'draining' = 'starting';
  readonly #checks = new Map<string, () => unknown>();

  /** `check` throws or rejects while the dependency is away. */
  add(dependency: string, check: () => unknown): void {
    this.#checks.set(dependency, check);
  }

  started(): void {
    if (this.#state === 'starting') this.#state = 'started';
  }

  draining(): void {
    this.#state = 'draining';
  }

  async report(): Promise<ReadinessReport> {
    const checks = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await outcome(check)] as const),
    );
    const ready = this.#state === 'started' && checks.every(([, result]) => result === 'ok');
    return { ready, checks: { service: this.#state, ...Object.fromEntries(checks) } };
  }
}

async function outcome(check: () => unknown): Promise<'ok' | 'failed'> {
  const late = Promise.withResolvers<'failed'>();
  const timer = setTimeout(() => late.resolve('failed'), CHECK_LIMIT_MS);
  const answer = (async () => check())().then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
