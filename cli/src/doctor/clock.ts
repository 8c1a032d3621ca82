import { FINDING_BOUNDS, type Finding, ok, problem, warning } from '@catchment/bus';

const { clock: BOUNDS } = FINDING_BOUNDS;
const ADVICE =
  'Let a time service (chrony, systemd-timesyncd) run on both machines: times of records, alarms and sessions depend on it.';

/** @param skewMs the other clock minus ours; what is below the time of a request is noise */
export function clockFinding(about: string, skewMs: number): Finding {
  const size = Math.abs(skewMs);
  const text = `its clock is ${(size / 1_000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the one here`;
  if (size >= BOUNDS.problem * 1_000) return problem(about, text, ADVICE);
  if (size >= BOUNDS.warning * 1_000) return warning(about, text, ADVICE);
  return ok(about, 'its clock is that of this machine, within a second');
}
