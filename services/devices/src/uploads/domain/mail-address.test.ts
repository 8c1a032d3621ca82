import { keyOfAddress, takesSender } from './mail-address.ts';

test.each([
  ['upload+soap-laugh-corn@mail.test', 'soap-laugh-corn'],
  ['Upload+Soap-Laugh-Corn@MAIL.test', 'soap-laugh-corn'],
  ['upload+soap-laugh-corn@other.test', undefined],
  ['upload+soap-laugh-corn@mail.test@other.test', undefined],
  ['soap-laugh-corn@mail.test', undefined],
  ['upload+@mail.test', undefined],
  ['upload+a b@mail.test', undefined],
  ['', undefined],
])('%s has the key %s', (address, key) => {
  expect(keyOfAddress(address, 'Mail.Test')).toBe(key);
});

test.each<[boolean, string | undefined, string]>([
  [true, undefined, ''],
  [true, 'Logger@site.test', 'logger@SITE.test'],
  [false, 'logger@site.test', 'another-logger@site.test'],
  [true, '@site.test', 'logger@Site.test'],
  [false, '@site.test', 'logger@bad.site.test'],
  [false, '@site.test', ''],
])('it is %s that the filter %s takes a mail of %s', (takes, filter, sender) => {
  expect(takesSender(filter, sender)).toBe(takes);
});
