import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';

/** Commands of a page, and what they answer. */
export type Step = {
  /** Lines of the page count from 1. */
  readonly line: number;
  readonly commands: string;
  readonly answer?: { readonly form: 'json' | 'text'; readonly text: string };
};

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** Reads the blocks of commands of a page; a block of another language that follows at once is the answer. */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let end = 0;
  for (const found of page.matchAll(FENCED)) {
    const [whole, language, text = ''] = found;
    const last = steps.at(-1);
    const line = page.slice(0, found.index).split('\n').length;
    if (language === 'sh') steps.push({ line, commands: text });
    else if (last && last.answer === undefined && page.slice(end, found.index).trim() === '')
      steps[steps.length - 1] = { ...last, answer: { form: language === 'json' ? 'json' : 'text', text } };
    else throw new Error(`line ${line}: an answer without commands before it`);
    end = found.index + whole.length;
  }
  return steps;
}

const READING = /^api (['"])[^'"]*\1$/;

/** Returns the last lines that only read: they may be repeated until the answer is there. */
export function partsOf({ commands }: Step): { doing: string; reading: string } {
  const lines = commands.trimEnd().split('\n');
  let first = lines.length;
  while (first > 0 && READING.test(lines[first - 1] ?? '')) first -= 1;
  return { doing: lines.slice(0, first).join('\n'), reading: lines.slice(first).join('\n') };
}

/** Tells why an output is not the answer of the page; undefined where it is. A step without an answer must not be refused. */
export function differenceOf({ answer }: Step, output: string): string | undefined {
  if (!answer) return output.includes('"error"') ? `refused: ${output}` : undefined;
  const fits = answer.form === 'json' ? isShortenedJson(answer.text, output) : isShortened(answer.text, output);
  return fits ? undefined : `answered\n${output}\nin the place of\n${answer.text}`;
}

const ELLIPSIS = '…';

/** Returns true where a text is another one in which each `…` stands for anything. */
const isShortened = (expected: string, text: string): boolean =>
  new RegExp(`^${expected.trim().split(ELLIPSIS).map(RegExp.escape).join('[\\s\\S]*')}$`).test(text.trim());

function isShortenedJson(expected: string, output: string): boolean {
  const values = output.split('\n').filter(Boolean).map(parsed);
  const shortened = valuesIn(expected);
  return values.length === shortened.length && shortened.every((item, n) => fitsIn(item, values[n]));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads JSON values that follow each other. Objects are shortened by a last `…`, arrays by any, values by `…` or within a text. */
function valuesIn(text: string): unknown[] {
  const json = text
    .replaceAll(/"(?:[^"\\]|\\.)*"|…/g, (token) => (token === ELLIPSIS ? `"${ELLIPSIS}"` : token))
    .replaceAll(/,\s*"…"\s*(?=\})/g, '')
    .replaceAll(/\{\s*"…"\s*\}/g, '{}');
  return JSON.parse(`[${json.trim().replaceAll(/(?<=[}\]])\n(?=[{[])/g, ',')}]`);
}

function fitsIn(expected: unknown, value: unknown): boolean {
  if (expected === ELLIPSIS) return value !== undefined;
  if (typeof expected === 'string') return typeof value === 'string' && isShortened(expected, value);
  if (Array.isArray(expected)) return Array.isArray(value) && listFitsIn(expected, value);
  if (typeof expected !== 'object' || expected === null) return expected === value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(expected).every(([name, item]) => fitsIn(item, (value as Record<string, unknown>)[name]));
}

/** Every element has its own; between them nothing is left out but where `…` stands. */
function listFitsIn([first, ...rest]: readonly unknown[], values: readonly unknown[]): boolean {
  if (first === undefined) return values.length === 0;
  if (first !== ELLIPSIS) return values.length > 0 && fitsIn(first, values[0]) && listFitsIn(rest, values.slice(1));
  return Array.from({ length: values.length + 1 }).some((_, n) => listFitsIn(rest, values.slice(n)));
}

/** The reader of a page has one such shell open. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = '';
  #runs = 0;

  static async open(env: NodeJS.ProcessEnv, cwd: string): Promise<Shell> {
    return new Shell(env, cwd, await mkdtemp(path.join(os.tmpdir(), 'catchment-guide-')));
  }

  private constructor(env: NodeJS.ProcessEnv, cwd: string, folder: string) {
    this.#folder = folder;
    // The shell has a separate group: what the page starts in the background ends with it.
    this.#child = spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk) => {
        this.#output += chunk;
      });
  }

  /** @returns what the commands have printed. @throws Error when they do not end */
  async run(commands: string): Promise<string> {
    this.#runs += 1;
    const file = path.join(this.#folder, `${this.#runs}.sh`);
    await writeFile(file, `${commands}\n`);
    const end = `-- end of ${this.#runs} --\n`;
    this.#output = '';
    this.#child.stdin?.write(`. '${file}' 2>&1 < /dev/null; printf '%s\\n' '${end.trim()}'\n`);
    const hasEnded = () => {
      if (!this.#output.endsWith(end)) throw new Error(`${commands}\n${this.#output}`);
      return true;
    };
    await until(hasEnded, { what: 'the commands have ended' });
    return this.#output.slice(0, -end.length);
  }

  async close(): Promise<void> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) {
      const ended = once(this.#child, 'exit');
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
