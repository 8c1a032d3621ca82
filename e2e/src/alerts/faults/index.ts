import type { Fault } from '../fault.ts';
import { BACKEND_FAULTS } from './backends.ts';
import { BACKUP_FAULTS } from './backups.ts';
import { PROCESS_FAULTS } from './processes.ts';
import { WORK_FAULTS } from './work.ts';

export const FAULTS: readonly Fault[] = [...BACKUP_FAULTS, ...PROCESS_FAULTS, ...WORK_FAULTS, ...BACKEND_FAULTS];
