import { type MakerFile, makerDifferences, notSaid, type ReadSeries, until } from '@catchment/testkit';
import { type Api, MODEL } from './api.ts';
import { readAll } from './read-records.ts';

/** A node's class gives the type of its points. */
const TYPES: Readonly<Record<string, string>> = {
  [`${MODEL}.point.NumberPoint`]: 'NUMBER',
  [`${MODEL}.point.TextPoint`]: 'TEXT',
  [`${MODEL}.point.TimePoint`]: 'TIME',
};

type Report = { readonly notes: readonly string[]; readonly [count: string]: unknown };
type Way = { readonly sourceId: string; readonly report: Report };

/** Hands a file over by preview, upload and import, as a person would. @returns what is not as it is to be */
export async function readMakerFile(api: Api, locationId: string, given: MakerFile): Promise<string[]> {
  const file = asStored(given);
  const { name, bytes, timezone, timezoneAdjustForDst, outcome } = file;
  const sourceOf = async (way: string, settings: object = {}) =>
    (
      await api.create({
        _class: `${MODEL}.source.data.TextParser`,
        name: `${name} by ${way}`,
        parentId: locationId,
        timezone,
        timezoneAdjustForDst,
        ...settings,
      })
    )._id;
  const uploaded = await sourceOf('upload');
  const shown = await api.post(`/nodes/${uploaded}/parser/preview`, { sampleBase64: bytes.toString('base64') });
  if (outcome === 'refuses') {
    const imported = await importFile(api, await sourceOf('import'), file);
    const answers = [shown, await upload(api, uploaded, file)];
    const texts = [...answers.map(({ text }) => text), imported.failure ?? ''];
    const statuses = answers.map(({ status }) => status).join();
    return [
      ...(statuses === '400,400' ? [] : [`answers ${statuses}`]),
      ...texts.flatMap((text) => notSaid(file, [text])),
    ];
  }
  if (shown.status !== 200) return [`preview answers ${shown.status}: ${shown.text.slice(0, 300)}`];
  const { proposal, report: sampled } = shown.json;
  const settings = {
    parser: proposal.parser,
    ...(proposal.timezone && {
      timezone: proposal.timezone,
      timezoneAdjustForDst: proposal.timezoneAdjustForDst,
    }),
  };
  const put = await api.put(`/nodes/${uploaded}`, settings);
  if (put.status !== 200) return [`PUT of the proposal answers ${put.status}: ${put.text.slice(0, 300)}`];
  const answer = await upload(api, uploaded, file);
  if (answer.status !== 202) return [`upload answers ${answer.status}: ${answer.text.slice(0, 300)}`];
  const sourceId = await sourceOf('import', settings);
  const imported = await importFile(api, sourceId, file);
  if (!imported.report) return [`import fails: ${imported.failure}`];
  const problems = [
    ...(await problemsOf(api, file, { sourceId: uploaded, report: answer.json.file })).map(
      (problem) => `upload: ${problem}`,
    ),
    ...(await problemsOf(api, file, { sourceId, report: imported.report })).map((problem) => `import: ${problem}`),
    ...notSaid(file, [proposal.why, ...answer.json.file.notes]),
  ];
  const inSample = sampled.notes.map((note: string) => note.replaceAll('the sample', name));
  // A record within which a sample ends is not counted.
  const isOpen = (answer.json.file.notes as string[]).some((note) => note.includes('never closed'));
  const isWhole = bytes.at(-1) === 0x0a && !isOpen;
  if (isWhole && JSON.stringify(inSample) !== JSON.stringify(answer.json.file.notes))
    problems.push(`the preview says ${inSample}, the upload ${answer.json.file.notes}`);
  return problems;
}

/** Truth values are numbers in the store. */
function asStored(file: MakerFile): MakerFile {
  const series = file.series.map((expected) => {
    if (expected.type !== 'BOOLEAN') return expected;
    return {
      ...expected,
      type: 'NUMBER',
      records: new Map([...expected.records].map(([ms, value]) => [ms, Number(value)])),
    };
  });
  return { ...file, series };
}

const upload = (api: Api, sourceId: string, { name, bytes }: MakerFile) =>
  api.send('POST', `/nodes/${sourceId}/files?name=${encodeURIComponent(name)}`, bytes, { 'Content-Type': 'text/csv' });

async function importFile(
  api: Api,
  sourceId: string,
  { name, bytes }: MakerFile,
): Promise<{ readonly report: Report | null; readonly failure: string | null }> {
  const form = new FormData();
  form.append('format', 'TEXT');
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  // At most five files of an account wait.
  const begun = await until(async () => {
    const answer = await api.post(`/nodes/${sourceId}/import`, form);
    return answer.status !== 429 && answer;
  });
  if (begun.status !== 202) return { report: null, failure: begun.text };
  return until(async () => {
    const { json } = await api.get(`/imports/${begun.json.import._id}`);
    return (json.state === 'DONE' || json.state === 'FAILED') && json;
  });
}

async function problemsOf(api: Api, file: MakerFile, { sourceId, report }: Way): Promise<string[]> {
  const counts = {
    failed: Number(report.lines) - Number(report.parsed),
    unreadable: report.unreadableFields,
    repeated: report.repeated,
  };
  const wrong = Object.entries(counts).flatMap(([count, value]) => {
    const expected = file[count as keyof typeof counts];
    return value === expected ? [] : [`${count} is ${value}, not ${expected}`];
  });
  let found: string[] = [];
  // Records can be read a moment after they are in the log.
  await until(async () => {
    found = makerDifferences(file, await seriesOf(api, sourceId));
    return found.length === 0;
  }).catch(() => undefined);
  const reported = await until(async () => {
    const { json } = await api.get(`/nodes/${sourceId}/events`);
    const messages: string[] = json.map(({ message }: { message: string }) => message);
    const missing = report.notes.filter((note) => !messages.includes(note.slice(0, 500)));
    return missing.length === 0 && [];
  }).catch(() => [`no event for ${report.notes.join()}`]);
  return [...wrong, ...found, ...reported];
}

async function seriesOf(api: Api, sourceId: string): Promise<ReadonlyMap<string, ReadSeries>> {
  const { json } = await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,_class,series,units`);
  const ids = new Map<string, string>(json.map((node: { series: string; _id: string }) => [node.series, node._id]));
  const records = await readAll(api, ids);
  return new Map(
    json.map(({ _class, series, units }: { _class: string; series: string; units?: string }) => {
      const read = [...(records.get(series) ?? [])].map(([ms, { v }]) => [ms, v] as const);
      return [series, { units: units ?? '', type: TYPES[_class] ?? _class, records: new Map(read) }];
    }),
  );
}
