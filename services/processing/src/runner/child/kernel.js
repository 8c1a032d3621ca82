// Runs inside QuickJS, in a realm of its own for each program, and is trusted: it evaluates the program run by run and hands back, as JSON,
// what comes of it. All that the program can reach is frozen before it is there, so it changes neither what the kernel does nor what its
// next run finds. The value of this file is a function that makes the kernel of a realm.
(function boot(optionsText, seal, libraries, tick, stateBuffer) {
  // Seeded by NOW: a run has the same numbers whenever it is repeated.
  let random = 0;
  Math.random = () => {
    if (random === 0) random = (Math.abs(state[CLOCK]) % 4_294_967_291) + 1;
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    random >>>= 0;
    return random / 4_294_967_296;
  };
  const options = JSON.parse(optionsText);
  const harden = seal(options.builtIns);
  const isProcessor = options.kind === 'processor';

  // ---- what the process around sees without a call: the current run, its NOW; and says: the slice is over
  const state = new Float64Array(stateBuffer);
  const RUN = 0;
  const CLOCK = 1;
  const IS_OVER = 2;
  /** Value of IS_OVER: the current run has been interrupted. */
  const INTERRUPTED = 2;

  const MAX_TEXT = 10_000;
  /** Pairs are one character here: what it matches is half of one. */
  const UNSTORABLE = /[\0\ud800-\udfff]/u;
  const MAX_MESSAGE = 500;
  const MAX_CONSOLE_TEXT = 1_000;
  const MAX_RECORDS = 100;
  /** Characters after which a slice ends. */
  const FULL = 1 << 20;
  // 1800 to 9998, docs/reference/time.md#input-timestamps
  const MIN_MS = Date.UTC(1800, 0, 1);
  const MAX_MS = Date.UTC(9999, 0, 1) - 1;
  // What the store has room for.
  const MAX_RECORD_MS = Date.UTC(2262, 3, 11) - 1;

  // ---- the chunk of runs that is evaluated
  let chunk = { times: [], columns: [] };
  let at = 0;
  let outputs = [];
  let maxFailures = 0;
  let failuresInRow = 0;
  let consoleLeft = 0;
  /** What is handed back next. */
  let part = emptyPart();
  let written = 0;

  let moment;
  let momentPrototype;
  let momentNow;

  // ---- the current run
  /** What moment-timezone sets for a moment while it reads a text: nothing of it may stay. */
  const momentState = { now: undefined, defaultZone: null };
  let firstRecord = 0;
  /** States of outputs as they were before the run changed them. */
  let changed = [];
  /** Whether the state of an output is to be handed back. */
  let hasNews = [];
  /** currentTime and currentQuality that wait for their value, by output. */
  let pending = [];
  let thrown;
  let thrownLine = 0;
  let hasFailed = false;
  let failuresBefore = 0;

  function emptyPart() {
    return { records: [], failures: [], console: [], outputs: [] };
  }

  const fail = (message) => {
    throw new Error(message);
  };
  const shortened = (text, limit) => (text.length > limit ? text.slice(0, limit) : text);

  // ---- values
  const references = new WeakMap();
  const getTime = Date.prototype.getTime;
  /** What a node reference stands for; any other value is itself. */
  const plain = (value) => {
    const read = typeof value === 'object' && value !== null ? references.get(value) : undefined;
    return read === undefined ? value : read();
  };
  const described = (value) => {
    if (typeof value === 'string') return `the text '${shortened(value, 60)}'`;
    if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null)
      return String(value);
    if (Array.isArray(value)) return 'an array';
    if (value instanceof Promise) return 'a promise';
    if (value instanceof Date) return 'a Date';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  };

  const ISO =
    /^((?:[+-]\d\d)?\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;
  const ZONED = /T.*(Z|[+-]\d\d(:?\d\d)?)$/;
  const isMoment = (value) => moment?.isMoment(value);
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
  const instantOf = (given) => {
    const ms = millisecondsOf(plain(given));
    return isWithin(ms, MAX_MS) ? Math.floor(ms) : undefined;
  };
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
  const needRecordTime = (given, what) => needInstant(given, what, MAX_RECORD_MS);

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

  /** A value of an output; null: none. */
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

  /** A record is five entries: run, output, time, value, quality. */
  const emit = (output, timeMs, value, quality) => {
    const { records } = part;
    const { length } = records;
    if (length - firstRecord >= 5 * MAX_RECORDS) fail('a run makes at most 100 records');
    records[length] = chunk.first + at;
    records[length + 1] = output;
    records[length + 2] = timeMs;
    records[length + 3] = value;
    records[length + 4] = quality;
    written += typeof value === 'string' ? 60 + value.length : 60;
    const old = outputs[output];
    if (value === null || (old && old.timeMs > timeMs)) return;
    changed[changed.length] = { output, old };
    hasNews[output] = true;
    outputs[output] = quality === null ? { timeMs, value } : { timeMs, value, quality };
  };

  // ---- nodes
  const asText = (value) =>
    Array.isArray(value) ? `${value[0]},${value[1]}` : value === undefined ? '' : String(value);
  const readAs = (family, value) => {
    if (value === null || value === undefined) return undefined;
    if (family === 'BOOLEAN' && typeof value === 'number') return value !== 0;
    return Array.isArray(value) ? [value[0], value[1]] : value;
  };

  /** Behind the references to a node: its attributes. Nothing of them can be assigned. */
  const attributesOf = options.nodes.map(({ attributes }) => {
    const target = harden(Object.assign(Object.create(null), attributes));
    return new Proxy(target, {
      get: (_, key) => (key in target ? target[key] : Object.prototype[key]),
      set: (_, key) => fail(`${String(key)} cannot be assigned`),
    });
  });

  function makeReference({ node, column, output, family, isAssignable = false }) {
    const { attributes } = options.nodes[node];
    const own = {};
    const accessor = (name, get, set = () => fail(`${name} of this node cannot be assigned`)) => {
      own[name] = { get, set, enumerable: true };
    };
    let value = () => ('currentValue' in attributes ? attributes.currentValue : attributes.name);
    if (output !== undefined) {
      const waiting = () => (pending[output] ??= { timeMs: undefined, quality: null });
      value = () => readAs(family, outputs[output]?.value);
      accessor(
        'currentValue',
        value,
        isAssignable
          ? (given) => {
              const { timeMs, quality } = waiting();
              pending[output] = undefined;
              const result = outputValue(options.outputs[output], given);
              if (result !== null || quality !== null) emit(output, timeMs ?? state[CLOCK], result, quality);
            }
          : undefined,
      );
      accessor(
        'currentTime',
        () => pending[output]?.timeMs ?? outputs[output]?.timeMs,
        isAssignable
          ? (given) => {
              waiting().timeMs = needRecordTime(given, 'currentTime');
            }
          : undefined,
      );
      accessor(
        'currentQuality',
        () => pending[output]?.quality ?? outputs[output]?.quality,
        isAssignable
          ? (given) => {
              waiting().quality = qualityOf(given);
            }
          : undefined,
      );
      accessor('newestTime', () => outputs[output]?.timeMs);
    } else if (column !== undefined) {
      value = () => readAs(family, chunk.columns[column].values[at]);
      accessor('currentValue', value);
      accessor('currentTime', () => chunk.columns[column].times[at] ?? undefined);
      accessor('currentQuality', () => chunk.columns[column].qualities[at] ?? undefined);
      accessor('newestTime', () => chunk.columns[column].newestMs);
    }
    const method = (key, act) => {
      own[key] = { value: harden(act) };
    };
    method('valueOf', () => value());
    method('toString', () => asText(value()));
    method('toJSON', () => value());
    method(Symbol.toPrimitive, (hint) => {
      const current = value();
      return hint === 'string' || Array.isArray(current) ? asText(current) : current;
    });
    const reference = Object.freeze(Object.create(attributesOf[node], own));
    references.set(reference, value);
    return reference;
  }

  /** The function by which a program names nodes. */
  const reader = (name) => {
    const found = new Map();
    for (const { call, text, nodes } of options.references) {
      if (call !== name) continue;
      found.set(
        text,
        nodes.map((bound) => {
          const family = name === 'BOOLEAN' ? name : options.nodes[bound.node].family;
          return makeReference({ ...bound, family, isAssignable: isProcessor });
        }),
      );
    }
    return harden((path) => {
      const nodes = found.get(path) ?? fail(`${name}: the path must stand in the program as a literal`);
      return name === 'NODES' ? [...nodes] : nodes[0];
    });
  };

  /** A global is read like a reference to its node, where there is one. */
  const globalReference = (node) => {
    if (node === undefined || node === null) return undefined;
    const { nodeId } = options.nodes[node];
    for (const { nodes } of options.references)
      for (const bound of nodes)
        if (options.nodes[bound.node].nodeId === nodeId && bound.column !== undefined) return makeReference(bound);
    return makeReference({ node });
  };
  const globals = options.globals;
  const THIS =
    options.kind !== 'parameter'
      ? makeReference({ node: globals.THIS })
      : makeReference({ node: globals.THIS, output: 0, family: options.outputs[0] });

  // ---- libraries
  const modules = new Map();
  const load = (name) => {
    if (modules.has(name)) return modules.get(name).exports;
    if (libraries[name] === undefined) return fail(`there is no library ${described(name)}`);
    const module = { exports: {} };
    modules.set(name, module);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const within = (path) => load(path.startsWith('./') ? folder + path.slice(2).replace('.js', '') : path);
    libraries[name].call(module.exports, module, module.exports, within);
    return module.exports;
  };
  if (libraries.moment !== undefined) {
    moment = load('moment-timezone');
    const refused = (what) => () => fail(`${what} changes other runs too, which is refused`);
    for (const name of ['defineLocale', 'updateLocale']) moment[name] = refused(`moment.${name}`);
    for (const name of ['locale', 'lang', 'relativeTimeThreshold', 'relativeTimeRounding']) {
      const original = moment[name];
      const reads = name === 'relativeTimeThreshold' ? 1 : 0;
      moment[name] = (...given) => (given.length > reads ? refused(`moment.${name}`)() : original(...given));
    }
    if (options.zone.packed) {
      moment.tz.add(options.zone.packed);
      harden(moment.tz.zone(options.zone.name));
    }
    for (const name of ['add', 'link', 'load', 'setDefault']) moment.tz[name] = refused(`moment.tz.${name}`);
    for (const name of ['_zones', '_names', '_links', '_countries']) delete moment.tz[name];
    momentNow = moment.now;
    momentState.now = momentNow;
    for (const name of Object.keys(momentState)) {
      const set = (given) => {
        momentState[name] = given;
      };
      Object.defineProperty(moment, name, { get: () => momentState[name], set });
    }
    moment.tz.zoneExists.didShowError = true;
    momentPrototype = moment.fn;
    harden(moment);
  }
  const T = (...given) => {
    const value = given.length === 0 ? state[CLOCK] : plain(given[0]);
    const instant = instantOf(value) ?? fail(`T: ${described(value)} is no time`);
    const { packed, name, offsetMinutes } = options.zone;
    const isLocal = typeof value === 'string' && !ZONED.test(value);
    if (packed) return isLocal ? moment.tz(value, name) : moment.tz(instant, name);
    return moment.utc(isLocal ? instant - offsetMinutes * 60_000 : instant).utcOffset(offsetMinutes);
  };
  const require = (name) => {
    if (name === 'moment' && moment !== undefined) return moment;
    if (name === 'everpolate') return everpolate();
    return fail(`require: there are moment and everpolate, not ${described(name)}`);
  };
  const everpolate = () => {
    const library = load('everpolate/everpolate');
    if (!Object.isFrozen(library)) {
      // The names of docs/reference/processing-and-ratings.md beside the library's own.
      Object.assign(library, { poly: library.polynomial, regression: library.linearRegression });
      harden(library);
    }
    return library;
  };

  // ---- console
  const shown = (value) => {
    const given = plain(value);
    if (typeof given === 'string') return shortened(given, MAX_CONSOLE_TEXT);
    if (given instanceof Error) return message(given);
    if (typeof given !== 'object' || given === null) return String(given);
    try {
      return shortened(String(JSON.stringify(given)), MAX_CONSOLE_TEXT);
    } catch {
      return described(given);
    }
  };
  const console = {
    log(...values) {
      if (consoleLeft <= 0) return;
      consoleLeft -= 1;
      let text = '';
      for (let n = 0; n < values.length && text.length < MAX_CONSOLE_TEXT; n += 1)
        text += (n > 0 ? ' ' : '') + shown(values[n]);
      text = shortened(text, MAX_CONSOLE_TEXT);
      written += text.length + 20;
      part.console.push([chunk.first + at, text]);
    },
  };

  // ---- failures
  /** Texts of errors, whatever their getters do. */
  const propertyText = (error, name) => {
    try {
      const text = error[name];
      return typeof text === 'string' ? text : undefined;
    } catch {
      return undefined;
    }
  };
  const isErrorLike = (error) => (typeof error === 'object' || typeof error === 'function') && error !== null;
  function message(error) {
    if (typeof error === 'string') return shortened(error, MAX_MESSAGE) || 'failed';
    if (!isErrorLike(error)) return typeof error === 'symbol' ? 'a symbol' : String(error);
    return shortened(propertyText(error, 'message') || propertyText(error, 'name') || described(error), MAX_MESSAGE);
  }
  const lineOf = (error) => {
    if (!isErrorLike(error)) return Object.is(error, thrown) ? thrownLine : 0;
    const match = /program:(\d{1,6})/.exec(shortened(propertyText(error, 'stack') ?? '', 4_000));
    return match === null ? (Object.is(error, thrown) ? thrownLine : 0) : Number(match[1]);
  };
  /** @param line of the script, in which the shared code comes first; below 2: unknown */
  const failRun = (text, line) => {
    const isShared = line > 1 && line < options.firstOwnLine;
    const placed = isShared ? `${text} (shared code, line ${line - 1})` : text;
    const ownLine = line >= options.firstOwnLine ? line - options.firstOwnLine + 1 : 0;
    part.records.length = firstRecord;
    for (let n = changed.length - 1; n >= 0; n -= 1) outputs[changed[n].output] = changed[n].old;
    changed = [];
    pending = [];
    failuresInRow += 1;
    hasFailed = true;
    part.failures.push([chunk.first + at, placed, ownLine]);
    written += text.length + 30;
  };

  // ---- runs
  const begin = () => {
    const now = chunk.times[at];
    state[CLOCK] = now;
    state[RUN] += 1;
    firstRecord = part.records.length;
    thrown = undefined;
    hasFailed = false;
    failuresBefore = failuresInRow;
    momentState.now = momentNow;
    momentState.defaultZone = null;
    if (changed.length > 0) changed = [];
    if (pending.length > 0) pending = [];
    random = 0;
    return now;
  };
  const finish = (given) => {
    if (isProcessor) {
      if (given instanceof Promise) fail('a promise is no result: it never settles');
      return;
    }
    const value = plain(given);
    if (value === undefined || value === null) return;
    const family = options.outputs[0];
    if (typeof value !== 'object' || value instanceof Date || isMoment(value)) {
      const result = outputValue(family, value);
      if (result !== null) emit(0, state[CLOCK], result, null);
      return;
    }
    if (value instanceof Promise) fail('a promise is no result: it never settles');
    if (Array.isArray(value) || !('value' in value || 'quality' in value)) fail(`the result is ${described(value)}`);
    const time = plain(value.time);
    const timeMs = time === undefined || time === null ? state[CLOCK] : needRecordTime(time, 'time');
    const quality = qualityOf(value.quality);
    const result = outputValue(family, value.value);
    if (result !== null || quality !== null) emit(0, timeMs, result, quality);
  };

  let program;
  const kernel = {
    /** @param factory what the text of the program evaluates to: a function that makes it */
    load(factory) {
      program = factory(
        THIS,
        globalReference(globals.SOURCE),
        globalReference(globals.LOCATION),
        globalReference(globals.WORKSPACE),
        reader('NODE'),
        reader('NODES'),
        reader('NUMBER'),
        reader('TEXT'),
        reader('TIME'),
        reader('BOOLEAN'),
        harden(T),
        harden(Q),
        harden(() => undefined),
        harden(require),
        harden(console),
        harden((line, value) => {
          thrownLine = line;
          thrown = value;
          return value;
        }),
      );
      harden(program);
    },
    feed(text) {
      chunk = JSON.parse(text);
      at = 0;
      ({ outputs, maxFailures, failuresInRow, consoleLeft } = chunk);
    },
    /** Evaluates runs until the slice is over. @returns 1: there are more, 2: the realm should be replaced, 3: both, 0: neither */
    slice(count) {
      const end = Math.min(chunk.times.length, at + count);
      let isWorn = false;
      state[IS_OVER] = 0;
      while (at < end && failuresInRow < maxFailures) {
        const now = begin();
        try {
          finish(Reflect.apply(program, {}, [now]));
          // Some built-in functions let programs catch the interrupt.
          if (state[IS_OVER] === INTERRUPTED) fail(chunk.tooLong);
          failuresInRow = 0;
        } catch (error) {
          // Without memory for an error the engine throws null.
          const isNoError = error === null && thrown !== null;
          const isLate = state[IS_OVER] === INTERRUPTED;
          if (error instanceof InternalError || isNoError || isLate) isWorn = true;
          failRun(isLate ? chunk.tooLong : isNoError ? 'out of memory' : message(error), lineOf(error));
        }
        at += 1;
        if (state[IS_OVER] !== 0 || written > FULL || isWorn || (at % 8 === 0 && tick())) break;
      }
      return (at < chunk.times.length && failuresInRow < maxFailures ? 1 : 0) + (isWorn ? 2 : 0);
    },
    /** The current run was ended from outside. */
    interrupted(text, line) {
      failRun(text, line);
      at += 1;
      return at < chunk.times.length && failuresInRow < maxFailures;
    },
    /** The last run took too long, as the clock outside says. */
    tooSlow(text) {
      if (!hasFailed) {
        failuresInRow = failuresBefore;
        at -= 1;
        failRun(text, 0);
        at += 1;
      }
      return at < chunk.times.length && failuresInRow < maxFailures;
    },
    /** What the last slices brought. */
    take() {
      hasNews.forEach((_, output) => {
        part.outputs.push([output, outputs[output]]);
      });
      const text = JSON.stringify({ ...part, done: at, failuresInRow });
      part = emptyPart();
      hasNews = [];
      written = 0;
      return text;
    },
  };

  return kernel;
});
