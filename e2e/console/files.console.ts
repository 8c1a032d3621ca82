// Files of nodes are added by drop, button and keys; looked at, renamed, deleted. Files of sources, imports and exports say what each read,
// refused, and brought.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { dropFiles, type Given, pdfFile, pictureFile, textFile } from '../src/console/files.ts';
import { picture } from '../src/console/look.ts';
import { administrator, changeBy, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const open = (path: string, person: Person = stage.person, options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, person, { next: `/a/${stage.person.slug}/${path}`, ...options });
const place = async (): Promise<string> => {
  const { api } = stage.installation;
  const more = { parentId: stage.sites.workspaceId, name: unique('Gauge') };
  return (await api.create({ _class: `${MODEL}.location.Location`, ...more }))._id;
};
const textSource = async (parentId: string, more: object = {}): Promise<string> => {
  const parser = {
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'NUMBER', series: 'level' },
    ],
  };
  const source = { _class: `${MODEL}.source.data.TextParser`, parentId, name: 'Logger', parser, ...more };
  return (await stage.installation.api.create(source))._id;
};
const filesIn = async (id: string) =>
  (await stage.installation.api.get(`/nodes?filter=parentId($eq:${id})&attr=_id,name,description,fileName,fileSize`))
    .json as readonly {
    readonly _id: string;
    readonly name: string;
    readonly description?: string;
    readonly fileSize: number;
  }[];
const choose = async (page: Page, files: readonly Given[], isByKeys = false) => {
  const button = page.getByRole('button', { name: 'Choose files' });
  const act = isByKeys ? button.press('Enter') : button.click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), act]);
  await chooser.setFiles(files as Given[]);
};
const rowOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Files of this page' }).getByRole('listitem').filter({ hasText: name });
const JULY = 'time,level\n2024-07-01 00:00,1\n2024-07-01 01:00,3\n';

test('pictures, a document and a table are dropped, seen in small, and looked at by keys', async () => {
  const id = await place();
  const { page, context, problems } = await open(`n/${id}/files`);
  await page.getByText('Up to 100 MiB each, 100 at a time.').waitFor();
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
  await dropFiles(page, [
    await pictureFile('gauge.png', '#1c6b3a'),
    await pictureFile('weir.png', '#17697a'),
    pdfFile('protocol.pdf'),
    textFile('july.csv', JULY),
  ]);
  const grid = page.getByRole('list', { name: 'Files', exact: true });
  await page.getByText('4 files', { exact: true }).waitFor();
  await until(async () => (await grid.locator('img').count()) === 3);
  const isLoaded = `[...document.querySelectorAll('.files-grid img')].every((one) => one.naturalWidth > 0)`;
  await until(async () => (await page.evaluate(isLoaded)) === true);
  await picture(page, 'console-files-grid');
  expect(await violations(page)).toEqual([]);
  const card = grid.getByRole('button', { name: /^gauge/ });
  await card.press('Enter');
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('img', { name: 'gauge' }).waitFor();
  await until(async () => (await page.evaluate(`document.querySelector('.look img').naturalWidth`)) === 900);
  await picture(page, 'console-files-viewer');
  const seen = new Set<string>();
  await page.keyboard.press('Home');
  for (let at = 1; at <= 4; at += 1) {
    await viewer.getByText(`${at} of 4`).waitFor();
    seen.add((await viewer.getByRole('heading').first().textContent()) ?? '');
    if (/protocol/.test([...seen].at(-1)!)) await viewer.getByText('The first page in small.').waitFor();
    if (/july/.test([...seen].at(-1)!)) {
      await viewer.getByRole('cell', { name: 'level' }).waitFor();
      await picture(page, 'console-files-table');
    }
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
  }
  expect([...seen].map((name) => name.replace(/\.\w+$/, '')).sort()).toEqual(['gauge', 'july', 'protocol', 'weir']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(await download.failure()).toBeNull();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(await card.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

test('by keys alone: chosen, renamed and described, made the picture of the place, deleted after a question', async () => {
  const { api } = stage.installation;
  const id = await place();
  const { page, context, problems } = await open(`n/${id}/files`);
  await choose(page, [await pictureFile('site.png', '#8a4b00'), textFile('old.txt', 'low water')], true);
  await rowOf(page, 'old.txt').getByText('is in').waitFor();
  await page.getByText('2 files', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^site/ }).press('Enter');
  const viewer = page.getByRole('dialog').first();
  await viewer.getByLabel('Name', { exact: true }).fill('Weir from the bridge');
  await viewer.getByLabel('Description', { exact: true }).fill('May 2026, at low water');
  await viewer.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByText('Saved.').waitFor();
  await viewer.getByRole('button', { name: 'Use as the picture of this place' }).press('Enter');
  await page.getByText('This is the picture of the place now.').waitFor();
  const files = await filesIn(id);
  const site = files.find(({ name }) => name === 'Weir from the bridge');
  expect(site).toMatchObject({ description: 'May 2026, at low water' });
  expect((await api.get(`/nodes/${id}`)).json.imageAttachmentId).toBe(site?._id);
  await page.keyboard.press('Escape');
  await page.getByText('Picture of this place').waitFor();
  await page.getByRole('button', { name: 'List', exact: true }).press('Enter');
  const table = page.getByRole('grid', { name: 'Files' });
  await table.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete this file?' }).waitFor();
  await picture(page, 'console-files-delete');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect((await filesIn(id)).length).toBe(2);
  await table.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete the file' }).press('Enter');
  await page.getByText('The file is deleted.').waitFor();
  await until(async () => (await filesIn(id)).length === 1);
  // The choice is the person's, and stays.
  await page.getByRole('button', { name: 'Pictures', exact: true }).press('Enter');
  await page.locator('.files-grid').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('names of 255 characters, from right to left, with markup and pictures of letters are text, and nothing of a file runs', async () => {
  const id = await place();
  const { page, context, problems } = await open(`n/${id}/files`);
  const markup = '<img src=x onerror=alert(1)>.svg';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>document.title="run"</script></svg>';
  const long = `${'n'.repeat(251)}.txt`;
  const names = [markup, long, 'مقياس المستوى.txt', '🌊🌡️ depth.txt', 'page.html'];
  await dropFiles(page, [
    textFile(markup, svg, 'image/svg+xml'),
    textFile(long, 'a'),
    textFile(names[2]!, 'b'),
    textFile(names[3]!, 'c'),
    textFile('page.html', '<!doctype html><script>document.title="run"</script><h1>Not ours</h1>', 'text/html'),
  ]);
  await page.getByText('5 files', { exact: true }).waitFor();
  const kept = (await stage.installation.api.get(`/nodes?filter=parentId($eq:${id})&attr=fileName`)).json;
  expect(kept.map(({ fileName }: { fileName: string }) => fileName).sort()).toEqual([...names].sort());
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  await page.getByRole('button', { name: /^page/ }).click();
  await page.getByRole('dialog').getByText('<h1>Not ours</h1>').waitFor();
  await picture(page, 'console-files-names');
  expect(await page.title()).not.toBe('run');
  expect(await page.getByRole('heading', { name: 'Not ours' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('a source of files keeps its newest; a file has a page of its own; all files of a branch are listed with where they lie', async () => {
  const { api } = stage.installation;
  const id = await place();
  const camera = await api.create({
    _class: `${MODEL}.source.attachment.AttachmentSource`,
    parentId: id,
    name: 'Camera',
    fileTypes: ['png'],
    maxAttachments: 2,
  });
  const { page, context, problems } = await open(`n/${camera._id}/files`);
  await page.getByText('The newest 2 are kept.').waitFor();
  await dropFiles(page, [await pictureFile('one.png', '#1c6b3a'), textFile('one.csv', JULY)]);
  await rowOf(page, 'one.csv').getByText('This source does not take files of this type.').waitFor();
  await page.getByRole('button', { name: /^one/ }).getByText('Newest').waitFor();
  // Files that are on their way together come in any order.
  for (const name of ['two', 'three']) {
    await dropFiles(page, [await pictureFile(`${name}.png`, '#17697a')]);
    await page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .getByText('Newest')
      .waitFor();
  }
  await page.getByRole('button', { name: /^one/ }).waitFor({ state: 'detached' });
  const [three] = (await filesIn(camera._id)).filter(({ name }) => name.startsWith('three'));
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${three?._id}/files`);
  await page.getByLabel('Description', { exact: true }).fill('From the bridge');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await until(async () => (await page.evaluate(`document.querySelector('.look img').naturalWidth`)) === 900);
  await picture(page, 'console-files-one');
  expect(await violations(page)).toEqual([]);
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${id}/files`);
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
  await page.getByLabel('With those of all places and folders below').check();
  await page.getByText('2 files', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^three.*Camera/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /^two.*Camera/ }).waitFor();
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${three?._id}/files`);
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await page.waitForURL(new RegExp(`/n/${camera._id}/files`));
  await page.getByText('1 file', { exact: true }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('two people give a file of the same name: both are kept, and each sees the other one come', async () => {
  const id = await place();
  const second = await administrator(stage.installation.api, 'Kim');
  const [first, other] = await Promise.all([open(`n/${id}/files`), open(`n/${id}/files`, second)]);
  await Promise.all([
    dropFiles(first.page, [textFile('notes.txt', 'low water')]),
    dropFiles(other.page, [textFile('notes.txt', 'high water')]),
  ]);
  for (const { page } of [first, other]) await page.getByText('2 files', { exact: true }).waitFor();
  const names = (await filesIn(id)).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  const { json } = await stage.installation.api.get(`/nodes?filter=parentId($eq:${id})&attr=fileName`);
  expect(json.map(({ fileName }: { fileName: string }) => fileName)).toEqual(['notes.txt', 'notes.txt']);
  for (const { context, problems } of [first, other]) {
    expect(problems).toEqual([]);
    await context.close();
  }
});

test('empty, too large, and a connection lost in the middle: said of each, nothing half made, and tried again', async () => {
  const id = await place();
  const { page, context, problems } = await open(`n/${id}/files`);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  // This file of 100 MiB and more costs no memory.
  await page.evaluate(`(() => {
    const part = new Uint8Array(1024 * 1024);
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array.from({ length: 101 }, () => part), 'large.bin'));
    transfer.items.add(new File([], 'empty.txt'));
    document.querySelector('.file-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  })()`);
  await rowOf(page, 'large.bin').getByText('It has 106 MB; a file may have 100 MiB at most.').waitFor();
  await rowOf(page, 'empty.txt').getByText('This file is empty.').waitFor();
  await picture(page, 'console-files-refused');
  expect(await violations(page)).toEqual([]);
  let lost = 0;
  await page.route('**/attachments*', (route) => {
    lost += 1;
    return lost <= 3 ? route.abort('connectionreset') : route.continue();
  });
  await choose(page, [textFile('notes.txt', 'low water')]);
  await rowOf(page, 'notes.txt').getByText('There is no connection to the server.').waitFor();
  expect(await filesIn(id)).toEqual([]);
  await page.getByRole('button', { name: 'Try again: notes.txt' }).click();
  await rowOf(page, 'notes.txt').getByText('is in').waitFor();
  expect((await filesIn(id)).length).toBe(1);
  await page.getByRole('button', { name: 'Empty this list' }).click();
  expect(await page.getByRole('region', { name: 'Files of this page' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('an upload that waits for the server is cancelled; it is in the bell meanwhile, whatever page is shown', async () => {
  const id = await place();
  const { page, context } = await open(`n/${id}/files`);
  const held = Promise.withResolvers<void>();
  await page.route('**/attachments*', async (route) => {
    await held.promise;
    await route.abort().catch(() => undefined);
  });
  await choose(page, [textFile('slow.txt', 'low water')]);
  await rowOf(page, 'slow.txt').getByRole('button', { name: 'Cancel slow.txt' }).waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts of this node' });
  await parts.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('button', { name: /alarm is active|active alarm/ }).click();
  await page.getByRole('region', { name: 'What is under way' }).getByText('1 file for').waitFor();
  await page.keyboard.press('Escape');
  await parts.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel slow.txt' }).click();
  await rowOf(page, 'slow.txt').getByText('was cancelled').waitFor();
  held.resolve();
  expect(await filesIn(id)).toEqual([]);
  await context.close();
});

test('a node that is deleted, and a right that is taken meanwhile: it is said, and nothing is made', async () => {
  const { api } = stage.installation;
  const id = await place();
  const { page, context } = await open(`n/${id}/files`);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  const goOn = Promise.withResolvers<void>();
  await page.route('**/attachments*', async (route) => {
    await goOn.promise;
    await route.continue();
  });
  await choose(page, [textFile('late.txt', 'low water')]);
  expect((await api.delete(`/nodes/${id}`)).status).toBeLessThan(300);
  await page.getByText('This node is not there any more').first().waitFor();
  goOn.resolve();
  await rowOf(page, 'late.txt').getByText('It is not there any more, or you may not see it.').waitFor();
  await rowOf(page, 'late.txt').getByText('None of the file was stored.').waitFor();
  await context.close();

  const other = await place();
  const sam = await userOf(api, stage.sites.workspaceId, 'Configure');
  const second = await open(`n/${other}/files`, sam);
  await second.page.getByRole('button', { name: 'Choose files' }).waitFor();
  const taken = Promise.withResolvers<void>();
  await second.page.route('**/attachments*', async (route) => {
    await taken.promise;
    await route.continue();
  });
  await choose(second.page, [textFile('late.txt', 'low water')]);
  const users = [{ user: sam.email, role: 'View' }];
  expect((await api.post(`/nodes/${stage.sites.workspaceId}/security/subscribe`, { users })).status).toBe(200);
  await second.page.getByText('Your role was changed: what you may not do here any more is not offered.').waitFor();
  taken.resolve();
  await rowOf(second.page, 'late.txt').getByText('You may not do this.').waitFor();
  expect(await second.page.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
  expect(await filesIn(other)).toEqual([]);
  await second.context.close();
});

test('a source shows for each file what it read and refused; a mended parser reads the same file again', async () => {
  const { api } = stage.installation;
  const location = await place();
  const id = await textSource(location);
  const { page, context, problems } = await open(`n/${id}/files`);
  await page.getByRole('heading', { name: 'Give files to this source' }).waitFor();
  await dropFiles(page, [
    textFile('good.csv', JULY),
    textFile('half.csv', 'time,level\n2024-08-01 00:00,1\nsoon,2\n2024-08-01 01:00,3\n'),
    textFile('prose.csv', 'Nobody was at the weir.\nIt rained.\n'),
    { name: 'picture.csv', mimeType: 'text/csv', buffer: (await pictureFile('x.png', '#17697a')).buffer },
  ]);
  await rowOf(page, 'good.csv').getByText('All 2 lines were read. 2 records are stored.').waitFor();
  await rowOf(page, 'half.csv')
    .getByText('2 of 3 lines were read. 2 records are stored. 1 line was left out.')
    .waitFor();
  await rowOf(page, 'half.csv')
    .getByText(/line 3, column 1: 'soon'/)
    .first()
    .waitFor();
  await rowOf(page, 'prose.csv').getByText('None of the file was stored.').waitFor();
  await rowOf(page, 'picture.csv').getByText('None of the file was stored.').waitFor();
  await picture(page, 'console-files-source');
  expect(await violations(page)).toEqual([]);
  // The file is in windows-1252, in which a degree sign is no UTF-8.
  const latin = {
    name: 'latin.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('time,T °C\n2024-09-01 00:00,1\n', 'latin1'),
  };
  await choose(page, [latin]);
  await rowOf(page, 'latin.csv').getByText('The one line was read.').waitFor();
  await choose(page, [textFile('feet.csv', 'time;level\n2024-10-01 00:00;1,5\n2024-10-01 01:00;2,5\n')]);
  await rowOf(page, 'feet.csv').getByText('was not taken').waitFor();
  const parser = {
    delimiter: 'SEMICOLON',
    decimalSeparator: ',',
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'NUMBER', series: 'level' },
    ],
  };
  expect((await api.put(`/nodes/${id}`, { parser })).status).toBe(200);
  await page.getByRole('button', { name: 'Try again: feet.csv' }).click();
  await rowOf(page, 'feet.csv').getByText('All 2 lines were read. 2 records are stored.').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('history is imported on the page of its source, and the import shows its result', async () => {
  const id = await textSource(await place());
  const { page, context, problems } = await open(`n/${id}/files`);
  await page.getByRole('radio', { name: /^History/ }).check();
  await page.getByText('Up to 250 MiB each').waitFor();
  const lines = Array.from({ length: 300 }, (_, i) => `c${i}`).join(',');
  await dropFiles(page, [textFile('july.csv', JULY), textFile('wide.csv', `time,${lines}\n`)]);
  const imports = page.getByRole('list', { name: 'Imports of this source' });
  await imports
    .getByRole('listitem')
    .filter({ hasText: 'july.csv' })
    .getByText('2 records', { exact: false })
    .first()
    .waitFor();
  await imports.getByRole('listitem').filter({ hasText: 'wide.csv' }).getByText('failed').waitFor();
  await dropFiles(page, [textFile('holes.csv', 'time,level\n2024-07-02 00:00,1\nsoon,2\n2024-07-02 02:00,dry\n')]);
  const holes = imports.getByRole('listitem').filter({ hasText: 'holes.csv' });
  await holes.getByText('What was not read, line by line').click();
  const refused = holes.getByRole('region', { name: 'What was not read of holes.csv' });
  await refused.getByRole('row').filter({ hasText: 'soon,2' }).getByText('3', { exact: true }).waitFor();
  await refused.getByRole('row').filter({ hasText: '2024-07-02 02:00,dry' }).getByText("'dry' is no number").waitFor();
  expect(await refused.getByRole('row').count()).toBe(3);
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-files-history');
  expect(problems).toEqual([]);
  await context.close();
});

test('records are exported and imported by forms; the page and the list of jobs show the same', async () => {
  const { sites, installation } = stage;
  const id = await textSource(await place());
  await installation.api.send('POST', `/nodes/${id}/files?name=july.csv`, JULY, { 'Content-Type': 'text/csv' });
  const { page, context, problems } = await open(`transfers/exports?of=${id}`);
  const form = page.getByRole('form', { name: 'New export' });
  await form.getByRole('link', { name: 'Logger' }).waitFor();
  await form.getByLabel('Format', { exact: true }).selectOption('CSV');
  await form.getByLabel('Times in the files').fill('Mars/Base');
  await form.getByRole('button', { name: 'Make the export' }).click();
  await form.getByRole('alert').getByText('This is no time zone').waitFor();
  await form.getByLabel('Times in the files').fill('Etc/UTC');
  await form.getByLabel('From', { exact: true }).fill('2024-07-02T00:00:00');
  await form.getByLabel('To', { exact: true }).fill('2024-07-01T00:00:00');
  await form.getByRole('button', { name: 'Make the export' }).click();
  await form.getByText('«From» must not be after «To».').waitFor();
  await form.getByLabel('From', { exact: true }).fill('');
  await form.getByLabel('To', { exact: true }).fill('');
  await form.getByRole('button', { name: 'Make the export' }).click();
  const line = page.getByRole('list', { name: 'Exports' }).getByRole('listitem').first();
  await line.getByText('done').waitFor();
  await line.getByText('2 records', { exact: false }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    line.getByRole('link', { name: 'Save the file' }).click(),
  ]);
  expect(await file.failure()).toBeNull();
  await picture(page, 'console-transfers-exports');
  expect(await violations(page)).toEqual([]);
  await line.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The export and its file are deleted.').waitFor();

  await page.getByRole('navigation', { name: 'Imports and exports' }).getByRole('link', { name: 'Imports' }).click();
  await choose(page, [textFile('none.csv', 'a,b\n1,2\n')]);
  const imports = page.getByRole('list', { name: 'Imports' });
  const refused = imports.getByRole('listitem').filter({ hasText: 'none.csv' });
  await refused.getByText('failed', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Where it goes' }).fill('Gage height');
  await page
    .getByRole('option', { name: /^Gage height/ })
    .first()
    .click();
  await choose(page, [textFile('level.csv', 'time,level\n2024-07-01 00:00,1\n2024-07-01 01:00,2\n')]);
  await imports.getByRole('listitem').filter({ hasText: 'level.csv' }).getByText('2 records are stored').waitFor();
  await imports.getByRole('link', { name: 'Gage height' }).first().waitFor();
  await picture(page, 'console-transfers-imports');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /alarm is active|active alarm/ }).click();
  const bell = page.getByRole('region', { name: 'What is under way' });
  await bell.getByText('Import of level.csv').waitFor();
  await bell.getByRole('link', { name: 'Imports and exports' }).waitFor();
  const records = (await installation.api.get(`/nodes/${sites.levelId}/historic?limit=5`)).json.data;
  expect(records.some(({ ts }: { ts: string }) => ts.startsWith('2024-07-01'))).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

test.each([
  ['View', { reads: false, adds: false, writes: false, exports: false }],
  ['Operate', { reads: true, adds: false, writes: false, exports: true }],
  ['Configure', { reads: true, adds: true, writes: true, exports: true }],
] as const)('%s: of files is offered what may be done, and all else is refused', async (role, may) => {
  const { api } = stage.installation;
  const id = await place();
  const source = await textSource(id);
  const { _id: fileId } = await api.upload(id, 'low water', 'notes.txt');
  const person = await userOf(api, stage.sites.workspaceId, role);
  const { page, context, problems } = await open(`n/${id}/files`, person);
  await page.getByRole('button', { name: /^notes/ }).click();
  const viewer = page.getByRole('dialog');
  await viewer
    .getByText(may.reads ? 'low water' : 'Your role may see which files there are')
    .first()
    .waitFor();
  expect(await viewer.getByRole('link', { name: 'Download' }).count()).toBe(may.reads ? 1 : 0);
  expect(await viewer.getByRole('button', { name: 'Delete …' }).count()).toBe(may.adds ? 1 : 0);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(may.adds ? 1 : 0);
  await page.goto(new URL(`/a/${stage.person.slug}/n/${source}/files`, page.url()).href);
  await page.getByRole('heading', { name: 'Give files to this source' }).waitFor();
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(may.writes ? 1 : 0);
  expect(await changeBy({ page, context }, 'PUT', `/nodes/${fileId}`, { name: 'Mine' })).toBe(may.adds ? 200 : 403);
  expect(await changeBy({ page, context }, 'POST', '/exports', { nodes: [source] })).toBe(may.exports ? 202 : 403);
  expect(await changeBy({ page, context }, 'DELETE', `/nodes/${fileId}`)).toBe(may.adds ? 200 : 403);
  expect(problems).toEqual([]);
  await context.close();
});

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    width,
    colorScheme,
    locale: (width === 360) === (colorScheme === 'light') ? 'de-DE' : 'en-GB',
  })),
);
test.each(LOOKS)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { api } = stage.installation;
  const id = await place();
  const source = await textSource(id);
  for (const file of [await pictureFile('gauge.png', '#1c6b3a'), pdfFile('protocol.pdf'), textFile('july.csv', JULY)])
    await api.upload(id, Uint8Array.from(file.buffer), file.name);
  const size = { viewport: { width, height: width < 500 ? 780 : 900 } };
  const { page, context, problems } = await open(`n/${id}/files`, stage.person, { ...size, colorScheme, locale });
  for (const [name, address] of [
    ['grid', `n/${id}/files`],
    ['source', `n/${source}/files`],
    ['exports', `transfers/exports?of=${source}`],
    ['imports', `transfers/imports?of=${source}`],
  ] as const) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/${address}`);
    await page
      .locator(name === 'grid' ? '.files-grid img' : '.file-drop, .transfer-form')
      .first()
      .waitFor();
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
    await picture(page, `console-files-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    expect([name, await violations(page)]).toEqual([name, []]);
    if (name !== 'grid') continue;
    await page.locator('.file-card').last().click();
    await page.locator('.look').first().waitFor();
    await picture(page, `console-files-viewer-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    expect(['viewer', await violations(page)]).toEqual(['viewer', []]);
    await page.keyboard.press('Escape');
  }
  expect(problems).toEqual([]);
  await context.close();
});
