import { ValueType } from '@catchment/contracts/nodes';
import type { AggregateInputs, ComputedKind, Family, InputAggregate, RunMode, SecondaryInputs } from './program.ts';

/** A program reads this series, or an aggregate of it. */
export type PlanInput = {
  readonly nodeId: string;
  /** This account owns the node: another one where AUTH has opened it. */
  readonly ownerId: string;
  readonly valueType: ValueType;
  /** The values are made of what is stored by this: another transform makes other results. */
  readonly transform: string;
  /** Degrees: what lies between two of them is on the shorter way round. */
  readonly isDirection?: boolean;
  readonly aggregate?: InputAggregate;
};

/** A reference asks for such an input. */
export type PlanColumn = { readonly input: number; readonly isBoolean: boolean };

export type PlanOutput = {
  /** Empty for one that is not created, because the program is tested only. */
  readonly nodeId: string;
  readonly name: string;
  readonly valueType: ValueType;
};

export type Zone = { readonly name: string; readonly adjustsForDst: boolean };

/** Lists what is read for a program, when it runs, and what it writes: all that its text does not say by itself. */
export type Plan = {
  readonly kind: ComputedKind;
  readonly runMode: RunMode;
  readonly secondaryInputs: SecondaryInputs;
  readonly aggregateInputs: AggregateInputs;
  /** Query argument qualityExcluded; absent = what the account leaves out. */
  readonly qualityExcluded?: string;
  readonly zone: Zone;
  /** The primary one first. */
  readonly inputs: readonly PlanInput[];
  readonly columns: readonly PlanColumn[];
  readonly outputs: readonly PlanOutput[];
  /** Its text asks for the newest records of its inputs, whatever their times. */
  readonly asksNewest: boolean;
};

const FAMILIES: Partial<Record<ValueType, Family>> = {
  [ValueType.VALUE_TYPE_NUMBER]: 'NUMBER',
  [ValueType.VALUE_TYPE_TEXT]: 'TEXT',
  [ValueType.VALUE_TYPE_TIME]: 'TIME',
  [ValueType.VALUE_TYPE_COORDINATES]: 'COORDINATES',
};
/** Returns the type of a series' values, as programs name it; undefined for one that this release does not know. */
export const familyOf = (valueType: ValueType | undefined): Family | undefined =>
  valueType === undefined ? undefined : FAMILIES[valueType];

const TYPES = ['GOOD', 'BAD', 'UNCERTAIN'];
/** Returns `process.qualityFilter` as the query argument of a read: what it does not name is left out. */
export function qualityExcluded(filter: readonly string[] | undefined): string | undefined {
  if (!filter) return undefined;
  return TYPES.filter((type) => !filter.includes(type)).join(',') || 'NONE';
}
