// console.log of a program.
// Threat: a flood of lines, or a value whose text is endless or runs code of the program. Lines of a batch and characters of a line are
// limited; what a value's toJSON does is within the run's time, and what it throws is dropped.
({ words, values, failures, runs }) => {
  const { shortened, described } = words;
  const MAX_TEXT = 1_000;
  const shown = (value) => {
    const given = values.plain(value);
    if (typeof given === 'string') return shortened(given, MAX_TEXT);
    if (given instanceof Error) return failures.message(given);
    if (typeof given !== 'object' || given === null) return String(given);
    try {
      return shortened(String(JSON.stringify(given)), MAX_TEXT);
    } catch {
      return described(given);
    }
  };
  return {
    log(...given) {
      if (!runs.takesLine()) return;
      let text = '';
      for (let n = 0; n < given.length && text.length < MAX_TEXT; n += 1) text += (n > 0 ? ' ' : '') + shown(given[n]);
      runs.print(shortened(text, MAX_TEXT), failures.lineOf(new Error()));
    },
  };
};
