import type { EnvReader } from '@catchment/config';
import { type AddressRange, readRanges } from './addresses.ts';

/** Reads a setting of ranges that the operator allows, beside public addresses; empty without it. */
export const allowedRanges = (read: EnvReader, name: string): readonly AddressRange[] =>
  read.parsedList(name, readRanges, 'must be address ranges such as 10.0.0.0/8, separated by commas');
