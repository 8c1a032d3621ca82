import { type EffectiveZone, effectiveZone } from '@catchment/time';

/** How somebody reads times. */
export type Reader = { readonly zone: EffectiveZone; readonly timeFormat: string };

export const readerOf = (
  {
    timezone,
    timezoneAdjustForDst,
    timeFormat,
  }: { readonly timezone: string; readonly timezoneAdjustForDst: boolean; readonly timeFormat: string },
  nowMs: number,
): Reader => ({ zone: effectiveZone(timezone, timezoneAdjustForDst, nowMs), timeFormat });
