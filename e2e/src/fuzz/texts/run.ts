import { until } from '@catchment/testkit';
import type { Installation } from '../../installation.ts';
import { apiEntryPoints } from './api-entry-points.ts';
import { deviceEntryPoints, MAIL_DOMAIN, programOf } from './device-entry-points.ts';
import { brief, type EntryPoint, type Fault, faultOf } from './entry-point.ts';
import { type Beats, startNeighbour } from './neighbour.ts';
import { makeScene } from './scene.ts';
import { largeTexts, type TextClass, textClasses } from './text-classes.ts';

export type TextsRun = {
  readonly faults: readonly Fault[];
  /** The counts by interface. */
  readonly counts: ReadonlyMap<string, { readonly taken: number; readonly refused: number; readonly broken: number }>;
  readonly beats: Beats;
  readonly deadLetters: string;
};

type TextsOptions = {
  readonly seed: number;
  /** Names of interfaces and of classes of texts have these parts; empty: all. */
  readonly entryPoint: string;
  readonly text: string;
  readonly seconds: number;
  readonly say: (line: string) => void;
};

/** An installation that is sent texts needs these. */
export const TEXTS_ENV = {
  RATE_LIMIT_REQUESTS: '0',
  LOG_LEVEL: 'warn',
  SMTP_INTAKE_DOMAIN: MAIL_DOMAIN,
  ACQUISITION_EVENT_SECONDS: '0',
};

const KEPT = { deadlineMs: 90_000, everyMs: 500 };

/** Sends every class of text through every interface, while another account writes and reads. */
export async function sendTexts(installation: Installation, options: TextsOptions): Promise<TextsRun> {
  const { seed, say, seconds } = options;
  const texts = [...textClasses(seed), ...largeTexts()].filter(({ name }) => name.includes(options.text));
  const scene = await makeScene(installation, programOf(texts.map(({ text }) => (text.length > 1_000 ? '' : text))));
  const end = await startNeighbour((await installation.account({ name: 'Neighbour' })).api);
  const devices = await deviceEntryPoints(scene);
  const entryPoints = [...devices.entryPoints, ...apiEntryPoints(scene)].filter(({ name }) =>
    name.includes(options.entryPoint),
  );
  const faults: Fault[] = [];
  const counts: Map<string, { taken: number; refused: number; broken: number }> = new Map();
  const untilMs = performance.now() + seconds * 1_000;
  say(`${texts.length} texts through ${entryPoints.length} interfaces`);
  try {
    for (const entryPoint of entryPoints) {
      if (performance.now() > untilMs) {
        faults.push({ entryPoint: entryPoint.name, text: '', what: `not tried within ${seconds} s` });
        continue;
      }
      const { taken, ...count } = await sendThrough(entryPoint, texts, faults);
      counts.set(entryPoint.name, { ...count, taken: taken.length });
      await compareKept(entryPoint, texts, taken, faults);
      say(`${entryPoint.name}: ${taken.length} taken, ${count.refused} refused, ${count.broken} broken`);
    }
  } finally {
    await devices.close();
  }
  const beats = await end();
  return { faults, counts, beats, deadLetters: await installation.command(['deadletters', 'list']) };
}

async function sendThrough(entryPoint: EntryPoint, texts: readonly TextClass[], faults: Fault[]) {
  const taken: number[] = [];
  const count = { refused: 0, broken: 0 };
  for (const [n, textClass] of texts.entries()) {
    if (textClass.text.length > (entryPoint.longest ?? Number.POSITIVE_INFINITY)) continue;
    const reply = await entryPoint
      .send(textClass.text, n)
      .catch((error: unknown) => ({ kind: 'broken' as const, said: String(error) }));
    if (reply.kind === 'taken') taken.push(n);
    else count[reply.kind] += 1;
    const what = faultOf(entryPoint, textClass, reply);
    if (what !== undefined) faults.push({ entryPoint: entryPoint.name, text: textClass.name, what });
  }
  return { ...count, taken };
}

/** Compares what was taken with what is read back: it may take a moment. */
async function compareKept(
  entryPoint: EntryPoint,
  texts: readonly TextClass[],
  taken: readonly number[],
  faults: Fault[],
) {
  const { kept, keeps = (text: string) => text, hasReported } = entryPoint;
  if (hasReported && taken.some((n) => texts[n]?.isStorable === false))
    await until(hasReported, KEPT).catch(() =>
      faults.push({ entryPoint: entryPoint.name, text: '', what: 'reports to nobody what it cannot keep' }),
    );
  if (!kept) return;
  const expected = taken.flatMap((n) => {
    const textClass = texts[n];
    const text = textClass && keeps(textClass.text);
    return textClass?.isStorable && text !== undefined && text !== '' ? [[n, text] as const] : [];
  });
  let found: ReadonlyMap<number, string> = new Map();
  await until(async () => {
    found = await kept();
    return expected.every(([n]) => found.has(n));
  }, KEPT).catch(() => undefined);
  for (const [n, text] of expected) {
    const read = found.get(n);
    if (read !== text)
      faults.push({
        entryPoint: entryPoint.name,
        text: texts[n]?.name ?? '',
        what: `keeps ${read === undefined ? 'nothing' : brief(read)} of ${brief(text)}`,
      });
  }
}
