import { Socket } from 'node:net';

/** TCP answers at once, whatever the server is busy with; this leaves time for one packet that is lost. */
const DIAL_LIMIT_MS = 1_500;

/**
 * Makes a socket that gives up where nothing answers at its address: the pod that was behind it is gone, say. Waiting for longer would be
 * waiting for that one, though another has taken its place.
 */
export function dial(limitMs: number = DIAL_LIMIT_MS): Socket {
  const socket = new Socket();
  const { connect } = socket;
  socket.connect = ((...to: Parameters<typeof connect>) => {
    const late = setTimeout(() => {
      socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }));
    }, limitMs);
    const stop = () => clearTimeout(late);
    socket.once('connect', stop).once('close', stop);
    return connect.apply(socket, to);
  }) as typeof connect;
  return socket;
}
