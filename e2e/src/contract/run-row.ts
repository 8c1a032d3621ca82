import { until } from '@catchment/testkit';
import { type Answer, Api } from '../api.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import type { Request } from './every-operation.ts';
import { mismatchOf, type Names } from './match.ts';
import type { Row } from './table.ts';

/** The rows of one table share this state. */
export type Run = {
  readonly url: string;
  readonly schemas: AnswerSchemas;
  /** The key column names the keys; ids and other values have their own names. */
  readonly names: Names;
  /** Records were accepted, and may be in flight. */
  isSettling: boolean;
  /** A row has waited in vain: the others do not. */
  hasHung: boolean;
};

/** Sends the request of a row and compares the answer. @throws Error that names the difference */
export async function runRow(run: Run, row: Row): Promise<void> {
  const attempt = async () => {
    const answer = await sendRow(run, row);
    return { answer, wrong: wrongIn(run, row, answer) };
  };
  let outcome = await attempt();
  // Events are written down a moment after every change.
  const mayStillCome = !run.hasHung && (run.isSettling || /events(\?|$)/.test(row.path));
  if (outcome.wrong && mayStillCome && row.method === 'GET' && outcome.answer.status < 500) {
    await until(async () => {
      outcome = await attempt();
      return !outcome.wrong;
    }).catch(() => {
      run.hasHung = true;
    });
  }
  if (outcome.answer.status === 202) run.isSettling = true;
  const wrong = outcome.wrong ?? run.schemas.wrongIn(row.method, namesIn(run.names, row.path), outcome.answer);
  if (wrong) throw new Error(`${wrong}\n${outcome.answer.text.slice(0, 1500)}`);
}

function sendRow(run: Run, row: Row): Promise<Answer> {
  const { method, path, key, body, headers } = requestOf(run, row);
  const [, name, value = ''] = /^([\w-]+): (.+)$/.exec(row.header) ?? [];
  return new Api(run.url, key).send(method, path, body, name ? { ...headers, [name]: value } : headers);
}

/** Makes the request of a row, with the names that earlier rows gave. */
export function requestOf(run: Run, row: Row): Request {
  const [, form = ''] = /^form (\{.*\})$/s.exec(row.body) ?? [];
  const [, type = '', base64, raw = ''] = /^([\w/+-]+\/[\w/+-]+)(;base64)?: (.*)$/s.exec(row.body) ?? [];
  const request = { method: row.method, path: namesIn(run.names, row.path), key: keyOf(run, row.key) };
  if (form) return { ...request, ...formOf(bodyOf(run.names, form) as Form) };
  const bytes = base64 ? Buffer.from(raw, 'base64') : raw.replaceAll('\\n', '\n');
  if (type) return { ...request, body: bytes, headers: { 'Content-Type': type } };
  return row.body === '' ? request : { ...request, body: JSON.stringify(bodyOf(run.names, row.body)) };
}

type Form = Readonly<Record<string, string | readonly [fileName: string, content: string]>>;

const BOUNDARY = 'a-part-of-the-form';

function formOf(form: Form): Pick<Request, 'body' | 'headers'> {
  const parts = Object.entries(form).map(([name, value]) => {
    const [fileName, content] = typeof value === 'string' ? [undefined, value] : value;
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  return { body: `${parts.join('')}--${BOUNDARY}--\r\n`, headers };
}

function keyOf({ names }: Run, name: string): string {
  const key = names.get(name);
  if (key === undefined) throw new Error(`no row made a key ${name}`);
  return key;
}

/** `$Name` in a text. */
function namesIn(names: Names, text: string): string {
  return text.replaceAll(/\$([A-Z]\w*)/g, (_whole, name: string) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`no row gave the name ${name}`);
    return value;
  });
}

function bodyOf(names: Names, text: string): unknown {
  return JSON.parse(namesIn(names, text), (_key, value) => {
    if (typeof value === 'string' && value.startsWith('$long ')) return 'x'.repeat(Number(value.slice(6)));
    if (value?.$times) return Array.from({ length: value.$times[0] }, () => value.$times[1]);
    return value;
  });
}

function wrongIn({ names }: Run, row: Row, answer: Answer): string | undefined {
  if (answer.status !== row.status) return `answered ${answer.status}, not ${row.status}`;
  if (answer.status >= 400) {
    const { error } = answer.json;
    if (error?.code !== answer.status) return 'the code of the error is not the status';
  }
  for (const expected of row.answers) {
    const wrong = wrongPart(names, expected, answer);
    if (wrong) return wrong;
  }
  return undefined;
}

function wrongPart(names: Names, expected: string, answer: Answer): string | undefined {
  const [, header, value = ''] = /^header ([\w-]+): (.*)$/.exec(expected) ?? [];
  if (header) {
    const actual = answer.headers.get(header) ?? '';
    return actual.includes(value) ? undefined : `${header} is ${actual}`;
  }
  if (/^[[{]/.test(expected)) return mismatchOf(answer.json, JSON.parse(namesIn(names, expected)), names);
  // A JSON string is the whole text.
  if (expected.startsWith('"')) {
    const whole = namesIn(names, JSON.parse(expected));
    return answer.text === whole ? undefined : `the text is not ${JSON.stringify(whole)}`;
  }
  const text = answer.status >= 400 ? answer.json.error.message : answer.text;
  return text.includes(namesIn(names, expected)) ? undefined : `the text has no «${expected}»`;
}
