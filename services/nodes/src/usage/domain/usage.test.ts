import { type AccountUse, leastUsageOf, nodeUsage, usageDocument } from './usage.ts';

const NO_SOURCES = { attachmentsource: 0, small: 0, medium: 0, large: 0 };
const NO_LIMITS = { sourceLimit: null, smsLimit: null };
const account = (more: Partial<AccountUse>): AccountUse => ({
  ownerId: 'a'.repeat(24),
  accountName: 'Alz',
  accountType: 'FULL',
  status: 'ACTIVE',
  sources: NO_SOURCES,
  smsCount: 0,
  attachmentBytes: 0,
  ...more,
});

test('sources count by their rates, without the noise of binary fractions', () => {
  expect(nodeUsage({ attachmentsource: 1, small: 3, medium: 1, large: 2 })).toBe(4.3);
});

test.each([
  ['trial accounts', { accountType: 'TRIAL' }],
  ['disabled accounts', { status: 'DISABLED' }],
])('%s are listed, and not summed', (_what, more) => {
  const used = { sources: { ...NO_SOURCES, large: 2 }, smsCount: 5 };
  const { total, accounts } = usageDocument([account(used), account({ ...used, ...more })], NO_LIMITS);
  expect(accounts).toHaveLength(2);
  expect([total.source.usage, total.sms.usage]).toEqual([2, 5]);
});

test('new sources count at the least rate, other nodes nothing', () => {
  const nodes = ['source.data.Jts', 'source.attachment.AttachmentSource', 'location.Location'];
  expect(leastUsageOf(nodes.map((name) => ({ class: name })))).toBe(1);
});
