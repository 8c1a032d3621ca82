import { setTimeout as delay } from 'node:timers/promises';
import { heldTransaction, publishBytes, purgeStream, until } from '@catchment/testkit';
import { MODEL, unique } from '../../api.ts';
import { catchment } from '../../installation.ts';
import { downloadSources } from '../../session-takeover.ts';
import type { Fault } from '../fault.ts';
import type { Scene } from '../scene.ts';

const MODEMS = 16;
const WEBHOOKS = 8;
const SOURCES = 8;
const CATCH_UP_MS = 60_000;
/** The program may be so far behind the level, whose writes are a minute apart: five of them. */
const ALMOST_MS = 5 * 60_000;
/** This many connections are usual after this time: the hour that its rule leaves out, and its day, both 30 s here. */
const USUAL_MS = 65_000;

/** Makes a level whose state changes with each write, and somebody who wants to be mailed of it. */
async function watchedLevel({ api, sourceId, workspaceId }: Scene, email: string): Promise<string> {
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find(({ name }: { name: string }) => name === 'Critical')._id;
  const { _id: levelId } = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: unique('Watched'),
    parentId: sourceId,
    units: 'm',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true, notify: 'ALWAYS', categoryId }],
  });
  const granted = await api.post(`/nodes/${workspaceId}/security/subscribe`, {
    users: [{ user: email, role: 'View' }],
  });
  const person = {
    firstName: 'Ann',
    timezone: 'Australia/Perth',
    password: 'correct horse battery',
    repeat: 'correct horse battery',
  };
  await fetch(granted.json.added[0].profileActivateUrl, {
    method: 'POST',
    body: new URLSearchParams(person),
    redirect: 'manual',
  });
  const notificationCategories = [{ category: 'Critical', email: true, sms: false }];
  await api.post(`/nodes/${workspaceId}/notifications`, { users: [{ user: email, notificationCategories }] });
  await api.post(`/nodes/${levelId}/notifications/subscribe`, { users: [{ user: email }] });
  return levelId;
}

/** Mails are refused with a code while a state changes every second. */
async function refusedMails(scene: Scene, code: number): Promise<() => void> {
  const levelId = await watchedLevel(scene, `${unique('ann').replaceAll(' ', '-')}@example.org`);
  scene.mailServer.refuse(() => code);
  let n = 0;
  const end = scene.again(1_000, () => {
    n += 1;
    const timestamp = new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString();
    return scene.api.put(`/nodes/${levelId}/historic/now`, { value: n % 2 === 0 ? 1 : 9, timestamp });
  });
  return () => {
    end();
    scene.mailServer.refuse(() => undefined);
  };
}

export const WORK_FAULTS: readonly Fault[] = [
  {
    name: 'poison',
    what: 'bytes that are no message are published to the log',
    alerts: ['CatchmentDeadLetters'],
    cause: async ({ natsUrl }) => {
      await publishBytes(natsUrl, 'ingest.0', new TextEncoder().encode('this is no message'));
      return () => {};
    },
  },
  {
    name: 'mail-away',
    what: 'the mail server takes nothing for now (451); the repair drops the mails that wait for their next try',
    alerts: ['CatchmentNotificationsFailing', 'CatchmentNotificationsLate'],
    cause: async (scene) => {
      const repair = await refusedMails(scene, 451);
      return async () => {
        repair();
        await purgeStream(scene.natsUrl, 'NOTIFICATIONS');
      };
    },
  },
  {
    name: 'mail-refused',
    what: 'the mail server takes nothing for good (550)',
    alerts: ['CatchmentNotificationsGivenUp'],
    cause: (scene) => refusedMails(scene, 550),
  },
  {
    name: 'webhooks',
    what: 'the receiver of webhooks answers 500',
    alerts: ['CatchmentWebhooksFailing'],
    cause: async ({ api, receiver, levelId, again }) => {
      receiver.status = 500;
      const made: string[] = [];
      for (let n = 0; n < WEBHOOKS; n += 1)
        made.push(
          (await api.post('/owners/account/webhooks', { name: `Pager ${n}`, url: `${receiver.url}/` })).json._id,
        );
      const end = again(1_000, () => api.put(`/nodes/${levelId}`, { description: String(Date.now()) }));
      return async () => {
        end();
        receiver.status = 200;
        for (const id of made) await api.delete(`/owners/account/webhooks/${id}`);
      };
    },
  },
  {
    name: 'downloads',
    what: 'the server that sources download from answers 500',
    alerts: ['CatchmentAcquisitionsFailing'],
    cause: async ({ api, receiver, again }) => {
      receiver.status = 500;
      const sources = await downloadSources(api, receiver.url, SOURCES);
      const end = again(2_000, () => Promise.all(sources.map((id) => api.post(`/nodes/${id}/operate/acquire`))));
      return () => {
        end();
        receiver.status = 200;
      };
    },
  },
  {
    name: 'modems',
    what: `${MODEMS} modems lose their connection at once`,
    alerts: ['CatchmentModemsVanished'],
    cause: async ({ installation }) => {
      const port = String(await installation.listener('scout'));
      const fleet = catchment(
        [
          'simulate',
          'fleet',
          '--register',
          '--remove',
          '--modems',
          String(MODEMS),
          '--interval',
          '1',
          '--messages',
          '1000',
          '--port',
          port,
        ],
        { CATCHMENT_URL: installation.api.url, CATCHMENT_KEY: installation.api.key },
      );
      let output = '';
      fleet.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      fleet.stderr?.resume();
      try {
        await until(() => output.includes(`${MODEMS} of ${MODEMS} connected`), {
          deadlineMs: 60_000,
          everyMs: 500,
          what: 'all modems are connected',
        });
        await delay(USUAL_MS);
      } finally {
        fleet.kill('SIGKILL');
      }
      return () => {};
    },
  },
  {
    name: 'browser',
    what: 'the browser of reports does not start',
    alerts: ['CatchmentRendersFailing'],
    cause: async ({ api, browser, workspaceId, again }) => {
      await browser.breakIt();
      const report = { _class: `${MODEL}.Report`, name: unique('Report'), parentId: workspaceId };
      const { _id } = await api.create(report);
      const end = again(1_000, () => api.get(`/nodes/${_id}/report`));
      return async () => {
        end();
        await browser.mend();
        await api.delete(`/nodes/${_id}`);
      };
    },
  },
  {
    name: 'programs-fail',
    what: 'a program throws at each record',
    alerts: ['CatchmentProcessingFailing'],
    cause: async ({ api, sourceId }) => {
      const { _id } = await api.create({
        _class: `${MODEL}.point.NumberProcessPoint`,
        name: unique('Broken'),
        parentId: sourceId,
        process: { code: "NUMBER('Level'); throw new Error('broken');" },
      });
      return () => api.delete(`/nodes/${_id}`);
    },
  },
  {
    name: 'programs-wait',
    what: "somebody's open transaction holds the rows of accounts",
    alerts: ['CatchmentProcessingBehind'],
    cause: async ({ api, sourceId, levelId, postgresUrl }) => {
      const { _id } = await api.create({
        _class: `${MODEL}.point.NumberProcessPoint`,
        name: unique('Doubled'),
        parentId: sourceId,
        process: { code: "return NUMBER('Level') * 2;" },
      });
      // It has come as far as the level: from now on only its runs are missing.
      const timeOf = async (id: string) => Date.parse((await api.get(`/nodes/${id}`)).json.currentTime);
      const hasCaughtUp = async () => (await timeOf(_id)) >= (await timeOf(levelId)) - ALMOST_MS;
      await until(hasCaughtUp, { deadlineMs: CATCH_UP_MS, everyMs: 100, what: 'the program has caught up' });
      const end = await heldTransaction(postgresUrl, 'SELECT 1 FROM processing.accounts FOR NO KEY UPDATE');
      return async () => {
        await end();
        await api.delete(`/nodes/${_id}`);
      };
    },
  },
];
