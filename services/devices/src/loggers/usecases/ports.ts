import type { SessionSource } from '../../acquisition/index.ts';

/** The parameter of a source has a series. */
export type LoggerParameter = { readonly series: string; readonly isActive: boolean };

export type LoggerParameters = {
  of(source: SessionSource): Promise<readonly LoggerParameter[]>;
  /** Parameters become active or inactive, by their series. */
  activate(source: SessionSource, change: ActivityChange): Promise<void>;
};
export type ActivityChange = { readonly active: readonly string[]; readonly inactive: readonly string[] };
