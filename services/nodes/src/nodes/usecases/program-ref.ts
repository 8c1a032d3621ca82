import type { ProgramRef } from '@catchment/contracts/nodes';
import type { Config } from '../../domain/classes/node.ts';
import type { Process } from '../../domain/classes/processing-attributes.ts';
import { digestOf } from './digest.ts';

export const processOf = (config: Config): Process | undefined => (config.process as Process | undefined) ?? undefined;

/** Returns the program that a node has; undefined without any code. */
export function programRef(config: Config): ProgramRef | undefined {
  const process = processOf(config);
  return process && !isBlank(process.code) ? { digest: digestOf(process) } : undefined;
}

export const sharedCodeOf = (config: Config): string => (config.sharedCode as string | undefined) ?? '';

/** Empty for a Workspace without shared code. */
export function sharedCodeDigest(config: Config): string {
  const code = sharedCodeOf(config);
  return isBlank(code) ? '' : digestOf(code);
}

const isBlank = (code: string): boolean => code.trim() === '';
