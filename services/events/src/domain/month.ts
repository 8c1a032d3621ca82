/** A calendar month in UTC. */
export type Month = { readonly year: number /** 1-12 */; readonly month: number };

export function monthOf(timeMs: number): Month {
  const date = new Date(timeMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

/** Returns the name of the month's partition: no other text reaches statements unquoted, and it is made of digits. */
export const partitionName = ({ year, month }: Month): string =>
  `events_${String(year).padStart(4, '0')}_${String(month).padStart(2, '0')}`;

export const addMonths = ({ year, month }: Month, count: number): Month => {
  const months = year * 12 + (month - 1) + count;
  return { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
};

/** Writes the first instant of the month in ISO. */
export const firstInstant = ({ year, month }: Month): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01T00:00:00Z`;
