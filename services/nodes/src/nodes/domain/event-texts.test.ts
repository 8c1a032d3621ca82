import { updateMessages } from './event-texts.ts';

test.each([
  [['name'], ["Rename node 'a' to 'b'"]],
  [['isEnabled'], ['Source disabled']],
  [['units', 'format'], ['Updated units, format']],
  [
    ['name', 'isEnabled', 'metadata'],
    ["Rename node 'a' to 'b'", 'Source disabled', 'Updated metadata'],
  ],
])('a change of %j says %j', (changed, messages) =>
  expect(updateMessages(changed, { name: 'a' }, { name: 'b', isEnabled: false })).toEqual(messages),
);
