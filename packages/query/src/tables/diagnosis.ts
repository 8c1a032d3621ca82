/** A source does one of these, or is silent for one of these reasons (docs/reference/sources.md#diagnosis). */
export const DIAGNOSIS_STATES = [
  ...(['DISABLED', 'WORKING', 'CONNECTION_FAILS', 'FILE_REFUSED', 'ACCESS_REFUSED', 'DEVICE_OFFLINE'] as const),
  ...(['NEVER_HEARD', 'LATE', 'NO_NEW_RECORDS', 'FINE', 'RHYTHM_UNKNOWN'] as const),
] as const;
export type DiagnosisState = (typeof DIAGNOSIS_STATES)[number];

/** A reader may do one of these about it. */
export const DIAGNOSIS_ADVICE = [
  ...(['CHECK_SHARED', 'ENABLE_SOURCE', 'WAIT_FOR_FILES', 'WAIT_FOR_TRY', 'CHECK_SERVER', 'CHECK_PARSER'] as const),
  ...(['CHECK_LOGIN', 'CHECK_POWER', 'SET_UP_SENDER', 'CHECK_LOGGER', 'CHECK_SENDER', 'ACQUIRE_NOW'] as const),
  ...(['CHECK_LINES', 'CHECK_CLOCK', 'WATCH_SOURCE'] as const),
] as const;
export type DiagnosisAdvice = (typeof DIAGNOSIS_ADVICE)[number];

/** A source was heard of in one of these ways. */
export const CONTACT_WAYS = ['FILE', 'WRITE', 'DATA', 'SESSION', 'CONNECTION'] as const;
export type ContactWay = (typeof CONTACT_WAYS)[number];

/** Sources may share one of these. */
export const SHARED_WAYS = ['DEVICE', 'SERVER', 'TRANSPORT'] as const;
export type SharedWay = (typeof SHARED_WAYS)[number];
