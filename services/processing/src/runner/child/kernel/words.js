// The kernel says this to people about values of a program.
// Threat: a value whose text is endless, or whose methods are the program's. No method of a value is called here, texts
// are truncated, and what the trap of a proxy does that `instanceof` asks is within the run's time and fails it.
() => {
  const fail = (message) => {
    throw new Error(message);
  };
  const shortened = (text, limit) => (text.length > limit ? text.slice(0, limit) : text);
  const described = (value) => {
    if (typeof value === 'string') return `the text '${shortened(value, 60)}'`;
    if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null)
      return String(value);
    if (Array.isArray(value)) return 'an array';
    if (value instanceof Promise) return 'a promise';
    if (value instanceof Date) return 'a Date';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  };
  return { fail, shortened, described };
};
