// Runs inside QuickJS, in a separate realm for each program, and is trusted: it evaluates the program run by run and
// hands back, as JSON, what comes of it. All that the program can reach is frozen before it is there, so it changes
// neither what the kernel does nor what its next run finds. The value of this file is a function that makes the kernel
// of a realm of the parts beside it, each of which names the threat that it meets.
// Threat: a run that does not end, that catches the interrupt, or that uses the memory up which the next run needs. The
// process around ends a run and says so in the shared state, which no program sees; a run that was interrupted has failed
// whatever it returns, and the realm in which it ran is replaced.
// biome-ignore lint/complexity/useMaxParams: each is a handle of QuickJS, which is given by itself
(parts, optionsText, seal, libraryTexts, tick, stateBuffer) => {
  // The process around sees this without a call: the current run, its NOW; and says: the slice is over.
  const state = new Float64Array(stateBuffer);
  const RUN = 0;
  const CLOCK = 1;
  const IS_OVER = 2;
  /** Value of IS_OVER: the current run has been interrupted. */
  const INTERRUPTED = 2;

  const clock = () => state[CLOCK];
  const random = parts.random(clock);
  const options = JSON.parse(optionsText);
  const harden = seal(options.builtIns);
  const words = parts.words();
  const libraries = parts.libraries({ words, options, harden, libraries: libraryTexts });
  const values = parts.values({ words, moment: libraries.moment, options, clock });
  const failures = parts.failures({ words });
  const runs = parts.runs({ words, options });
  const nodes = parts.nodes({ words, values, runs, options, harden, clock });
  const { fail, described } = words;
  const { plain, needRecordTime, qualityOf, outputValue } = values;
  const { now, emit } = runs;
  const isProcessor = options.kind === 'processor';
  const PROMISE = 'a promise is no result: it never settles';

  const begin = () => {
    const nowMs = runs.begin();
    state[CLOCK] = nowMs;
    state[RUN] += 1;
    random.last = 0;
    failures.last.thrown = undefined;
    if (libraries.moment) libraries.forget();
    return nowMs;
  };
  const finish = (given) => {
    if (isProcessor) return given instanceof Promise ? fail(PROMISE) : undefined;
    const value = plain(given);
    if (value === undefined || value === null) return;
    const family = options.outputs[0];
    if (typeof value !== 'object' || values.isTime(value)) {
      const result = outputValue(family, value);
      if (result !== null) emit(0, clock(), result, null);
      return;
    }
    if (value instanceof Promise) fail(PROMISE);
    if (Array.isArray(value) || !('value' in value || 'quality' in value)) fail(`the result is ${described(value)}`);
    const time = plain(value.time);
    const timeMs = time === undefined || time === null ? clock() : needRecordTime(time, 'time');
    const quality = qualityOf(value.quality);
    const result = outputValue(family, value.value);
    if (result !== null || quality !== null) emit(0, timeMs, result, quality);
  };

  let program;
  return {
    /** @param factory what the text of the program evaluates to: a function that makes it */
    load(factory) {
      const { THIS, SOURCE, LOCATION, WORKSPACE, reader } = nodes;
      program = factory(
        THIS,
        SOURCE,
        LOCATION,
        WORKSPACE,
        reader('NODE'),
        reader('NODES'),
        reader('NUMBER'),
        reader('TEXT'),
        reader('TIME'),
        reader('BOOLEAN'),
        harden(values.T),
        harden(values.Q),
        harden(() => undefined),
        harden(libraries.require),
        harden(parts.console({ words, values, failures, runs })),
        harden(failures.throwing),
      );
      harden(program);
    },
    feed: runs.feed,
    take: runs.take,
    /** Evaluates runs until the slice is over. @returns 1: there are more, 2: the realm should be replaced, 3: both, 0: neither */
    slice(count) {
      const end = now.at + count;
      let isWorn = false;
      state[IS_OVER] = 0;
      while (now.at < end && runs.isMore()) {
        const nowMs = begin();
        try {
          finish(Reflect.apply(program, {}, [nowMs]));
          // Some built-in functions let programs catch the interrupt.
          if (state[IS_OVER] === INTERRUPTED) fail(now.chunk.tooLong);
          now.failuresInRow = 0;
        } catch (error) {
          const isOutOfMemory = failures.isOutOfMemory(error);
          const isLate = state[IS_OVER] === INTERRUPTED;
          if (error instanceof InternalError || isOutOfMemory || isLate) isWorn = true;
          const text = isLate ? now.chunk.tooLong : isOutOfMemory ? 'out of memory' : failures.message(error);
          runs.fail(text, failures.lineOf(error));
        }
        now.at += 1;
        if (state[IS_OVER] !== 0 || runs.isFull() || isWorn || (now.at % 8 === 0 && tick())) break;
      }
      return (runs.isMore() ? 1 : 0) + (isWorn ? 2 : 0);
    },
    /** The current run was ended from outside. @returns whether there are more */
    interrupted(text, line) {
      runs.fail(text, line);
      now.at += 1;
      return runs.isMore();
    },
    /** The last run took too long, as the clock outside says. @returns whether there are more */
    tooSlow(text) {
      runs.failLast(text);
      return runs.isMore();
    },
  };
};
