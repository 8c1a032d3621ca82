import { metricsIn } from './metric-names.ts';

test.each([
  [
    'one with labels',
    'rate(http_server_request_duration_seconds_count{http_route="a"}[5m]) > 1',
    ['http_server_request_duration_seconds_count'],
  ],
  ['labels are none', 'sum by (rpc_service, le) (up{job="catchment"}) == 0', ['up']],
  [
    'labels of functions are none',
    'label_replace(rate(db_client_operation_duration_seconds_count[5m]), "reader", "$1", "messaging_consumer_group_name", "(.+)")',
    ['db_client_operation_duration_seconds_count'],
  ],
  ['several, each once', 'catchment_ready == 0 or catchment_ready unless on (namespace) up', ['catchment_ready', 'up']],
  ['recorded ones are none', 'catchment:write_availability_failures:ratio_rate1h > 1', []],
])('%s', (_what, promQl, expected) => {
  expect(metricsIn(promQl)).toEqual(expected);
});
