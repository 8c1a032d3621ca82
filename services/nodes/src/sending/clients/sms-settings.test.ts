import { envReader } from '@catchment/config';
import { readSmsSettings } from './sms-settings.ts';

const OBJECTS = {
  id: 'e.0.u.sms',
  to: '+61865550100',
  from: 'Catchment',
  text: 'Höhe & "Tiefe"',
  user: 'AC1',
  password: 'p',
};
const CLOCK = { nowMs: 0, work: 100_000 };

function request(env: Record<string, string>) {
  const read = envReader({ SMS_FROM: 'Catchment', ...env });
  const settings = readSmsSettings(read);
  read.done();
  return (
    settings && {
      method: settings.method,
      url: settings.url.render(OBJECTS, CLOCK),
      headers: Object.fromEntries(settings.headers.map(([name, value]) => [name, value.render(OBJECTS, CLOCK)])),
      body: settings.body?.render(OBJECTS, CLOCK),
    }
  );
}

test('without a gateway there are no settings, and nothing else is asked for', () => {
  expect(request({ SMS_USER: 'jo', SMS_BODY: '{{' })).toBeUndefined();
});

test('the preset of Twilio posts a form with the login', () => {
  expect(request({ SMS_PRESET: 'twilio', SMS_USER: 'AC1', SMS_PASSWORD: 'secret' })).toEqual({
    method: 'POST',
    url: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': 'e.0.u.sms',
      Authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
    },
    body: 'To=%2B61865550100&From=Catchment&Body=H%C3%B6he+%26+%22Tiefe%22',
  });
});

test('a gateway without a preset gets JSON', () => {
  const { url, headers, body } = request({ SMS_URL: 'https://sms.test/send' })!;
  expect(url).toBe('https://sms.test/send');
  expect(headers).toMatchObject({ 'Content-Type': 'application/json' });
  expect(headers).not.toHaveProperty('Authorization');
  expect(JSON.parse(body ?? '')).toEqual({ id: 'e.0.u.sms', from: 'Catchment', to: OBJECTS.to, text: OBJECTS.text });
});

test('method, address, headers and body are templates', () => {
  const env = {
    SMS_URL: 'https://sms.test/send?to={{ to | url_encode }}&text={{ text | url_encode }}',
    SMS_METHOD: 'GET',
    SMS_HEADERS: 'Authorization: Bearer {{ password }}\nidempotency-key: {{ id | upcase }}',
    SMS_USER: 'ignored',
  };
  expect(request(env)).toEqual({
    method: 'GET',
    url: 'https://sms.test/send?to=%2B61865550100&text=H%C3%B6he+%26+%22Tiefe%22',
    headers: { Authorization: 'Bearer p', 'idempotency-key': 'E.0.U.SMS' },
    body: undefined,
  });
});

test.each([
  ['SMS_URL must be set', { SMS_PRESET: 'json' }],
  ['SMS_URL must be a URL', { SMS_URL: 'ftp://sms.test/s3cret' }],
  ['SMS_URL must be a URL', { SMS_URL: 'https://sms.test/{{ to | s3cret }}' }],
  ['SMS_FROM must be set', { SMS_URL: 'https://sms.test', SMS_FROM: '' }],
  ['SMS_PRESET must be one of json, twilio', { SMS_PRESET: 's3cret' }],
  ['SMS_METHOD', { SMS_URL: 'https://sms.test', SMS_METHOD: 'DELETE' }],
  ['SMS_HEADERS', { SMS_URL: 'https://sms.test', SMS_HEADERS: 's3cret' }],
  ['SMS_BODY', { SMS_URL: 'https://sms.test', SMS_BODY: '{{ s3cret' }],
  ['SMS_CONTENT_TYPE', { SMS_URL: 'https://sms.test', SMS_CONTENT_TYPE: 's3cret' }],
])('a start is refused, naming the rule and no value: %s', (problem, env) => {
  expect(() => request(env)).toThrow(problem);
  expect(() => request(env)).not.toThrow('s3cret');
});
