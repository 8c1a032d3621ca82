import { layOut } from './mail-layout.ts';

const MAIL = {
  subject: 'Two\r\nlines: <b>',
  firstName: '<Jo>',
  paragraphs: ['First & "foremost".', 'Second.'],
  action: { label: 'Go', url: 'https://app.test/a?b=1&c=2', note: 'Once only.' },
  footer: 'You are named.',
};

test('both forms say the same, and the subject stays one line', () => {
  const { subject, text, html } = layOut(MAIL);
  expect(subject).toBe('Two lines: <b>');
  expect(text).toBe(
    'Hello <Jo>,\n\nFirst & "foremost".\n\nSecond.\n\nGo:\nhttps://app.test/a?b=1&c=2\n\nOnce only.\n\n--\nCatchment: You are named.\n',
  );
  for (const part of ['Hello &lt;Jo&gt;,', 'First &amp; &quot;foremost&quot;.', 'Once only.', 'You are named.'])
    expect(html).toContain(part);
  expect(html).toContain('href="https://app.test/a?b=1&amp;c=2"');
});

test('what people have written is never markup', () => {
  const evil = '"><script>alert(1)</script>\'';
  const { html } = layOut({ ...MAIL, firstName: evil, paragraphs: [evil], footer: evil, subject: evil });
  expect(html).not.toContain('<script');
  expect(html.match(/&lt;script&gt;/g)).toHaveLength(4);
});

test('no line begins with what people have written, nor does a text turn the direction', () => {
  const evil = 'Jo\r\nBcc: x@example.org\u2028a\u202eb';
  const { subject, text } = layOut({ ...MAIL, subject: evil, firstName: evil, paragraphs: [evil] });
  expect(subject).toBe('Jo Bcc: x@example.org a b');
  expect(text.match(/^(Hello )?Jo Bcc: x@example.org a b,?$/gm)).toHaveLength(2);
});

test('a mail without anything to do has no button', () => {
  const { action: _none, ...plain } = MAIL;
  expect(layOut(plain).html).not.toContain('<a ');
});

test('facts are a table in one form and lines in the other, whatever is in them', () => {
  const facts = [
    ['Node', '<b>Weir</b>\nBcc: x'],
    ['Value', '5 m'],
  ] as const;
  const { text, html } = layOut({ ...MAIL, facts });
  expect(text).toContain('\n\nNode: <b>Weir</b> Bcc: x\nValue: 5 m\n\nGo:\n');
  expect(html).toContain('&lt;b&gt;Weir&lt;/b&gt; Bcc: x</td>');
  expect(layOut(MAIL).html).not.toContain('<table');
});

test('how to get no more of them stands at the end, a link without its address where links can be shown', () => {
  const url = 'https://app.test/stop?a=1&b=2';
  const { text, html } = layOut({ ...MAIL, stop: { label: 'Stop <these>', url } });
  expect(text).toMatch(/Catchment: You are named\.\nStop <these>:\nhttps:\/\/app\.test\/stop\?a=1&b=2\n$/);
  expect(html).toContain('href="https://app.test/stop?a=1&amp;b=2"');
  expect(html).toContain('>Stop &lt;these&gt;</a>');
});
