// This part makes texts and lines of errors of a program.
// Threat: an error whose message, name or stack is a getter that throws, loops or is endless; a thrown value that knows
// no line; a program that calls the helper for lines itself, by an escape in its name. A getter is called once within
// the run's time, what it throws is dropped, texts are truncated, and a line is a whole number.
({ words }) => {
  const { shortened, described } = words;
  const MAX_MESSAGE = 500;
  /** The current run has thrown this last, at this line of the script. */
  const last = { thrown: undefined, line: 0 };

  const propertyText = (error, name) => {
    try {
      const text = error[name];
      return typeof text === 'string' ? text : undefined;
    } catch {
      return undefined;
    }
  };
  const isErrorLike = (error) => (typeof error === 'object' || typeof error === 'function') && error !== null;
  const message = (error) => {
    if (typeof error === 'string') return shortened(error, MAX_MESSAGE) || 'failed';
    if (!isErrorLike(error)) return typeof error === 'symbol' ? 'a symbol' : String(error);
    return shortened(propertyText(error, 'message') || propertyText(error, 'name') || described(error), MAX_MESSAGE);
  };
  /** Finds the line of the script; 0 where it is unknown. */
  const lineOf = (error) => {
    if (!isErrorLike(error)) return Object.is(error, last.thrown) ? last.line : 0;
    const match = /program:(\d{1,6})/.exec(shortened(propertyText(error, 'stack') ?? '', 4_000));
    return match === null ? (Object.is(error, last.thrown) ? last.line : 0) : Number(match[1]);
  };
  /** Each `throw` of a program calls this with its line of the script. A program that finds it passes what it likes. */
  const throwing = (line, value) => {
    last.line = Number.isSafeInteger(line) ? line : 0;
    last.thrown = value;
    return value;
  };
  return {
    last,
    message,
    lineOf,
    throwing,
    /** The engine throws null, which the program has not thrown, when it has no memory for an error. */
    isOutOfMemory: (error) => error === null && last.thrown !== null,
  };
};
