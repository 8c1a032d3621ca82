type Environment = Readonly<Record<string, string | undefined>>;

/** Exit code of a process whose settings are refused (EX_CONFIG of sysexits.h): to start it again would change nothing. */
export const CONFIG_REFUSED = 78;

/** `EnvReader.done` throws this. It names every bad variable and the rule it broke, never its value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Fallback<T> = { readonly fallback?: T };

/**
 * Reads environment variables into typed values. A missing variable without fallback and a value that breaks its rule are
 * collected; `done()` throws them together. An empty variable counts as missing.
 */
export class EnvReader {
  readonly #env: Environment;
  /** Rules of several variables may be read twice, where listeners share a certificate. */
  readonly #problems = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  text(name: string, options: Fallback<string> & { pattern?: RegExp; rule?: string; minLength?: number } = {}): string {
    return this.#read(name, options.fallback, '', (raw) => {
      if (options.pattern && !options.pattern.test(raw))
        return this.#bad(name, options.rule ?? `must match ${options.pattern}`, '');
      if (options.minLength !== undefined && raw.length < options.minLength) {
        return this.#bad(name, `must have at least ${options.minLength} characters`, '');
      }
      return raw;
    });
  }

  /** Absent when the variable is missing or empty. */
  optionalText(name: string): string | undefined {
    return this.#env[name] || undefined;
  }

  int(name: string, options: Fallback<number> & { min?: number; max?: number } = {}): number {
    const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
    return this.#read(name, options.fallback, 0, (raw) => {
      const value = Number(raw);
      if (/^[+-]?\d+$/.test(raw) && value >= min && value <= max) return value;
      return this.#bad(name, `must be a whole number from ${min} to ${max}`, 0);
    });
  }

  /** A port to listen on; undefined where the variable is set, and empty: nothing listens. */
  port(name: string, fallback: number): number | undefined {
    return this.#env[name] === '' ? undefined : this.int(name, { min: 0, max: 65_535, fallback });
  }

  /** A port to listen on; undefined where the variable is not set: nothing listens. */
  optionalPort(name: string): number | undefined {
    return this.optionalText(name) === undefined ? undefined : this.int(name, { min: 0, max: 65_535 });
  }

  bool(name: string, options: Fallback<boolean> = {}): boolean {
    return this.#read(name, options.fallback, false, (raw) => {
      const lower = raw.toLowerCase();
      if (lower === 'true' || lower === 'false') return lower === 'true';
      return this.#bad(name, 'must be true or false', false);
    });
  }

  oneOf<const T extends string>(name: string, choices: readonly T[], options: Fallback<T> = {}): T {
    return this.#read(name, options.fallback, choices[0] as T, (raw) => {
      const choice = choices.find((choice) => choice === raw);
      return choice ?? this.#bad(name, `must be one of ${choices.join(', ')}`, choices[0] as T);
    });
  }

  url(name: string, options: Fallback<string> & { protocols: readonly string[] }): string {
    return this.#read(name, options.fallback, '', (raw) => {
      const protocol = URL.canParse(raw) ? new URL(raw).protocol.slice(0, -1) : undefined;
      if (protocol !== undefined && options.protocols.includes(protocol)) return raw;
      return this.#bad(
        name,
        `must be a URL that begins with ${options.protocols.map((p) => `${p}://`).join(' or ')}`,
        '',
      );
    });
  }

  /** Absent when the variable is missing or empty. */
  optionalUrl(name: string, options: { protocols: readonly string[] }): string | undefined {
    return this.optionalText(name) && this.url(name, options);
  }

  /**
   * Reads a text that becomes something else.
   * @param options.fallback text for a missing variable; without one it must be set
   * @param options.placeholder text that stands for a bad one until `done` throws
   */
  parsed<T>(
    name: string,
    parse: (text: string) => T | undefined,
    options: Fallback<string> & { placeholder: string; rule: string },
  ): T {
    const placeholder = parse(options.placeholder) as T;
    const fallback = options.fallback === undefined ? undefined : parse(options.fallback);
    return this.#read(name, fallback, placeholder, (raw) => parse(raw) ?? this.#bad(name, options.rule, placeholder));
  }

  /** Comma-separated list, trimmed, empty items dropped. */
  list(name: string, options: Fallback<readonly string[]> = {}): readonly string[] {
    return this.#read(name, options.fallback, [], itemsOf);
  }

  /** Such a list, read as a whole; empty without the variable. @param parse undefined = the list breaks the rule */
  parsedList<T>(
    name: string,
    parse: (items: readonly string[]) => readonly T[] | undefined,
    rule: string,
  ): readonly T[] {
    return this.#read<readonly T[]>(name, [], [], (raw) => parse(itemsOf(raw)) ?? this.#bad(name, rule, []));
  }

  /** Checks a rule that variables keep together. One that breaks a rule of its own is reported for that alone. */
  check(names: readonly string[], holds: boolean, problem: string): void {
    const isBad = (name: string) => [...this.#problems].some((problem) => problem.startsWith(`${name} `));
    if (!holds && !names.some(isBad)) this.#problems.add(problem);
  }

  /** @throws ConfigError with all problems found so far */
  done(): void {
    if (this.#problems.size > 0) throw new ConfigError([...this.#problems]);
  }

  #read<T>(name: string, fallback: T | undefined, placeholder: T, parse: (raw: string) => T): T {
    const raw = this.#env[name];
    if (raw !== undefined && raw !== '') return parse(raw);
    if (fallback !== undefined) return fallback;
    return this.#bad(name, 'must be set', placeholder);
  }

  #bad<T>(name: string, rule: string, placeholder: T): T {
    this.#problems.add(`${name} ${rule}`);
    return placeholder;
  }
}

const itemsOf = (raw: string): string[] =>
  raw
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const envReader = (env: Environment): EnvReader => new EnvReader(env);
