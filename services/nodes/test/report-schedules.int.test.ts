import { randomBytes } from 'node:crypto';
import { RetryAfter } from '@catchment/bus';
import { ReportDue } from '@catchment/contracts/nodes-messages';
import { type RenderReportRequest, RenderServiceService } from '@catchment/contracts/render';
import { tooLarge, unavailable } from '@catchment/errors';
import { CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { type MailSender, smtpSender } from '@catchment/mail';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { updateAccount } from '../src/accounts/index.ts';
import { sweepFiles } from '../src/files/index.ts';
import { stopEmails } from '../src/notifications/index.ts';
import {
  forgetRuns,
  listRuns,
  mailReport,
  makeDueReport,
  nextTimes,
  reportRenderer,
  runReport,
  startReportMails,
  takeDueReports,
} from '../src/schedules/index.ts';
import { claimRun } from '../src/schedules/store/pg-runs.ts';
import { lockDue } from '../src/schedules/store/schedules-query.ts';
import { KEPT_MS, MAX_PDF_BYTES } from '../src/schedules/usecases/make-report.ts';
import { SharedViews } from '../src/views/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, peopleClient, tokenOf } from './people-client.ts';
import { type SecurityClient, securityClient } from './security-client.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** At 06:00 of Sydney it is a Thursday. */
const DUE = Date.parse('2024-05-15T20:00:00Z');
const DAILY = { type: 'DAILY', time: '06:00' };
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_200_000)]);

let f: Fixture;
let server: TestMailServer;
let sender: ReturnType<typeof smtpSender>;
let render: Awaited<ReturnType<typeof fakeRender>>;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let security: SecurityClient;
let workspace: Json;

const notAsked = (): never => {
  throw new Error('only reports are asked for');
};

/** Starts a render service that answers what the test says, by the real protocol. */
async function fakeRender() {
  const asked: { request: RenderReportRequest; service: unknown }[] = [];
  const answers = {
    next: (): AsyncIterable<Buffer> | Iterable<Buffer> => [PDF.subarray(0, 700_000), PDF.subarray(700_000)],
  };
  const running = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log: f.log })
    .add(RenderServiceService, {
      async *renderReport(request, { caller }) {
        asked.push({ request, service: caller.kind === 'service' && caller.service });
        for await (const data of answers.next()) yield { data, contentType: 'application/pdf', revision: '' };
      },
      renderChart: () => notAsked(),
      renderPreview: () => notAsked(),
    })
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(RenderServiceService, `127.0.0.1:${running.port}`);
  return {
    asked,
    answers,
    client,
    close: async () => {
      client.close();
      await running.close();
    },
  };
}

beforeAll(async () => {
  [f, server] = await Promise.all([openFixture(), testMailServer()]);
  render = await fakeRender();
  sender = smtpSender({
    host: '127.0.0.1',
    port: server.port,
    security: 'off',
    login: undefined,
    from: 'Catchment <catchment@example.org>',
  });
});
afterAll(async () => {
  sender.close();
  await render.close();
  await f.close();
  await server.close();
});
beforeEach(async () => {
  await f.database.query('DELETE FROM report_schedules');
  await f.database.query('DELETE FROM report_runs');
  render.asked.length = 0;
  render.answers.next = () => [PDF.subarray(0, 700_000), PDF.subarray(700_000)];
  server.refuse(() => undefined);
  f.clock.nowMs = DUE - 10 * MINUTE;
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
  security = await securityClient(f, mine.caller);
  workspace = await mine.create('Workspace', 'Site');
});

const deps = () => ({
  ...f,
  appUrl: 'https://app.test',
  mailSender: sender,
  renderer: reportRenderer(render.client, f.signer, 20_000),
});
const running = new AbortController().signal;

/** Makes a report of Sydney with a schedule, whose due time has been computed. */
async function report(change: object = {}, name = 'Weekly «Pegel»') {
  const made = await mine.create('Report', name, workspace._id, {
    schedule: DAILY,
    timezone: 'Australia/Sydney',
    ...change,
  });
  await takeDueReports(deps());
  return made;
}

/** Does what a replica does at a moment; @returns how many reports were made or failed */
async function work(atMs: number): Promise<number> {
  f.clock.nowMs = atMs;
  await takeDueReports(deps());
  let count = 0;
  while (await makeDueReport(deps(), running)) count += 1;
  return count;
}

const dueOf = async ({ _id }: Json) =>
  (
    await f.database.query<{ due_ms: number | null; is_stale: boolean }>(
      'SELECT due_ms, is_stale FROM report_schedules WHERE node_id = $1',
      [_id],
    )
  ).rows[0];

/** Returns events of a report, once there are this many. */
const eventsOf = async ({ _id }: Json, count: number) => {
  const found = () => f.published.events.filter((event) => event.nodeId === _id && event.eventType === 'NOTIFICATION');
  await until(() => found().length >= count, { what: `${count} events` });
  return found().map(({ level, message }) => `${level} ${message}`);
};

/** Somebody who may see the workspace, active, and subscribed to reports. */
async function subscriber(...reports: readonly Json[]): Promise<string> {
  const email = newEmail();
  const { added } = await security.grant(workspace._id, { users: [{ user: email, role: 'View' }] });
  await peopleClient(f).use(tokenOf(added[0]?.profileActivateUrl), {});
  for (const report of reports) await security.subscribe(report._id, { users: [{ user: email }] });
  return email;
}

/** Works off the queue of mails until a condition holds. */
async function mailing(done: () => unknown): Promise<void> {
  const reader = startReportMails(f.bus, deps());
  try {
    await until(() => Boolean(done()), { what: 'mails' });
  } finally {
    await reader.stop();
  }
}
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
/** Takes mails that the outbox asks for from the queue without sending them. */
async function queued(count: number): Promise<ReportDue[]> {
  const found: ReportDue[] = [];
  const reader = f.bus.readQueue('nodes-reports', async ({ data }) => void found.push(ReportDue.decode(data)));
  await until(() => found.length >= count, { what: `${count} queued mails` });
  await reader.stop();
  return found;
}
/** Returns files of the account that the store has, or may have. */
const files = async () =>
  (await f.database.query('SELECT file_id FROM files WHERE owner_id = $1', [mine.ownerId])).rows;

test('at its due time a report is made and mailed to its subscribers, with events', async () => {
  const scheduled = await report();
  const email = await subscriber(scheduled);
  expect(await work(DUE - 1)).toBe(0);
  expect(await work(DUE + 2_000)).toBe(1);
  expect(render.asked).toMatchObject([
    {
      service: 'nodes',
      request: { nodeRef: scheduled._id, ownerId: mine.ownerId, arguments: { nowTime: '2024-05-15T20:00:00.000Z' } },
    },
  ]);
  await mailing(() => mailsTo(email).length > 0);
  const [mail] = mailsTo(email);
  const { accountName, slug } = (await owner.get()) as unknown as { accountName: string; slug: string };
  expect(mail?.subject).toBe(`[${accountName}] Weekly «Pegel»: report of 16/05/2024 06:00`);
  expect(mail?.text).toContain('The report Weekly «Pegel» of 16/05/2024 06:00 is attached as a PDF.');
  expect(mail?.text).toContain(`Report: ${slug}/Site/Weekly «Pegel»\nTime: 16/05/2024 06:00 (Australia/Sydney)`);
  expect(mail?.text).toContain(
    `https://app.test/a/${slug}/n/${scheduled._id}/report?nowTime=2024-05-15T20%3A00%3A00.000Z`,
  );
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail?.attachments).toMatchObject([{ fileName: 'Weekly «Pegel».pdf', contentType: 'application/pdf' }]);
  expect(mail?.attachments[0]?.bytes.equals(PDF)).toBe(true);
  expect(await eventsOf(scheduled, 2)).toEqual(['DEBUG Generated report', `DEBUG Sent report to ${email}`]);
  expect(await dueOf(scheduled)).toEqual({ due_ms: DUE + DAY, is_stale: false });
  // The schedule makes nothing more on this day, and no bytes are left.
  expect(await work(DUE + 30 * MINUTE)).toBe(0);
  await sweepFiles(deps());
  expect(await files()).toEqual([]);
});

test('a report that nobody is subscribed to is made all the same, and kept for nobody', async () => {
  const scheduled = await report();
  expect(await work(DUE)).toBe(1);
  expect(await eventsOf(scheduled, 1)).toEqual(['DEBUG Generated report']);
  await sweepFiles(deps());
  expect(await files()).toEqual([]);
});

test.each([
  ['59 minutes late it is made once', 59, 1, 'DEBUG Generated report'],
  [
    '61 minutes late it is left out',
    61,
    0,
    'WARNING Report not made: it was due at 2024-05-15T20:00:00.000Z, an hour ago or more',
  ],
])('%s', async (_what, minutes, count, event) => {
  const scheduled = await report();
  expect(await work(DUE + minutes * MINUTE)).toBe(count);
  expect(await eventsOf(scheduled, 1)).toEqual([event]);
  expect(await dueOf(scheduled)).toEqual({ due_ms: DUE + DAY, is_stale: false });
});

test('several replicas at once make each report once', async () => {
  const reports = [];
  for (let i = 0; i < 6; i += 1) reports.push(await report({}, `Report ${i}`));
  f.clock.nowMs = DUE;
  await Promise.all(Array.from({ length: 4 }, () => takeDueReports(deps())));
  const replica = async () => {
    while (await makeDueReport(deps(), running));
  };
  await Promise.all(Array.from({ length: 4 }, replica));
  expect(render.asked.map(({ request }) => request.nodeRef).sort()).toEqual(reports.map(({ _id }) => _id).sort());
  for (const report of reports) expect(await eventsOf(report, 1)).toEqual(['DEBUG Generated report']);
});

test('what one replica has in hand another one passes over, without waiting for it', async () => {
  const [first, second] = [await report({}, 'First'), await report({}, 'Second')];
  f.clock.nowMs = DUE;
  await f.database.transaction(async (tx) => {
    const due = await lockDue(tx, DUE, 1);
    expect(await f.database.transaction((other) => lockDue(other, DUE, 9))).toHaveLength(1);
    expect(due).toHaveLength(1);
  });
  await takeDueReports(deps());
  const taken = await f.database.transaction(async (tx) => [
    (await claimRun(tx, DUE, MINUTE))?.nodeId,
    (await claimRun(f.database, DUE, 0))?.nodeId,
  ]);
  expect(taken.sort()).toEqual([first._id, second._id].sort());
});

test('accounts take turns', async () => {
  for (let i = 0; i < 3; i += 1) await report({}, `First ${i}`);
  const first = mine.ownerId;
  mine = await f.account();
  workspace = await mine.create('Workspace', 'Site');
  await report({}, 'Second');
  await work(DUE);
  expect(
    render.asked
      .slice(0, 2)
      .map(({ request }) => request.ownerId)
      .sort(),
  ).toEqual([first, mine.ownerId].sort());
});

describe('the schedule is followed', () => {
  test.each([
    ['another time', { schedule: { ...DAILY, time: '07:00' } }, DUE + HOUR],
    ['another zone', { timezone: 'Australia/Brisbane' }, DUE],
    [
      'a zone without DST',
      { timezone: 'Europe/London', timezoneAdjustForDst: false },
      Date.parse('2024-05-16T06:00:00Z'),
    ],
    ['another day', { schedule: { type: 'WEEKLY', days: ['FRI'], time: '06:00' } }, DUE + DAY],
    ['no schedule', { schedule: null }, null],
    ['a schedule that is switched off', { schedule: { ...DAILY, enabled: false } }, null],
  ])('by %s', async (_what, change, expected) => {
    const scheduled = await report();
    expect(await dueOf(scheduled)).toEqual({ due_ms: DUE, is_stale: false });
    await mine.update(scheduled._id, change);
    expect(await dueOf(scheduled)).toMatchObject({ is_stale: true });
    await takeDueReports(deps());
    expect(await dueOf(scheduled)).toEqual({ due_ms: expected, is_stale: false });
  });

  test('other changes leave it alone', async () => {
    const scheduled = await report();
    await mine.update(scheduled._id, { name: 'Other', description: 'x' });
    expect(await dueOf(scheduled)).toEqual({ due_ms: DUE, is_stale: false });
  });

  test('a report without a schedule has no row until it gets one', async () => {
    const scheduled = await report({ schedule: null });
    expect(await dueOf(scheduled)).toBeUndefined();
    await mine.update(scheduled._id, { schedule: DAILY });
    await takeDueReports(deps());
    expect(await dueOf(scheduled)).toEqual({ due_ms: DUE, is_stale: false });
  });

  test('a report that is switched off and on again on its day is not made twice', async () => {
    const scheduled = await report();
    await work(DUE);
    for (const enabled of [false, true])
      await mine.update(scheduled._id, { schedule: { ...DAILY, time: '18:00', enabled } });
    expect(await work(DUE + HOUR)).toBe(0);
    expect(await dueOf(scheduled)).toMatchObject({ due_ms: DUE + DAY + 12 * HOUR });
  });

  test('a deleted report is not made, not even if it was due', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    await mine.remove(scheduled._id);
    await work(DUE + 1);
    expect(render.asked).toEqual([]);
    expect(await dueOf(scheduled)).toBeUndefined();
  });

  test('a clone has a schedule of its own', async () => {
    const scheduled = await report();
    const [clone] = await mine.clone(scheduled._id, { parentId: workspace._id });
    await takeDueReports(deps());
    expect(await dueOf(clone!)).toEqual({ due_ms: DUE, is_stale: false });
  });

  test('a template is never due, its instances are, and follow it', async () => {
    const templates = await mine.create('Templates', 'Templates');
    const station = await mine.create('location.Location', 'Station', templates._id);
    const made = await mine.create('Report', 'Daily', station._id, { schedule: DAILY, timezone: 'Australia/Sydney' });
    const [instance] = await mine.clone(station._id, { parentId: workspace._id }, { type: 'TREE' });
    const own = instance?.children.find(({ name }) => name === 'Daily');
    await takeDueReports(deps());
    expect([await dueOf(made), await dueOf(own!)]).toEqual([
      { due_ms: null, is_stale: false },
      { due_ms: DUE, is_stale: false },
    ]);
    await mine.update(made._id, { schedule: { ...DAILY, time: '07:00' } });
    await takeDueReports(deps());
    expect(await dueOf(own!)).toMatchObject({ due_ms: DUE + HOUR });
    await work(DUE + HOUR);
    expect(render.asked.map(({ request }) => request.nodeRef)).toEqual([own?._id]);
  });

  test('a disabled account has nothing made, and goes on with the next day when it is enabled', async () => {
    const scheduled = await report();
    await updateAccount(deps(), { account: mine.ownerId, status: 'DISABLED' });
    expect(await work(DUE)).toBe(0);
    await updateAccount(deps(), { account: mine.ownerId, status: 'ACTIVE' });
    expect(await work(DUE + MINUTE)).toBe(0);
    expect(await work(DUE + DAY)).toBe(1);
    expect(await eventsOf(scheduled, 1)).toEqual(['DEBUG Generated report']);
  });

  test('an account that is disabled after its report was due has it not made', async () => {
    await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    await updateAccount(deps(), { account: mine.ownerId, status: 'DISABLED' });
    await work(DUE + 1);
    expect(render.asked).toEqual([]);
  });
});

describe('a report that cannot be made has an ERROR event, and is not tried again that day', () => {
  async function* broken() {
    yield PDF.subarray(0, 600_000);
    throw tooLarge('report: more than 1000 pages');
  }
  test.each([
    ['it is too large for the renderer', () => broken(), 'report: more than 1000 pages'],
    [
      'the renderer is away',
      () => Promise.reject(unavailable('PEER_UNAVAILABLE')) as never,
      'Service temporarily unavailable',
    ],
    ['the renderer answers nothing', () => [], 'the render service has answered nothing'],
    [
      'no mail could hold it',
      () => Array.from({ length: 20 }, () => Buffer.alloc(MAX_PDF_BYTES / 19)),
      'its PDF has more than the 18 MB that a mail can hold',
    ],
  ])('%s', async (_what, answer, reason) => {
    const scheduled = await report();
    await subscriber(scheduled);
    render.answers.next = async function* () {
      yield* await answer();
    };
    expect(await work(DUE)).toBe(1);
    expect(await work(DUE + 10 * MINUTE)).toBe(0);
    expect(render.asked).toHaveLength(1);
    expect(await eventsOf(scheduled, 1)).toEqual([`ERROR Report not made: ${reason}`]);
    expect(await files()).toEqual([]);
    expect(await dueOf(scheduled)).toMatchObject({ due_ms: DUE + DAY });
  });

  test('no renderer is configured', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    await makeDueReport({ ...deps(), renderer: undefined }, running);
    expect(await eventsOf(scheduled, 1)).toEqual(['ERROR Report not made: no render service is configured']);
  });

  test('a report of one account keeps no other waiting', async () => {
    await report({}, 'Bad');
    await report({}, 'Good');
    let count = 0;
    render.answers.next = () => (count++ === 0 ? [] : [PDF]);
    expect(await work(DUE)).toBe(2);
  });
});

describe('a process that ends', () => {
  test('before the PDF is there leaves the run to another, when its lease is over', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    const dying = { ...deps(), objects: { ...f.objects, put: () => new Promise<never>(() => {}) } } as never;
    void makeDueReport(dying, running);
    await until(() => render.asked.length === 1, { what: 'rendering' });
    expect(await work(DUE + MINUTE)).toBe(0);
    expect(await work(DUE + 4 * MINUTE)).toBe(1);
    expect(await eventsOf(scheduled, 1)).toEqual(['DEBUG Generated report']);
    // The files that the dead process had stored are swept away.
    f.clock.nowMs = DUE + HOUR;
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });

  test('in order gives its run back at once', async () => {
    await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    const stopping = new AbortController();
    render.answers.next = async function* () {
      yield PDF.subarray(0, 10);
      stopping.abort();
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    };
    expect(await makeDueReport(deps(), stopping.signal)).toBe(false);
    render.answers.next = () => [PDF];
    expect(await work(DUE + 1)).toBe(1);
  });

  test('and comes back late does not send a second time', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      ...deps(),
      renderer: {
        maxMs: 20_000,
        render: async function* () {
          yield PDF;
          await held;
        },
      },
    };
    const late = makeDueReport(slow, running);
    await until(async () => (await files()).length === 1, { what: 'a file' });
    expect(await work(DUE + 4 * MINUTE)).toBe(1);
    goOn();
    await late;
    await mailing(() => mailsTo(email).length > 0);
    expect(await eventsOf(scheduled, 2)).toEqual(['DEBUG Generated report', `DEBUG Sent report to ${email}`]);
    expect(mailsTo(email)).toHaveLength(1);
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });

  test('each time: the report is given up', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    const dying = { ...deps(), objects: { ...f.objects, put: () => new Promise<never>(() => {}) } } as never;
    for (let i = 1; i <= 3; i += 1) {
      void makeDueReport(dying, running);
      await until(() => render.asked.length === i, { what: 'rendering' });
      f.clock.nowMs += 4 * MINUTE;
    }
    expect(await work(f.clock.nowMs)).toBe(1);
    expect(render.asked).toHaveLength(3);
    expect(await eventsOf(scheduled, 1)).toEqual(['ERROR Report not made: 3 attempts were interrupted']);
  });

  test('and all others too, for an hour: the run is left out', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    expect(await work(DUE + HOUR)).toBe(1);
    expect(render.asked).toEqual([]);
    expect(await eventsOf(scheduled, 1)).toEqual([
      'WARNING Report not made: it was due at 2024-05-15T20:00:00.000Z, an hour ago or more',
    ]);
  });

  test('a store that is away fails nothing: the run is begun again', async () => {
    const scheduled = await report();
    f.clock.nowMs = DUE;
    await takeDueReports(deps());
    const away = {
      ...deps(),
      objects: { ...f.objects, put: () => Promise.reject(unavailable('FILE_STORE_UNAVAILABLE')) },
    };
    await expect(makeDueReport(away as never, running)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await work(DUE + 4 * MINUTE)).toBe(1);
    expect(await eventsOf(scheduled, 1)).toEqual(['DEBUG Generated report']);
  });
});

describe('mails', () => {
  test('go to subscribers and members of subscribed groups, each once, whatever their categories', async () => {
    const scheduled = await report();
    const [ann, bob, eve] = [await subscriber(scheduled), await subscriber(), await subscriber()];
    await owner.createGroups([{ name: 'Crew', users: [{ user: ann }, { user: bob }] }]);
    await security.grant(workspace._id, { groups: [{ group: 'Crew', role: 'View' }] });
    await security.subscribe(scheduled._id, { groups: [{ group: 'Crew' }] });
    await work(DUE);
    await mailing(() => mailsTo(ann).length + mailsTo(bob).length === 2);
    expect([mailsTo(ann).length, mailsTo(bob).length, mailsTo(eve).length]).toEqual([1, 1, 0]);
    expect((await eventsOf(scheduled, 3)).sort()).toEqual(
      ['DEBUG Generated report', `DEBUG Sent report to ${ann}`, `DEBUG Sent report to ${bob}`].sort(),
    );
  });

  test.each([
    [
      'is no longer subscribed',
      (asked: Json, email: string) => security.unsubscribe(asked._id, { users: [{ user: email }] }),
    ],
    [
      'may no longer see it',
      (_one: Json, email: string) => security.revoke(workspace._id, { users: [{ user: email }] }),
    ],
    ['is of an account that is disabled', () => updateAccount(deps(), { account: mine.ownerId, status: 'DISABLED' })],
  ])('do not go to somebody who by now %s', async (_what, change) => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    await work(DUE);
    const [due] = await queued(1);
    await change(scheduled, email);
    await mailReport(deps(), due!, 0);
    expect(mailsTo(email)).toEqual([]);
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });

  test('as large as they may be arrive whole', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    const chunk = randomBytes(MAX_PDF_BYTES / 45);
    render.answers.next = () => Array.from({ length: 45 }, () => chunk);
    await work(DUE);
    await mailing(() => mailsTo(email).length > 0);
    const bytes = mailsTo(email)[0]?.attachments[0]?.bytes;
    expect(bytes?.equals(Buffer.concat(Array.from({ length: 45 }, () => chunk)))).toBe(true);
  });

  test('hold two PDFs in memory at a time, however many are due', async () => {
    const scheduled = await report();
    const people = [];
    for (let i = 0; i < 5; i += 1) people.push(await subscriber(scheduled));
    await work(DUE);
    const seen: number[] = [];
    const inHand: (() => void)[] = [];
    const mailSender: MailSender = {
      send: () =>
        new Promise((resolve) => {
          inHand.push(resolve);
          seen.push(inHand.length);
        }),
      close: () => {},
    };
    const reader = startReportMails(f.bus, { ...deps(), mailSender });
    for (const left of [5, 3, 1]) {
      await until(() => inHand.length >= Math.min(left, 2), { what: 'mails in hand' });
      for (const sent of inHand.splice(0)) sent();
    }
    await until(() => seen.length === people.length, { what: 'all mails' });
    await reader.stop();
    expect(Math.max(...seen)).toBe(2);
  });

  test('come once, however often they are asked for', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    await work(DUE);
    const [due] = await queued(1);
    await mailReport(deps(), due!, 0);
    await mailReport(deps(), due!, 0);
    expect(mailsTo(email)).toHaveLength(1);
    expect(mailsTo(email)[0]?.messageId).toBe(`<${due?.deliveryId}@example.org>`);
    expect(await eventsOf(scheduled, 2)).toHaveLength(2);
  });

  test('that the server does not take are tried for 15 minutes, then a WARNING event reports it', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    await work(DUE);
    const [due] = await queued(1);
    server.refuse(() => 451);
    for (const ageMs of [0, 5 * MINUTE]) await expect(mailReport(deps(), due!, ageMs)).rejects.toThrow(RetryAfter);
    await mailReport(deps(), due!, 15 * MINUTE);
    expect(await eventsOf(scheduled, 2)).toEqual([
      'DEBUG Generated report',
      `WARNING Report not sent to ${email}: EENVELOPE 451`,
    ]);
  });

  test('whose PDF is kept no longer are given up', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    await work(DUE);
    const [due] = await queued(1);
    f.clock.nowMs = DUE + KEPT_MS + 1;
    await sweepFiles(deps());
    await mailReport(deps(), due!, KEPT_MS);
    expect(await eventsOf(scheduled, 2)).toContain(`WARNING Report not sent to ${email}: its PDF is kept no longer`);
  });

  test('without a mail server are only logged', async () => {
    const scheduled = await report();
    await subscriber(scheduled);
    await work(DUE);
    const [due] = await queued(1);
    await mailReport({ ...deps(), mailSender: undefined }, due!, 0);
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });

  test('keep the PDF until the last of them', async () => {
    const scheduled = await report();
    const people = [await subscriber(scheduled), await subscriber(scheduled)];
    await work(DUE);
    const due = await queued(2);
    await mailReport(deps(), due[0]!, 0);
    await sweepFiles(deps());
    await mailReport(deps(), due[1]!, 0);
    for (const email of people) expect(mailsTo(email)[0]?.attachments[0]?.bytes.equals(PDF)).toBe(true);
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });

  test('have a link that stops them, also for members of a group, until they subscribe again', async () => {
    const scheduled = await report();
    const [ann, bob] = [await subscriber(scheduled), await subscriber()];
    await owner.createGroups([{ name: 'Crew', users: [{ user: ann }, { user: bob }] }]);
    await security.grant(workspace._id, { groups: [{ group: 'Crew', role: 'View' }] });
    await security.subscribe(scheduled._id, { groups: [{ group: 'Crew' }] });
    await work(DUE);
    await mailing(() => mailsTo(ann).length + mailsTo(bob).length === 2);
    const mail = mailsTo(ann)[0];
    const [, token = ''] = /auth\/unsubscribe\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
    expect(JSON.stringify([...(mail?.headers ?? [])])).toContain(token);
    for (let i = 0; i < 2; i += 1) await stopEmails(f, token);
    await until(() => f.published.messagesOf(scheduled._id).includes(`Unsubscribed ${ann} from notifications`), {
      what: 'event',
    });
    await work(DUE + DAY);
    await mailing(() => mailsTo(bob).length === 2);
    expect(mailsTo(ann)).toHaveLength(1);
    await security.subscribe(scheduled._id, { users: [{ user: ann }] });
    await work(DUE + 2 * DAY);
    await mailing(() => mailsTo(ann).length === 2);
    expect(f.published.messagesOf(scheduled._id).filter((text) => text.startsWith('Unsubscribed'))).toHaveLength(1);
  });

  test('count among the e-mails of an hour', async () => {
    const scheduled = await report();
    const email = await subscriber(scheduled);
    await f.database.query(
      `INSERT INTO notification_counts (user_id, channel, hour_ms, count) SELECT user_id, 'email', $2, 100 FROM users WHERE address = $1`,
      [email, Math.floor(DUE / HOUR) * HOUR],
    );
    await work(DUE);
    expect(await eventsOf(scheduled, 1)).toEqual(['DEBUG Generated report']);
    const { rows } = await f.database.query('SELECT template FROM mails WHERE recipient = $1 AND template = $2', [
      email,
      'held-back',
    ]);
    expect(rows).toHaveLength(1);
    await sweepFiles(deps());
    expect(await files()).toEqual([]);
  });
});

describe('what has become of reports', () => {
  const runDeps = () => ({ ...f, shared: new SharedViews(f.database) });
  const list = (asked: Json) => listRuns(runDeps(), mine.caller, asked._id);
  const ask = (asked: Json) => runReport(runDeps(), mine.caller, asked._id);

  test('one that is asked for waits, is made as of that moment and sent, and its mails are reported', async () => {
    const scheduled = await report({ schedule: null });
    const [ann, bob] = [await subscriber(scheduled), await subscriber(scheduled)];
    const { time } = (await ask(scheduled)) as { time: string };
    expect(await list(scheduled)).toMatchObject({
      runs: [{ time, state: 'WAITING', askedBy: mine.caller.username, problem: null, mails: [] }],
      recipients: [ann, bob].sort(),
    });
    await expect(ask(scheduled)).rejects.toMatchObject({ reason: 'REPORT_IS_MADE' });
    await makeDueReport(deps(), running);
    expect(render.asked[0]?.request.arguments).toEqual({ nowTime: time });
    await security.unsubscribe(scheduled._id, { users: [{ user: bob }] });
    await mailing(() => mailsTo(ann).length === 1);
    const over = async () => JSON.stringify((await list(scheduled)).runs).includes('NOT_SENT');
    await until(over, { what: 'end of the mails' });
    const { runs } = (await list(scheduled)) as { runs: { mails: object[] }[] };
    expect(runs).toMatchObject([{ state: 'MADE', problem: null }]);
    expect(runs[0]?.mails).toHaveLength(2);
    expect(runs[0]?.mails).toContainEqual({ email: ann, state: 'SENT', problem: null });
    expect(runs[0]?.mails).toContainEqual({
      email: bob,
      state: 'NOT_SENT',
      problem: expect.stringContaining('not subscribed any more'),
    });
  });

  test('one of a template is not made: its instances are', async () => {
    const templates = await mine.create('Templates', 'Templates');
    const station = await mine.create('location.Location', 'Station', templates._id);
    const made = await mine.create('Report', 'Daily', station._id, { schedule: DAILY });
    await expect(ask(made)).rejects.toMatchObject({ kind: 'failed_precondition', reason: 'REPORT_IN_TEMPLATE' });
    const [instance] = await mine.clone(station._id, { parentId: workspace._id }, { type: 'TREE' });
    expect(await ask(instance!.children.find(({ name }) => name === 'Daily')!)).toHaveProperty('time');
  });

  test('one that fails says why, and so does one that was missed', async () => {
    const scheduled = await report();
    render.answers.next = () => {
      throw tooLarge('The report has more than 500 pages');
    };
    await work(DUE);
    await work(DUE + DAY + 2 * HOUR);
    expect((await list(scheduled)).runs).toMatchObject([
      { state: 'FAILED', askedBy: null, problem: 'it was due an hour ago or more' },
      { state: 'FAILED', problem: expect.stringContaining('500 pages') },
    ]);
  });

  test('twenty are made within an hour at most', async () => {
    const scheduled = await report({ schedule: null });
    for (let n = 0; n < 20; n += 1) {
      f.clock.nowMs += 1_000;
      await ask(scheduled);
      await makeDueReport(deps(), running);
    }
    f.clock.nowMs += 1_000;
    await expect(ask(scheduled)).rejects.toMatchObject({ reason: 'TOO_MANY_RUNS' });
    f.clock.nowMs += HOUR;
    await ask(scheduled);
  });

  test('the next times follow the clock of the zone, and a schedule that is off has none', async () => {
    const scheduled = await report({ schedule: null });
    const times = (attributes: object) =>
      nextTimes(runDeps(), mine.caller, scheduled._id, Buffer.from(JSON.stringify(attributes)));
    f.clock.nowMs = Date.parse('2024-03-29T12:00:00Z');
    expect(await times({ schedule: DAILY, timezone: 'Europe/Berlin' })).toEqual({
      times: [
        '2024-03-30T05:00:00.000Z',
        ...['2024-03-31', '2024-04-01', '2024-04-02', '2024-04-03'].map((day) => `${day}T04:00:00.000Z`),
      ],
    });
    expect(await times({ schedule: { ...DAILY, enabled: false } })).toEqual({ times: [] });
    await expect(times({ schedule: { type: 'WEEKLY', time: '06:00' } })).rejects.toMatchObject({
      message: expect.stringContaining('schedule.days'),
    });
  });
});

test('runs are forgotten after a month', async () => {
  await report();
  await work(DUE);
  await forgetRuns(f.database, DUE + 31 * DAY);
  expect((await f.database.query('SELECT 1 FROM report_runs')).rows).toHaveLength(1);
  await forgetRuns(f.database, DUE + 31 * DAY + 1);
  expect((await f.database.query('SELECT 1 FROM report_runs')).rows).toEqual([]);
});
