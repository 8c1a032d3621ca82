import { effectiveZone } from '@catchment/time';
import type { Reader } from '../../views/index.ts';

export const readerOf = (
  {
    timezone,
    timezoneAdjustForDst,
    timeFormat,
  }: { readonly timezone: string; readonly timezoneAdjustForDst: boolean; readonly timeFormat: string },
  nowMs: number,
): Reader => ({ zone: effectiveZone(timezone, timezoneAdjustForDst, nowMs), timeFormat });
