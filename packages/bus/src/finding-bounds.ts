type Alerted = {
  /** The rule compares with this number, in its unit. */
  readonly at: number;
  /** Its runbook page and the index name the bound by these words. */
  readonly words: string;
};

type Bounds = {
  /** The doctor warns from here on. */
  readonly warning: number;
  /** The doctor reports a problem from here on. */
  readonly problem: number;
  readonly alerts: Readonly<Record<string, Alerted>>;
};

/**
 * Bounds that `catchment doctor` and alerts share. A test holds rules and runbook against them: who asks the doctor has the time to act early, so
 * no alert fires before the doctor would have warned.
 */
export const FINDING_BOUNDS = {
  /** How full a stream is. */
  stream: {
    warning: 0.7,
    problem: 0.9,
    alerts: {
      CatchmentStreamFilling: { at: 0.7, words: 'seven tenths' },
      CatchmentStreamFull: { at: 0.9, words: 'nine tenths' },
    },
  },
  /** How full a store is. */
  volume: {
    warning: 0.8,
    problem: 0.95,
    alerts: {
      CatchmentVolumeFilling: { at: 0.8, words: '80 %' },
      CatchmentVolumeFull: { at: 0.95, words: '95 %' },
    },
  },
  /** Seconds. */
  clock: { warning: 1, problem: 10, alerts: { CatchmentClockSkew: { at: 2, words: 'two seconds' } } },
  /** Days that are left. */
  certificate: {
    warning: 30,
    problem: 7,
    alerts: {
      CatchmentCertificateEndsSoon: { at: 21, words: 'three weeks' },
      CatchmentCertificateEnds: { at: 3, words: 'three days' },
    },
  },
} as const satisfies Readonly<Record<string, Bounds>>;
