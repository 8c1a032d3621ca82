import { type Config, isEnabled } from './node.ts';

/** docs/reference/sources.md#status: what a source without a running session shows. */
export function currentStatus(config: Config): 'DISABLED' | 'SCHEDULED' | 'IDLE' {
  if (!isEnabled(config)) return 'DISABLED';
  return (config.scheduleType ?? 'NONE') === 'NONE' ? 'IDLE' : 'SCHEDULED';
}
