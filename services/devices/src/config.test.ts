import { config } from './config.ts';

const GOOD = {
  GRPC_PORT: '1',
  HEALTH_PORT: '2',
  SERVICE_TOKEN_SECRET: 'x'.repeat(32),
  NATS_URL: 'nats://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  NODES_ADDRESS: 'n:1',
  HISTORIC_ADDRESS: 'h:1',
};

test('defaults are those of the README', () => {
  expect(config.read(GOOD)).toMatchObject({
    scout: { host: '127.0.0.1', port: 4331, tlsPort: 4334 },
    callback: { host: '127.0.0.1', port: 4332, tlsPort: 4335 },
    remote: { ports: undefined },
    databaseSchema: 'devices',
    partitions: 4,
    databaseConnections: 10,
  });
});

test.each([
  ['SERVICE_TOKEN_SECRET', 'short'],
  ['DATABASE_URL', 'http://x'],
  ['DATABASE_SCHEMA', 'a;b'],
  ['CLASS_NAMESPACE', "a'b"],
  ['DATABASE_CONNECTIONS', '5'],
  ['SCOUT_PORT', '70000'],
  ['SCOUT_IDENT_SECONDS', '0'],
  ['CALLBACK_PORT', 'x'],
  ['REMOTE_PORTS', '4409-4400'],
  ['REMOTE_PORTS', '1-65535'],
  ['NODES_ADDRESS', ''],
])('%s = %j stops the start and is named', (name, value) => {
  expect(() => config.read({ ...GOOD, [name]: value })).toThrow(name);
});

test.each([
  [
    'half a certificate, whatever port is open',
    { MQTT_TLS_CERT_FILE: '/c', FTP_TLS_KEY_FILE: '/k', STATIONS_TLS_CERT_FILE: '/c', WATERLOG_PORT: '1' },
    ['MQTT', 'STATIONS', 'FTP'].map((of) => `${of}_TLS_CERT_FILE and ${of}_TLS_KEY_FILE must be given together`),
  ],
  [
    'a port of TLS without a certificate',
    { FTP_TLS_PORT: '990', WASPMOTE_TLS_PORT: '1', WATERLOG_TLS_PORT: '2' },
    [
      'WATERLOG_TLS_PORT needs STATIONS_TLS_CERT_FILE and STATIONS_TLS_KEY_FILE',
      'WASPMOTE_TLS_PORT needs STATIONS_TLS_CERT_FILE and STATIONS_TLS_KEY_FILE',
      'FTP_TLS_PORT needs FTP_TLS_CERT_FILE and FTP_TLS_KEY_FILE',
    ],
  ],
  [
    'ports whose listeners lack what they present',
    { SFTP_PORT: '22', SMTP_INTAKE_PORT: '25' },
    ['SFTP_PORT needs SFTP_HOST_KEY_FILES', 'SMTP_INTAKE_PORT needs SMTP_INTAKE_DOMAIN'],
  ],
  [
    'a bad port is reported for that alone, beside settings of every kind',
    {
      SFTP_PORT: 'x',
      FTP_TLS_PORT: '1',
      SERVICE_TOKEN_SECRET: 'hunter2',
      NATS_URL: 'hunter2@a',
      DATABASE_URL: 'hunter2',
    },
    [
      'SERVICE_TOKEN_SECRET must have at least 32 characters',
      'NATS_URL must be URLs that begin with nats:// or tls://, with commas between them',
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
      'FTP_TLS_PORT needs FTP_TLS_CERT_FILE and FTP_TLS_KEY_FILE',
      'SFTP_PORT must be a whole number from 0 to 65535',
    ],
  ],
])('%s: all problems come together, without a value', (_what, env, problems) => {
  expect(() => config.read({ ...GOOD, ...env })).toThrow(expect.objectContaining({ problems }));
});

test.each([
  ['a certificate', { FTP_TLS_PORT: '990', FTP_TLS_CERT_FILE: '/c', FTP_TLS_KEY_FILE: '/k' }],
  ['no certificate for the usual ports', { SCOUT_TLS_PORT: '4334', MQTT_PORT: '' }],
  [
    'a host key and a domain',
    { SFTP_PORT: '22', SFTP_HOST_KEY_FILES: '/k', SMTP_INTAKE_PORT: '25', SMTP_INTAKE_DOMAIN: 'm' },
  ],
])('listeners with %s are complete', (_what, env) => {
  expect(() => config.read({ ...GOOD, ...env })).not.toThrow();
});

test('remote access is open on a range of ports', () => {
  const remote = { REMOTE_PORTS: '4400-4409', REMOTE_HOST: '0.0.0.0', REMOTE_PUBLIC_HOST: 'field.example.com' };
  expect(config.read({ ...GOOD, ...remote }).remote).toEqual({
    host: '0.0.0.0',
    publicHost: 'field.example.com',
    ports: { first: 4400, last: 4409 },
  });
});
