import type { Fault } from '../fault.ts';
import { BACKEND_FAULTS } from './backends.ts';
import { BACKUP_FAULTS } from './backups.ts';
import { PROCESS_FAULTS } from './processes.ts';
import { WORK_FAULTS } from './work.ts';

export const FAULTS: readonly Fault[] = [...BACKUP_FAULTS, ...PROCESS_FAULTS, ...WORK_FAULTS, ...BACKEND_FAULTS];

/** Alerts whose fault is not caused here, and why; their cases of promtool stand for them. */
export const NOT_CAUSED: Readonly<Record<string, string>> = {
  CatchmentRendersFailing:
    'only mistakes of render itself count, and those that are known are mended; with historic away, charts are refused',
};
