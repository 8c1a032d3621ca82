/** What is to be sent by OTLP. */
export type Wanted = {
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly logs: boolean;
  /** Files instead of a collector. */
  readonly folder: string | undefined;
  /** Of requests without a caller's trace, those whose trace is kept; undefined: another sampler of the SDK decides. */
  readonly keptShare: number | undefined;
};

/**
 * By OpenTelemetry's variables: a signal is sent where an endpoint is set, for all or for it, and its exporter is not `none`. With
 * TELEMETRY_FOLDER all go to files.
 * @returns undefined: nothing is sent
 */
export function wantedOf(env: Readonly<Record<string, string | undefined>>): Wanted | undefined {
  const folder = env.TELEMETRY_FOLDER || undefined;
  const isWanted = (signal: 'TRACES' | 'METRICS' | 'LOGS') =>
    env[`OTEL_${signal}_EXPORTER`] !== 'none' &&
    Boolean(folder || env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
  const signals = { traces: isWanted('TRACES'), metrics: isWanted('METRICS'), logs: isWanted('LOGS') };
  const wanted = { ...signals, folder, keptShare: keptShareOf(env) };
  return wanted.traces || wanted.metrics || wanted.logs ? wanted : undefined;
}

function keptShareOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  if (env.OTEL_TRACES_SAMPLER !== 'parentbased_traceidratio') return undefined;
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  return share >= 0 && share <= 1 ? share : 1;
}
