import type { Config } from './node.ts';
import { isEnabled } from './node.ts';

/** Semantics 12.5: what a source without a running session shows. */
export function currentStatus(config: Config): 'DISABLED' | 'SCHEDULED' | 'IDLE' {
  if (!isEnabled(config)) return 'DISABLED';
  return (config.scheduleType ?? 'NONE') === 'NONE' ? 'IDLE' : 'SCHEDULED';
}
