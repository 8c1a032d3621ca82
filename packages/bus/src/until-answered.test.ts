import { ConfigError } from '@catchment/config';
import { createLogger } from '@catchment/telemetry';
import { JetStreamApiError } from '@nats-io/jetstream';
import { NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import { untilAnswered } from './until-answered.ts';

const log = createLogger('test', { level: 'silent' });
const answer = (code: number) => new JetStreamApiError({ code, err_code: 10_008, description: '' });

test.each([
  ['silence', new TimeoutError(), 3],
  ['a stream without a leader', new NoRespondersError('INGEST'), 3],
  ['a cluster without a leader', answer(503), 3],
  ['a refusal', answer(400), 1],
  ['a wrong setting', new ConfigError([]), 1],
])('%s is asked again where another answer may come', async (_what, error, expected) => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked < 3) throw error;
    return 'answered';
  };
  const outcome = await untilAnswered(log, ask, { pauseMs: 1 }).catch((error: unknown) => error);
  expect(asked).toBe(expected);
  expect(outcome).toBe(expected === 1 ? error : 'answered');
});

test('a broker that never answers is given up after the limit', async () => {
  const silence = new TimeoutError();
  await expect(untilAnswered(log, () => Promise.reject(silence), { limitMs: 5, pauseMs: 1 })).rejects.toBe(silence);
});
