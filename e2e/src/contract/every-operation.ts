import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Operation } from '../open-api.ts';
import type { Row } from './table.ts';

/** A valid request is changed, and this answer is expected. */
export type Rule = {
  readonly what: string;
  readonly status: number;
  readonly answer: string;
};
/** A request for `Api.send`. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Sample = { readonly operation: Operation; readonly row: Row; readonly request: Request };
export type OtherKeys = {
  readonly disabled: string;
  readonly stranger: string;
  readonly reader: string;
  readonly workspaces: string;
};

const TABLE = path.resolve(import.meta.dirname, '../../contract/every-operation.md');
const UNKNOWN_ID = 'f'.repeat(24);
const OVER_5_MIB = Buffer.alloc(5 * 1024 * 1024 + 1, 0x20);

export const RULES: readonly Rule[] = readFileSync(TABLE, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, what = '', status = '', answer = ''] = /^\| (.*) \| (\d{3}) \| (.*) \|$/.exec(line) ?? [];
    return what === '' ? [] : [{ what, status: Number(status), answer }];
  });

const hasBody = ({ request }: Sample): boolean => request.body !== undefined;
const hasJson = (sample: Sample): boolean => hasBody(sample) && sample.request.headers === undefined;
const hasId = ({ operation }: Sample): boolean => operation.path.includes('{id}');
const isWrite = ({ operation }: Sample): boolean => operation.method !== 'GET';

type Change = {
  /** Returns which operations it is made of; absent = all. */
  readonly of?: (sample: Sample) => boolean;
  readonly to: (sample: Sample, keys: OtherKeys) => Partial<Request>;
};

/** Each line of the table has its change here, by its text. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'without a key': { to: () => ({ key: '' }) },
  'with the key of a disabled account': { to: (_sample, { disabled }) => ({ key: disabled }) },
  'that writes, with a READ_ONLY key': { of: isWrite, to: (_sample, { reader }) => ({ key: reader }) },
  'for level ACCOUNT, with a key for all workspaces': {
    of: ({ operation }) =>
      operation.path.startsWith('/owners/') &&
      (operation.method !== 'GET' || /apikeys|usage|webhooks|limits|uses/.test(operation.path)),
    to: (_sample, { workspaces }) => ({ key: workspaces }),
  },
  'with a query of more than 4096 bytes': {
    to: ({ request }) => ({ path: withArgument(request.path, `x=${'x'.repeat(4096)}`) }),
  },
  'with an unknown method': { to: () => ({ method: 'PATCH' }) },
  'with an unknown path below its own': {
    to: ({ request }) => ({ path: `${request.path.replace(/\?.*$/, '')}/nothing/at/all` }),
  },
  'with an unknown id': { of: hasId, to: (sample) => ({ path: withId(sample, UNKNOWN_ID) }) },
  'with a reference that is neither an id nor @customId': {
    of: hasId,
    to: (sample) => ({ path: withId(sample, 'nobody') }),
  },
  'with the key of another account': { of: hasId, to: (_sample, { stranger }) => ({ key: stranger }) },
  'with a body that is no JSON': { of: hasJson, to: () => ({ body: '{"a":' }) },
  'with a body of another type': { of: hasJson, to: () => ({ headers: { 'Content-Type': 'text/plain' } }) },
  'with a body in another encoding': { of: hasBody, to: () => ({ headers: { 'Content-Encoding': 'br' } }) },
  'with a body over 5 MiB': { of: hasJson, to: () => ({ body: OVER_5_MIB }) },
  'with a query that is no UTF-8': { to: ({ request }) => ({ path: withArgument(request.path, 'attr=%ff') }) },
};

const withArgument = (target: string, argument: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${argument}`;

/** Returns the path of a sample with another id where its operation has `{id}`. */
function withId({ operation, request }: Sample, id: string): string {
  const [before = ''] = operation.path.split('{id}');
  return before + id + request.path.slice(before.length).replace(/^[^/?]+/, '');
}
