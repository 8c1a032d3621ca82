// Values that a program gives: times, qualities and results. What leaves here is a number, a text or null that the store can keep.
// Threat: a value that says one thing when it is checked and another when it is stored (getters, proxies, heirs of Date). Each is read
// once; times are read by methods that were kept before the program began.
({ words, moment, options, clock }) => {
  const { fail, described } = words;
  const MAX_TEXT = 10_000;
  /** Pairs are one character here: what it matches is half of one. */
  const UNSTORABLE = /[\0\ud800-\udfff]/u;
  // 1800 to 9998, docs/reference/time.md#input-timestamps
  const MIN_MS = Date.UTC(1800, 0, 1);
  const MAX_MS = Date.UTC(9999, 0, 1) - 1;
  // The store has room for these.
  const MAX_RECORD_MS = Date.UTC(2262, 3, 11) - 1;
  const ISO =
    /^((?:[+-]\d\d)?\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;
  const ZONED = /T.*(Z|[+-]\d\d(:?\d\d)?)$/;
  const getTime = Date.prototype.getTime;
  const momentPrototype = moment?.fn;
  const isMoment = (value) => moment?.isMoment(value);

  /** References to nodes, each with what reads its value. */
  const references = new WeakMap();
  const standsFor = (reference, read) => references.set(reference, read);
  /** Returns what a node reference stands for; any other value is itself. */
  const plain = (value) => {
    const read = typeof value === 'object' && value !== null ? references.get(value) : undefined;
    return read === undefined ? value : read();
  };

  const daysIn = (year, month) => {
    if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
    return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  };
  /** Unix ms of an ISO text; NaN: of a day or time that there is not, which Date would move to another one; undefined: it is none. */
  const isoMs = (text) => {
    const parts = text.length <= 40 ? ISO.exec(text) : null;
    if (parts === null) return undefined;
    const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((n) => Number(parts[n] ?? 0));
    const [offsetHours, offsetMinutes] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
    if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NaN;
    if (minute > 59 || second > 59 || Math.abs(offsetHours) > 23 || offsetMinutes > 59) return NaN;
    const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
    if (hour > 24 || (hour === 24 && minute + second + ms > 0)) return NaN;
    // Date.UTC takes years below 100 for those of the last century.
    if (year < 1000) return -Infinity;
    const sign = parts[8]?.startsWith('-') ? -1 : 1;
    const offset = (Math.abs(offsetHours) * 60 + offsetMinutes) * sign;
    return Date.UTC(year, month - 1, day, hour, minute, second, ms) - offset * 60_000;
  };
  /** Unix ms of what people write for a time, as `isoMs`. */
  const millisecondsOf = (value) => {
    if (typeof value === 'string') return isoMs(value);
    if (value instanceof Date) return getTime.call(value);
    if (isMoment(value)) return momentPrototype.valueOf.call(value);
    return typeof value === 'number' ? value : undefined;
  };
  const isWithin = (ms, max) => ms >= MIN_MS && ms <= max;
  const needInstant = (given, what, max = MAX_MS) => {
    const value = plain(given);
    const ms = millisecondsOf(value);
    if (isWithin(ms, max)) return Math.floor(ms);
    const shownMs = Math.abs(ms) <= 8.64e15 && typeof value !== 'string' ? ` (${new Date(ms).toISOString()})` : '';
    const refusal = `${what} must be a time, not ${described(value)}${shownMs}`;
    if (ms === undefined) return fail(refusal);
    if (Number.isNaN(ms)) return fail(`${refusal}: there is no such time`);
    return fail(
      `${refusal}: ${max === MAX_MS ? 'years are 1800 to 9998' : 'records are from 1800-01-01 to before 2262-04-11'}`,
    );
  };
  /** Unix ms of a record. @param what the attribute, for the refusal */
  const needRecordTime = (given, what) => needInstant(given, what, MAX_RECORD_MS);
  const isTime = (value) => value instanceof Date || isMoment(value);
  /** Makes a moment of NOW or of a time, in the program's zone. */
  const T = (...given) => {
    const value = given.length === 0 ? clock() : plain(given[0]);
    const ms = millisecondsOf(value);
    const instant = isWithin(ms, MAX_MS) ? Math.floor(ms) : fail(`T: ${described(value)} is no time`);
    const { packed, name, offsetMinutes } = options.zone;
    const isLocal = typeof value === 'string' && !ZONED.test(value);
    if (packed) return isLocal ? moment.tz(value, name) : moment.tz(instant, name);
    return moment.utc(isLocal ? instant - offsetMinutes * 60_000 : instant).utcOffset(offsetMinutes);
  };

  /** The code of a quality's name. */
  const Q = (name) => {
    const code = typeof name === 'string' ? options.qualities[name] : undefined;
    return typeof code === 'number' ? code : fail(`there is no quality code ${described(name)}`);
  };
  const qualityOf = (given) => {
    const value = plain(given);
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') return Q(value);
    if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
    return fail(`a quality is a whole number from 0 to 65535 or a name, not ${described(value)}`);
  };

  /** Makes a value of an output; null where there is none. */
  const outputValue = (family, given) => {
    const value = plain(given);
    if (value === undefined || value === null) return null;
    if (family === 'TIME') return needInstant(value, 'the value');
    if (family === 'TEXT') {
      if (typeof value !== 'string') return fail(`the value must be a text, not ${described(value)}`);
      if (value.length > MAX_TEXT) return fail('the value has more than 10000 characters');
      return UNSTORABLE.test(value) ? fail('the value has U+0000 or half of a surrogate pair') : value;
    }
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value !== 'number') return fail(`the value must be a number, not ${described(value)}`);
    return Number.isFinite(value) ? value : fail(`the value is ${value}`);
  };
  return { plain, standsFor, isTime, needRecordTime, T, Q, qualityOf, outputValue };
};
