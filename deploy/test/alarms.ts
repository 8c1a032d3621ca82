import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { HttpClient } from './http-client.ts';

const PEOPLE = 4;
/** Each parameter has so much time between two changes of its state: below 100 mails of an hour to its subscriber. */
const CHANGE_MS = 5_000;
const MOST_CHANGES = 95;
const THRESHOLD = 1_000;
const START_MS = Date.UTC(2021, 0, 1);
/** A write that is refused is sent again after this time. */
const AGAIN_MS = 200;
const PREFIX = 'io.svc.models.node';
const CATEGORY = 'Critical';

/** Returns the time of the n-th record of a parameter. */
const timeOf = (n: number): number => START_MS + n * 60_000;
/** Returns the time as a person in the zone UTC reads it. */
const shownTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

type Level = {
  readonly nodeId: string;
  readonly email: string;
  /** These records were answered 202: each of them changed the state. */
  changes: number;
};
type Notified = {
  /** All parameters together have this many. */
  readonly changes: number;
  /** Mails, each counted once by its Message-ID. */
  readonly mails: number;
  /** Mails that came again with the same Message-ID. */
  readonly repeated: number;
  /**
   * Lists changes that nobody was notified of, that a person was notified of twice, or that have not exactly one event.
   */
  readonly faults: readonly string[];
};

/**
 * Makes parameters whose values cross a threshold and come back, each with its own subscriber, and a mail server in
 * this process for their mails. Each change has its own time, and the mail says it.
 */
export class Alarms {
  readonly #levels: Level[] = [];
  readonly #mails: TestMailServer;
  readonly #host: string;
  #client: HttpClient | undefined;
  #isStopped = false;

  private constructor(mails: TestMailServer, host: string) {
    this.#mails = mails;
    this.#host = host;
  }

  /** @param clusterAddress an address of the cluster: its pods reach this machine by the address that leads there */
  static async listening(clusterAddress: string): Promise<Alarms> {
    const host = await ownAddressTowards(clusterAddress);
    return new Alarms(await testMailServer({ host }), host);
  }

  /** Returns values of the chart that send mails here. */
  get settings(): readonly string[] {
    const url = `smtp://${this.#host}:${this.#mails.port}`;
    return [`mail.url=${url}`, 'mail.tls=off', 'mail.from=catchment@example.org'];
  }

  async prepare(options: { readonly url: string; readonly key: string }): Promise<void> {
    this.#client = new HttpClient(options);
    const make = async (body: object) => ((await this.#json('POST', '/nodes', body)) as { _id: string })._id;
    const workspace = await make({ _class: `${PREFIX}.Workspace`, name: `Alarms ${Date.now()}` });
    const location = await make({
      _class: `${PREFIX}.location.Location`,
      name: 'Weir',
      parentId: workspace,
    });
    const source = await make({ _class: `${PREFIX}.source.data.Jts`, name: 'Gauge', parentId: location });
    const { categories } = (await this.#json('GET', '/owners/account')) as {
      categories: { _id: string; name: string }[];
    };
    const categoryId = categories.find(({ name }) => name === CATEGORY)?._id;
    const states = [
      { name: 'NORMAL' },
      { name: 'HIGH', threshold: THRESHOLD, isAlarm: true, notify: 'ALWAYS', categoryId },
    ];
    for (let n = 0; n < PEOPLE; n += 1) {
      const name = `Level ${n}`;
      const nodeId = await make({ _class: `${PREFIX}.point.NumberPoint`, name, parentId: source, states });
      const email = `ann${n}-${Date.now()}@example.org`;
      await this.#subscribe(email, { workspace, nodeId, origin: options.url });
      const first = { value: 0, timestamp: new Date(START_MS).toISOString() };
      await until(async () => (await this.#put(nodeId, first)) === 202, { what: 'the first record' });
      this.#levels.push({ nodeId, email, changes: 0 });
    }
  }

  async #subscribe(user: string, to: { workspace: string; nodeId: string; origin: string }): Promise<void> {
    const security = `/nodes/${to.workspace}/security/subscribe`;
    const { added } = (await this.#json('POST', security, { users: [{ user, role: 'View' }] })) as {
      added: { profileActivateUrl: string }[];
    };
    const password = 'correct horse battery';
    const link = new URL(added[0]?.profileActivateUrl ?? '', to.origin);
    const page = new URL(link.pathname + link.search, to.origin);
    const body = new URLSearchParams({ password, repeat: password, firstName: 'Ann', timezone: 'Etc/UTC' });
    const { status } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    if (status !== 303) throw new Error(`${page.pathname}: ${status}`);
    const notificationCategories = [{ category: CATEGORY, email: true }];
    await this.#json('POST', `/nodes/${to.workspace}/notifications`, { users: [{ user, notificationCategories }] });
    await this.#json('POST', `/nodes/${to.nodeId}/notifications/subscribe`, { users: [{ user }] });
  }

  /** Changes states until `stop`. */
  async run(): Promise<void> {
    await Promise.all(this.#levels.map((level, index) => this.#change(level, index)));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #change(level: Level, index: number): Promise<void> {
    await wait((index * CHANGE_MS) / PEOPLE);
    for (let n = 1; n <= MOST_CHANGES && !this.#isStopped; n += 1) {
      const value = n % 2 === 1 ? THRESHOLD + n : n;
      const timestamp = new Date(timeOf(n)).toISOString();
      const nextMs = performance.now() + CHANGE_MS;
      // The same record again changes nothing: what counts is that it was answered 202 once.
      while ((await this.#put(level.nodeId, { value, timestamp })) !== 202) {
        if (this.#isStopped) return;
        await wait(AGAIN_MS);
      }
      level.changes = n;
      await wait(Math.max(nextMs - performance.now(), 0));
    }
  }

  /** @returns the status; 0 without an answer */
  async #put(nodeId: string, body: object): Promise<number> {
    const answer = await this.#client?.send('PUT', `/nodes/${nodeId}/historic/now`, body).catch(() => undefined);
    return answer?.status ?? 0;
  }

  /** Waits until each change was notified, then until what a process had in hand has come again. */
  async notified(limitMs: number, againMs: number): Promise<Notified> {
    const changes = this.#levels.reduce((sum, level) => sum + level.changes, 0);
    const enough = () => this.#distinct().size >= changes;
    await until(async () => enough(), { deadlineMs: limitMs, what: 'every mail' }).catch(() => undefined);
    await wait(againMs);
    const faults: string[] = [];
    for (const level of this.#levels) faults.push(...this.#mailFaults(level), ...(await this.#eventFaults(level)));
    const mails = this.#distinct().size;
    return { changes, mails, repeated: this.#mailsOfAlarms().length - mails, faults };
  }

  #mailsOfAlarms = () => this.#mails.mails.filter(({ to }) => this.#levels.some(({ email }) => to.includes(email)));

  /** Mails by Message-ID. */
  #distinct = () => new Map(this.#mailsOfAlarms().map((mail) => [mail.messageId, mail]));

  #mailFaults({ email, changes }: Level): string[] {
    const notified = [...this.#distinct().values()].filter(({ to }) => to.includes(email));
    const mailsAt = new Map<string, number>();
    for (const { text } of notified) {
      const time = / is (?:HIGH|NORMAL).* at (\S+ \S+)/.exec(text)?.[1] ?? text;
      mailsAt.set(time, (mailsAt.get(time) ?? 0) + 1);
    }
    const due = Array.from({ length: changes }, (_, index) => shownTime(timeOf(index + 1)));
    const wrong = due.filter((time) => mailsAt.get(time) !== 1);
    const others = [...mailsAt.keys()].filter((time) => !due.includes(time));
    return [
      ...wrong.map((time) => `${email}: ${mailsAt.get(time) ?? 0} mails about the change at ${time}`),
      ...others.map((time) => `${email}: a mail about ${time}`),
    ];
  }

  async #eventFaults({ nodeId, email, changes }: Level): Promise<string[]> {
    const path = `/nodes/${nodeId}/events?limit=1000&filter=eventType($eq:STATE)`;
    const events = (await this.#json('GET', path)) as { message: string }[];
    const count = (match: RegExp) => events.filter(({ message }) => match.test(message)).length;
    const found = [count(/^State changed from NORMAL to HIGH/), count(/^State changed from HIGH to NORMAL/)];
    const expected = [Math.ceil(changes / 2), Math.floor(changes / 2)];
    return found.join() === expected.join()
      ? []
      : [`level of ${email}: events of changes ${found.join(' up, ')} down; expected ${expected.join(', ')}`];
  }

  close = (): Promise<void> => this.#mails.close();

  #json(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    if (!this.#client) throw new Error('not prepared');
    return this.#client.json(method, path, body);
  }
}

/** Returns the address of this machine from which packets go to another one. */
async function ownAddressTowards(address: string): Promise<string> {
  const socket = createSocket('udp4');
  try {
    socket.connect(9, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}
