/** A source that takes longer is left out of the scrape, which is answered within a second whatever hangs. */
const SOURCE_LIMIT_MS = 700;
/** An answer that takes longer gives way to the one before. */
const LATE_MS = 400;

/** Holds functions that report what is true now, asked together. */
export class Sources<T> {
  readonly #sources = new Set<() => T | Promise<T>>();
  #isUsed = false;

  add(source: () => T | Promise<T>): () => void {
    this.#isUsed = true;
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  /** Returns what the sources say that answer in time; undefined where there was never one. */
  async ask(): Promise<T[] | undefined> {
    if (!this.#isUsed) return undefined;
    const answers = await Promise.allSettled([...this.#sources].map((source) => inTime(async () => source())));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }
}

async function inTime<T>(ask: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('late')), SOURCE_LIMIT_MS);
  return Promise.race([ask(), late.promise]).finally(() => clearTimeout(timer));
}

/**
 * Remembers an answer, or a failure, for a while: however many ask, the work is done at most once in `ms`. Several gauges that
 * come of one question share it so. While an answer is late, the one before counts: of what hangs, the next scrape shows how it ended.
 */
export function atMostEvery<T>(ms: number, ask: () => Promise<T>, now: () => number = () => performance.now()) {
  let remembered: { readonly untilMs: number; readonly answer: Promise<T>; readonly before?: Promise<T> } | undefined;
  return (): Promise<T> => {
    if (!remembered || now() >= remembered.untilMs) {
      const answer = ask();
      answer.catch(() => {});
      remembered = { untilMs: now() + ms, answer, ...(remembered && { before: remembered.answer }) };
    }
    const { answer, before } = remembered;
    if (!before) return answer;
    const late = Promise.withResolvers<T>();
    const timer = setTimeout(() => late.resolve(before), LATE_MS);
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  };
}
