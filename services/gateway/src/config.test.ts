import { config } from './config.ts';
import { PEER_NAMES } from './usecases/ports.ts';

const GOOD = {
  SERVICE_TOKEN_SECRET: 's'.repeat(32),
  ...Object.fromEntries(PEER_NAMES.map((name) => [`${name.toUpperCase()}_ADDRESS`, '127.0.0.1:5000'])),
};

test.each([
  ['TRUSTED_PROXIES', '10.0.0.0/8, 192.0.2.7,2001:db8::/32,loopback'],
  ['CORS_ORIGINS', 'https://app.example.org, http://localhost:5173'],
  ['CORS_ORIGINS', '*'],
])('%s may be %s', (name, value) => {
  const { trustedProxies, corsOrigins } = config.read({ ...GOOD, [name]: value });
  expect([...trustedProxies, ...corsOrigins]).toEqual(value.split(/, */));
});

const PROXIES = 'TRUSTED_PROXIES must be addresses, ranges such as 10.0.0.0/8';
const ORIGINS = 'CORS_ORIGINS must be origins such as https://app.example.org';
test.each([
  ['TRUSTED_PROXIES', 'proxy.example.org', PROXIES],
  ['TRUSTED_PROXIES', '10.0.0.0/33', PROXIES],
  ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0', PROXIES],
  ['TRUSTED_PROXIES', 'toString', PROXIES],
  ['CORS_ORIGINS', 'https://app.example.org/', ORIGINS],
  ['CORS_ORIGINS', 'app.example.org', ORIGINS],
  ['CORS_ORIGINS', 'https://App.example.org', ORIGINS],
  ['DEVICE_ADDRESSES', 'mqtt', 'DEVICE_ADDRESSES must be names and addresses such as mqtt=example.org:1883'],
  [
    'MAP_TILES_URL',
    'https://tiles.example.org',
    'MAP_TILES_URL must be an http or https address with {z}, {x} and {y}',
  ],
])('%s=%s stops the start: it would be as if it were not there', (name, value, problem) => {
  expect(() => config.read({ ...GOOD, [name]: value })).toThrow(problem);
});
