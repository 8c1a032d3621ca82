import { FINDING_BOUNDS, type Finding, ok, problem, warning } from '@catchment/bus';
import { countOf } from '@catchment/number-format';

const DAY_MS = 86_400_000;
const { certificate: BOUNDS } = FINDING_BOUNDS;
const ADVICE = 'Renew it; processes that read it from a file are to be started again.';

/** @param expiryMs Unix ms */
export function expiryFinding(about: string, expiryMs: number, nowMs: number = Date.now()): Finding {
  const days = Math.floor((expiryMs - nowMs) / DAY_MS);
  const on = new Date(expiryMs).toISOString().slice(0, 10);
  if (days < 0) return problem(about, `ended on ${on}`, ADVICE);
  if (days < BOUNDS.problem) return problem(about, `ends in ${countOf(days, 'day')}, on ${on}`, ADVICE);
  if (days < BOUNDS.warning) return warning(about, `ends in ${countOf(days, 'day')}, on ${on}`, ADVICE);
  return ok(about, `holds until ${on}`);
}
