/** A message of a station cannot be taken: the text is a sentence that a person can act on. */
export class StationRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StationRefusal';
  }
}

export type StationValue = number | string;

/** A measurement has an instant, or a local time in the zone of the source. A message without a time is as old as its arrival. */
export type StationTime = { readonly instantMs: number } | { readonly localMs: number } | undefined;

export type StationRecord = { readonly time: StationTime; readonly values: ReadonlyMap<string, StationValue> };

/** Records of one station. */
export type StationMessage = {
  /** The first name that a source has as `siteId` counts. */
  readonly sites: readonly string[];
  readonly records: readonly StationRecord[];
  /** The key is the series. */
  readonly units?: ReadonlyMap<string, string>;
};

/** Splits the bytes of a station into messages. Holds no more than a message. */
export interface StationReader {
  /** @throws StationRefusal */
  read(bytes: Buffer): Iterable<StationMessage>;
  /** The station has ended its sending. @throws StationRefusal */
  end(): Iterable<StationMessage>;
  /** The message of these bytes is not complete. */
  readonly pendingBytes: number;
  /** The station's names are known as far as this before its first message. */
  readonly sites?: readonly string[];
}

const MAX_TAG = 100;

/** Returns whether a text can be the name of a series or a station. */
export const isTag = (text: string): boolean =>
  text.length > 0 && text.length <= MAX_TAG && !/[\p{Cc}\p{Cs}\ufffd]/u.test(text);

/** Reads a text that looks like a number as a number; empty: there is no value. */
export function readValue(text: string): StationValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || /^(?:nan|null|-?inf(?:inity)?)$/i.test(trimmed)) return undefined;
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) {
    const value = Number(trimmed);
    return Number.isFinite(value) ? value : undefined;
  }
  return trimmed.toWellFormed().slice(0, 1_000);
}
