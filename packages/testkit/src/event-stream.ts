import { request as httpRequest, type IncomingMessage } from 'node:http';
import { until } from './until.ts';

export type StreamMessage = {
  readonly event: string;
  /** The last id so far may come from blocks without data. */
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents, whose shape the tests themselves check
  readonly data: any;
};

/** The client reads a stream of server-sent events until it is left or the server ends it. */
export type EventStream = {
  readonly response: IncomingMessage;
  readonly messages: readonly StreamMessage[];
  readonly state: {
    readonly text: string;
    readonly lastId: string;
    readonly retryMs: number;
    readonly isOver: boolean;
  };
  /** Waits for as many messages in all. */
  get(count: number): Promise<readonly StreamMessage[]>;
  /** Waits for the end. */
  ended(): Promise<unknown>;
  leave(): void;
};

/** Opens a stream; also an error answer is read as one, without messages. */
export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers, agent: false }, resolve).on('error', reject).end();
  });
  const messages: StreamMessage[] = [];
  const state = { text: '', lastId: '', isOver: false, retryMs: 0 };
  let rest = '';
  const take = (block: string) => {
    const fields = block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
    const of = (name: string) => fields.findLast(([field]) => field === name)?.[1];
    state.lastId = of('id') ?? state.lastId;
    state.retryMs = Number(of('retry') ?? state.retryMs);
    const data = of('data');
    if (data !== undefined) messages.push({ event: of('event') ?? '', id: state.lastId, data: JSON.parse(data) });
  };
  response.setEncoding('utf8');
  response.on('data', (data: string) => {
    state.text += data;
    const blocks = (rest + data).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  });
  for (const end of ['close', 'error']) response.on(end, () => Object.assign(state, { isOver: true }));
  return {
    response,
    messages,
    state,
    async get(count) {
      await until(() => messages.length >= count, { what: `${count} messages of a stream` });
      return messages;
    },
    ended: () => until(() => state.isOver, { what: 'the end of the stream' }),
    leave: () => void response.destroy(),
  };
}
