import { type Config, isEnabled } from '../../domain/classes/node.ts';

export type SourceStatus = 'DISABLED' | 'SCHEDULED' | 'IDLE';

/** docs/reference/sources.md#status: what a source without a running session shows. */
export function currentStatus(config: Config): SourceStatus {
  if (!isEnabled(config)) return 'DISABLED';
  return (config.scheduleType ?? 'NONE') === 'NONE' ? 'IDLE' : 'SCHEDULED';
}
