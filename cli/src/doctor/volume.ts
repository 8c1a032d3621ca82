import { FINDING_BOUNDS, type Finding, ok, problem, unknown, warning } from '@catchment/bus';
import type { Environment } from './installation.ts';

const { volume: BOUNDS } = FINDING_BOUNDS;
const GIB = 1024 ** 3;
const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: GIB,
  Ti: 1024 ** 4,
};
const WATCH = 'Watch its volume where it is (kubelet_volume_stats_available_bytes in Kubernetes).';

/** A server's room. */
export type Volume = {
  /** undefined: nobody says it here. */
  readonly limitBytes: number | undefined;
  /** It is that of this machine's disk, which has a finding of its own. */
  readonly isHere: boolean;
};

/**
 * Returns the volume of a server, where BACKEND_VOLUMES has it, as in the chart:
 * `postgresql=10Gi,nats=8Gi,influxdb=20Gi`.
 * @param server as there
 */
export function volumeOf(
  { environment, dataDir }: { readonly environment: Environment; readonly dataDir?: string | undefined },
  server: string,
): Volume {
  const size = (environment.BACKEND_VOLUMES ?? '')
    .split(',')
    .map((part) => part.split('='))
    .find(([name]) => name === server)?.[1];
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([kMGT]i?)?$/.exec(size ?? '') ?? [];
  const limitBytes = number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
  return { limitBytes, isHere: dataDir !== undefined };
}

/**
 * Compares what a server keeps with the room that it has.
 * @param says what it keeps, in words
 * @param otherwise what to do where the room is not known here
 */
export function roomFinding(
  about: string,
  says: string,
  { bytes, limitBytes, isHere }: Volume & { readonly bytes: number },
  otherwise: string = WATCH,
): Finding {
  const used = `${says} ${gib(bytes)} GiB`;
  if (limitBytes === undefined)
    return isHere ? ok(about, used) : unknown(about, `${used}; the room for it is not known here`, otherwise);
  const text = `${used} of ${gib(limitBytes)} GiB`;
  if (bytes <= limitBytes * BOUNDS.warning) return ok(about, text);
  const advice =
    'Give it more room (docs/operations/runbook/CatchmentVolumeFull.md): without room it refuses what is written.';
  return bytes <= limitBytes * BOUNDS.problem ? warning(about, text, advice) : problem(about, text, advice);
}

const gib = (bytes: number): string => (bytes / GIB).toFixed(2);
