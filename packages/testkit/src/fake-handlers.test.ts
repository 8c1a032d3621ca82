import { SecurityServiceService } from '@catchment/contracts/security';
import { CallerSigner, CallerVerifier, GrpcServerBuilder, LocalCalls } from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { fakeHandlers } from './fake-handlers.ts';

const SECRET = 'a-secret-of-the-tests-of-32-letters!';

test('a call that a fake does not have is refused as unimplemented, with one answer or a stream of them', async () => {
  const [verifier, log] = [new CallerVerifier(SECRET), createLogger('test', { level: 'silent' })];
  const calls = new LocalCalls();
  const server = await new GrpcServerBuilder({ verifier, log, local: { calls, name: 'nodes' } })
    .add(SecurityServiceService, fakeHandlers(SecurityServiceService, {}))
    .listen({ host: '127.0.0.1', port: 0 });
  const client = calls.peer('nodes').client(SecurityServiceService);
  try {
    const options = { token: await new CallerSigner(SECRET).sign({ kind: 'service', service: 'events' }) };
    const refusal = { kind: 'unimplemented', reason: 'UNKNOWN_CALL' };
    await expect(client.getSecurity({ nodeRef: '' }, options)).rejects.toMatchObject(refusal);
    await expect(Array.fromAsync(client.listClosedNodes({}, options))).rejects.toMatchObject(refusal);
  } finally {
    client.close();
    await server.close();
  }
});
