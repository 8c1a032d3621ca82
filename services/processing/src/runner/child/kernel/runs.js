// The runs of a chunk: what they are given, and what they have brought.
// Threat: a run that fails has changed outputs already, or one run brings more than the process around can hold. What a run changed is put
// back when it fails; its records, and the characters of a slice, are counted.
({ words, options }) => {
  const MAX_RECORDS = 100;
  /** Characters after which a slice ends. */
  const FULL = 1 << 20;
  const emptyPart = () => ({ records: [], failures: [], console: [], outputs: [] });

  /** `at`: the current run; `pending`: currentTime and currentQuality that wait for their value, by output. */
  const now = { chunk: { times: [], columns: [] }, at: 0, outputs: [], pending: [], failuresInRow: 0 };
  let consoleLeft = 0;
  /** This part is handed back next. */
  let part = emptyPart();
  let written = 0;
  /** The current run. */
  let firstRecord = 0;
  let hasFailed = false;
  let failuresBefore = 0;
  /** States of outputs as they were before the run changed them. */
  let changed = [];
  /** True if the state of an output is to be handed back. */
  let hasNews = [];

  /** A record is five entries: run, output, time, value, quality. */
  const emit = (output, timeMs, value, quality) => {
    const { records } = part;
    const { length } = records;
    if (length - firstRecord >= 5 * MAX_RECORDS) words.fail('a run makes at most 100 records');
    records[length] = now.chunk.first + now.at;
    records[length + 1] = output;
    records[length + 2] = timeMs;
    records[length + 3] = value;
    records[length + 4] = quality;
    written += typeof value === 'string' ? 60 + value.length : 60;
    const old = now.outputs[output];
    if (value === null || (old && old.timeMs > timeMs)) return;
    changed[changed.length] = { output, old };
    hasNews[output] = true;
    now.outputs[output] = quality === null ? { timeMs, value } : { timeMs, value, quality };
  };
  /** @param line of the script, in which the shared code comes first @returns 0: unknown, or of the shared code */
  const ownLineOf = (line) => (line >= options.firstOwnLine ? line - options.firstOwnLine + 1 : 0);
  const print = (text, line) => {
    written += text.length + 30;
    part.console.push([now.chunk.first + now.at, text, ownLineOf(line)]);
  };
  /** @param line as above; below 2: unknown */
  const fail = (text, line) => {
    const isShared = line > 1 && line < options.firstOwnLine;
    const placed = isShared ? `${text} (shared code, line ${line - 1})` : text;
    const ownLine = ownLineOf(line);
    part.records.length = firstRecord;
    for (let n = changed.length - 1; n >= 0; n -= 1) now.outputs[changed[n].output] = changed[n].old;
    changed = [];
    now.pending = [];
    now.failuresInRow += 1;
    hasFailed = true;
    part.failures.push([now.chunk.first + now.at, placed, ownLine]);
    written += text.length + 30;
  };

  const isMore = () => now.at < now.chunk.times.length && now.failuresInRow < now.chunk.maxFailures;
  return {
    now,
    emit,
    /** Returns whether the batch may print one more line, which is taken. */
    takesLine: () => consoleLeft > 0 && consoleLeft-- > 0,
    print,
    fail,
    isMore,
    isFull: () => written > FULL,
    feed(text) {
      now.chunk = JSON.parse(text);
      now.at = 0;
      now.outputs = now.chunk.outputs;
      now.failuresInRow = now.chunk.failuresInRow;
      consoleLeft = now.chunk.consoleLeft;
    },
    /** @returns NOW of the run, Unix ms */
    begin() {
      firstRecord = part.records.length;
      hasFailed = false;
      failuresBefore = now.failuresInRow;
      if (changed.length > 0) changed = [];
      if (now.pending.length > 0) now.pending = [];
      return now.chunk.times[now.at];
    },
    /** The last run has failed after all, where it has not failed already. */
    failLast(text) {
      if (hasFailed) return;
      now.failuresInRow = failuresBefore;
      now.at -= 1;
      fail(text, 0);
      now.at += 1;
    },
    /** Returns what the last slices brought, as JSON. */
    take() {
      hasNews.forEach((_, output) => {
        part.outputs.push([output, now.outputs[output]]);
      });
      const text = JSON.stringify({ ...part, done: now.at, failuresInRow: now.failuresInRow });
      part = emptyPart();
      hasNews = [];
      written = 0;
      return text;
    },
  };
};
