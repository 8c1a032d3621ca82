import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runbookPage as readPage } from '../../clients/runbook.ts';
import { runbookPage } from './runbook-page.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../docs/operations/runbook');

test('every page of the runbook is shown, with links to pages that there are', async () => {
  const names = (await readdir(FOLDER)).map((file) => path.basename(file, '.md'));
  for (const name of names) {
    const page = runbookPage((await readPage(name === 'README' ? undefined : name)) as string);
    expect(page).toContain(`<title>${name === 'README' ? 'Runbook' : name} · Catchment</title>`);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link as string);
    const shown = ['/', '/docs/runbook', ...names.map((name) => `/docs/runbook/${name}`)];
    expect(links.filter((link) => !shown.includes(link) && !/^(https?:|data:|\/favicon)/.test(link))).toEqual([]);
  }
});

test('a document that the gateway does not serve is named with its place in the repository', () => {
  const page = runbookPage(
    '# A\n\nSee [Backup](../backup.md#make-one), [B](CatchmentB.md) & <script>alert(1)</script>.\n',
  );
  expect(page).toContain(
    'See Backup (<code>docs/operations/backup.md</code>, make one), <a href="/docs/runbook/CatchmentB">B</a> &amp; &lt;script&gt;',
  );
});

test.each(['README', '../backup', 'Catchment/../README', 'CatchmentNoSuchAlert', 'catchmentServiceDown'])(
  'there is no page of %s',
  async (name) => {
    expect(await readPage(name)).toBeUndefined();
  },
);
