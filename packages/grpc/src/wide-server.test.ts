import { once } from 'node:events';
import { connect } from 'node:http2';
import { ServerCredentials } from '@grpc/grpc-js';
import { CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES } from './channel-options.ts';
import { createWideServer } from './wide-server.ts';

test('a whole body may be sent to the server before it is taken', async () => {
  const server = createWideServer({});
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.initialWindowSize).toBe(STREAM_WINDOW_BYTES);
    await new Promise<void>((resolve) => void session.ping(() => resolve()));
    expect(session.state.remoteWindowSize).toBeGreaterThanOrEqual(CONNECTION_WINDOW_BYTES);
  } finally {
    session.destroy();
    server.forceShutdown();
  }
});
