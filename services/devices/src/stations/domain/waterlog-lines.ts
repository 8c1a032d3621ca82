import { DAY_MS, daysFromCivil, MINUTE_MS } from '@catchment/time';
import {
  isTag,
  readValue,
  type StationMessage,
  type StationReader,
  type StationRecord,
  StationRefusal,
  type StationTime,
  type StationValue,
} from './station-message.ts';

const MAX_LINE = 4_096;
/** ETX ends a transmission. */
const ETX = String.fromCharCode(3);
/** Records of one message. */
const MAX_RECORDS = 2_000;
const MAX_SITE = 60;

/**
 * Reads what WaterLOG loggers send as text (docs/reference/iot.md#waterlog): a line with the site's id, then lines with
 * values.
 * @param now Unix ms; times of SHEF lines are counted backwards from it
 */
export class WaterlogReader implements StationReader {
  readonly #now: () => number;
  #text = '';
  #site: string | undefined;
  #records: StationRecord[] = [];
  #units = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get pendingBytes(): number {
    return this.#text.length + this.#records.length;
  }

  get sites(): readonly string[] {
    return this.#site === undefined ? [] : [this.#site];
  }

  *read(bytes: Buffer): Generator<StationMessage> {
    this.#text += bytes.toString('latin1').replaceAll(ETX, '\n');
    const lines = this.#text.split(/[\r\n]+/);
    this.#text = lines.pop() ?? '';
    if (this.#text.length > MAX_LINE) throw new StationRefusal(`a line has more than ${MAX_LINE} characters`);
    for (const line of lines) {
      this.#take(line);
      if (this.#records.length >= MAX_RECORDS) yield* this.#message();
    }
    yield* this.#message();
  }

  *end(): Generator<StationMessage> {
    const last = this.#text;
    this.#text = '';
    this.#take(last);
    yield* this.#message();
  }

  *#message(): Generator<StationMessage> {
    if (this.#site === undefined || this.#records.length === 0) return;
    const message = { sites: [this.#site], records: this.#records, units: this.#units };
    this.#records = [];
    this.#units = new Map();
    yield message;
  }

  #take(given: string): void {
    const line = given.trim();
    if (line === '') return;
    if (line.length > MAX_LINE) throw new StationRefusal(`a line has more than ${MAX_LINE} characters`);
    if (this.#site === undefined) {
      if (!isTag(line) || line.length > MAX_SITE || line.startsWith(':'))
        throw new StationRefusal(`the first line must be the id of the site, of ${MAX_SITE} characters at the most`);
      this.#site = line;
    } else if (line.startsWith(':')) this.#records.push(...shefRecords(line, this.#now()));
    else this.#csv(line);
  }

  #csv(line: string): void {
    const [date = '', clock = '', ...fields] = line.split(',').map((field) => field.trim());
    const time = timeOf(date, clock);
    if (!time)
      throw new StationRefusal(`a line begins neither with : nor with a date and a time: ${line.slice(0, 40)}`);
    const values = new Map<string, StationValue>();
    for (let rest = fields; rest.length > 0; ) {
      const [label = '', text = '', units, quality = '-'] = rest;
      if (!isTag(label)) throw new StationRefusal(`a line has a label that is none: ${line.slice(0, 40)}`);
      const value = readValue(text);
      if (value !== undefined) values.set(label, value);
      // Units and quality come together, or neither does; at the end of a line units may come alone.
      const size = rest.length <= 3 ? rest.length : /^[A-Z]?$/.test(quality) ? 4 : 2;
      if (size > 2 && units) this.#units.set(label, units);
      rest = rest.slice(size);
    }
    if (values.size > 0) this.#records.push({ time, values });
  }
}

/** Reads `:HG 3 #15 10.20 10.15 :VB 3 #60 12.6`: label, minutes since the newest value, minutes between values, the newest first. */
function shefRecords(line: string, nowMs: number): StationRecord[] {
  const sentMs = nowMs - (nowMs % MINUTE_MS);
  const records: StationRecord[] = [];
  for (const group of line.split(':').slice(1)) {
    const [label = '', ago = '', step = '', ...values] = group.trim().split(/[\s,/]+/);
    const stepMinutes = Number(step.slice(1));
    if (!isTag(label) || !/^\d{1,5}$/.test(ago) || !/^#\d{1,5}$/.test(step) || stepMinutes === 0)
      throw new StationRefusal(`a group is not of the form :LABEL minutes #interval values: ${group.slice(0, 40)}`);
    for (const [n, text] of values.entries()) {
      const value = readValue(text);
      if (typeof value !== 'number') continue;
      const instantMs = sentMs - (Number(ago) + n * stepMinutes) * MINUTE_MS;
      records.push({ time: { instantMs }, values: new Map([[label, value]]) });
    }
  }
  return records;
}

/** The station writes mm/dd/yyyy and hh:mm:ss in the zone of the source. */
function timeOf(date: string, clock: string): StationTime {
  const [, month, day, year] = (/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date) ?? []).map(Number);
  const [, hour, minute, second = 0] = (/^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(clock) ?? []).map((part) =>
    Number(part ?? 0),
  );
  if (!month || !day || !year || hour === undefined || minute === undefined) return undefined;
  if (month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59) return undefined;
  return { localMs: daysFromCivil(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000 };
}
