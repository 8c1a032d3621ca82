import { textAtField } from './error-text.ts';

test.each([
  ['schedule.time: must be a time such as 06:30', 'must be a time such as 06:30'],
  [
    'Ein Attribut hat einen falschen Wert. Der Server schreibt: template.elements[3].content: must be a text',
    'Ein Attribut hat einen falschen Wert. Der Server schreibt: must be a text',
  ],
  ['The server is away.', 'The server is away.'],
])('at its field a refusal does not name the attribute, in any language: %s', (text, atField) => {
  expect(textAtField(text)).toBe(atField);
});
