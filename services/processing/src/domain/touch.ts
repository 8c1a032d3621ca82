import { MAX_RECORD_MS, MIN_RECORD_MS } from '@catchment/time';

/** The store may hold other records than before at these times of a series. */
export type Touch = {
  /** Its effects are silent, as the change itself (notifyOn NONE). */
  readonly silent: boolean;
  /** Unix ms, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Records may have gone anywhere in between. */
  readonly clears: boolean;
  /** Ascending: only these times; undefined = anywhere in between. */
  readonly timestamps: Float64Array | undefined;
};

/** Any record may be another one, or gone. */
export const touchesAll = (silent: boolean): Touch => ({
  silent,
  fromMs: MIN_RECORD_MS,
  toMs: MAX_RECORD_MS,
  clears: true,
  timestamps: undefined,
});
