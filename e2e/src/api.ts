import { HANGS_AFTER_MS } from '@catchment/testkit';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Returns the body as JSON; throws when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: documents of the API, whose shape the tests themselves check
  readonly json: any;
  readonly bytes: Buffer;
};

/** Calls the API as a client program does, with HTTP and a key. */
export class Api {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    // A form says its own boundary.
    const isTyped = body === undefined || body instanceof FormData;
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-Api-Key': this.key, ...(!isTyped && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  get = (path: string, headers?: Record<string, string>): Promise<Answer> => this.send('GET', path, undefined, headers);
  put = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('PUT', path, body, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('POST', path, body, headers);
  delete = (path: string): Promise<Answer> => this.send('DELETE', path);

  /** Uploads a file below a node and answers the document of its attachment. */
  async upload(
    parentRef: string,
    file: string | Uint8Array<ArrayBuffer>,
    fileName: string,
  ): Promise<{ _id: string; [attribute: string]: unknown }> {
    const form = new FormData();
    form.append('file', new Blob([file]), fileName);
    const answer = await this.post(`/nodes/${parentRef}/attachments`, form);
    if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${answer.text}`);
    return answer.json;
  }

  /** Creates a node and answers its document. */
  async create(attributes: Record<string, unknown>): Promise<{ _id: string; [attribute: string]: unknown }> {
    const answer = await this.post('/nodes', attributes);
    if (answer.status !== 201) throw new Error(`POST /nodes answered ${answer.status}: ${answer.text}`);
    return answer.json;
  }

  /** Makes a separate workspace with a location and a JTS source. */
  async createSite(name = unique('Site')): Promise<{ workspaceId: string; locationId: string; sourceId: string }> {
    const workspace = await this.create({ _class: `${MODEL}.Workspace`, name });
    const location = await this.create({
      _class: `${MODEL}.location.Location`,
      name: 'Location',
      parentId: workspace._id,
    });
    const source = await this.create({ _class: `${MODEL}.source.data.Jts`, name: 'Source', parentId: location._id });
    return { workspaceId: workspace._id, locationId: location._id, sourceId: source._id };
  }
}

export const MODEL = 'io.svc.models.node';

let last = 0;
/** Returns a name that no other test uses. */
export function unique(word: string): string {
  last += 1;
  return `${word} ${process.pid} ${Date.now()} ${last}`;
}

/** Makes a document for a data source: rows of [time, value per series]; null is a gap in the columns, undefined no field. */
export function jts(
  series: readonly string[],
  rows: readonly (readonly [string, ...(number | undefined)[]])[],
  units = '°C',
): unknown {
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: Object.fromEntries(series.map((key, index) => [index, { series: key, name: key, units }])) },
    data: rows.map(([ts, ...values]) => ({
      ts,
      f: Object.fromEntries(values.flatMap((v, index) => (v === undefined ? [] : [[index, { v }]]))),
    })),
  };
}
