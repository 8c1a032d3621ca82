/** Status of one alarm as the alarms service reported it; times in Unix ms. */
export type StoredAlarm = {
  readonly revision: number;
  readonly alarmState: string;
  readonly message: string | null;
  readonly categoryId: string | null;
  readonly activeTime: number | null;
  readonly acknowledgeTime: number | null;
  readonly acknowledgeUsername: string | null;
  readonly acknowledgeComment: string | null;
  /** Where `message` is a custom one that was evaluated: the usual one, and the revision that told of the transition. */
  readonly usual?: string;
  readonly textRevision?: number;
};
