type RecordLimits = {
  readonly recordDays: number;
  readonly removedFromMs?: number | undefined;
  readonly rowsPerSourcePerDay: number;
};
type EventDays = { readonly eventDays: number; readonly debugEventDays: number };

/** Nothing is 0 among the services: on the outside it is null, as in the usage document. */
const orNull = (value: number): number | null => (value === 0 ? null : value);

/** `GET /owners/account/limits`: what three services know of it (docs/reference/accounts-and-usage.md#limits-of-an-account). */
export const limitsView = (
  ofNodes: object,
  { recordDays, removedFromMs, rowsPerSourcePerDay }: RecordLimits,
  { eventDays, debugEventDays }: EventDays,
) => ({
  ...ofNodes,
  rowsPerSourcePerDay: orNull(rowsPerSourcePerDay),
  kept: {
    recordDays: orNull(recordDays),
    recordsRemovedFrom: removedFromMs === undefined ? null : new Date(removedFromMs).toISOString(),
    eventDays: orNull(eventDays),
    debugEventDays,
  },
});
