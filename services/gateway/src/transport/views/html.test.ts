import { html } from './html.ts';

test('text is escaped, markup and lists of it are not, nothing stays nothing', () => {
  const evil = `<script>"&'`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>',
  );
  expect(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}</ul>`.text).toBe('<ul><li>1</li><li>2</li></ul>');
  expect(html`${false}${null}${undefined}${0}${''}`.text).toBe('0');
  expect(html`${['<a>', html`<b>`]}`.text).toBe('&lt;a&gt;<b>');
});
