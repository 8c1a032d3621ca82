import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { devicesAddress } from '../../data/addresses.ts';
import { isForbidden, isGone } from '../../data/requests/failures.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { deviceNamedIn, holdReadings } from '../../data/sources/device-list.ts';
import { type Device, deleteDevice, isScout, readDevice } from '../../data/sources/devices.ts';
import { holdSources, sourcesOfDevice } from '../../data/sources/sources.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { onEvents, onNodes } from '../../data/streams/live.ts';
import { localeOf } from '../../data/times.ts';
import { Fact } from '../../parts/fact.tsx';
import { PageNote, usePageTitle } from '../../parts/page-title.tsx';
import { Question } from '../../parts/question.tsx';
import { At, Since } from '../../parts/since.tsx';
import { useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { Card } from './card.tsx';
import { Commands } from './commands.tsx';
import { Configuration } from './configuration.tsx';
import { EditDialog, type EditTyped, typedOf } from './edit-dialog.tsx';
import { Messages } from './messages.tsx';
import { refusals } from './refusals.ts';
import { RemoteAccess } from './remote.tsx';
import { configState } from './rows.ts';
import { ConnectedSign, LastConnected } from './signs.tsx';
import { SourcesCard } from './sources-card.tsx';
import { useHeld } from './use-held.ts';
import { mayIn, useWorkspaces } from './use-workspaces.ts';
import { say } from './words.ts';

/** News of a device come in groups. */
const SETTLE_MS = 700;
/** The clock looks for what no event reports: sooner while a configuration is on its way. */
const LOOK_MS = { busy: 5_000, rest: 60_000 };

/** Shows all that is known of a device, and what can be done with it. */
export function DevicePage({ id }: { readonly id: string }) {
  const text = say();
  const { ui } = words.value;
  const [news, setNews] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const tick = Math.floor(nowMs.value / (isBusy ? LOOK_MS.busy : LOOK_MS.rest));
  const asked = useAsked((signal) => readDevice(id, signal), [id, news, tick]);
  const { value: device, error } = asked;
  useEffect(() => setBusy(device?.isOutOfDate === true), [device?.isOutOfDate]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setNews((n) => n + 1);
      }, SETTLE_MS);
    };
    const ends = [
      onEvents((event) => device && deviceNamedIn(event.message ?? '') === device.deviceKey && look()),
      onNodes((news) => news.kind === 'reset' && look()),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [device?.deviceKey]);
  if (device && !(error !== undefined && (isGone(error) || isForbidden(error))))
    return (
      <Shown
        device={device}
        problem={error === undefined ? undefined : `${text.failed} ${errorText(error)}`}
        reread={() => setNews((n) => n + 1)}
      />
    );
  return (
    <section class="page">
      {error === undefined ? (
        <Busy text={text.loading} />
      ) : isGone(error) || isForbidden(error) ? (
        <PageNote
          icon="source"
          title={text.gone}
          action={
            <a class="button" href={devicesAddress()}>
              {text.toList}
            </a>
          }
        />
      ) : (
        <Problem text={`${text.failed} ${errorText(error)}`} again={asked.again} againText={ui.again} />
      )}
    </section>
  );
}

type ShownProps = { readonly device: Device; readonly problem: string | undefined; readonly reread: () => void };

function Shown({ device, problem, reread }: ShownProps) {
  const text = say();
  const { ui } = words.value;
  const { route } = useLocation();
  const { deviceKey, workspaceId, datasourceId } = device;
  usePageTitle(`${text.columns.key} ${deviceKey}`);
  const workspaces = useWorkspaces();
  const sources = useHeld(
    () => holdSources(sourcesOfDevice(deviceKey), ({ transport }) => transport?.deviceId === deviceKey),
    deviceKey,
  );
  const draft = useDraft<EditTyped>('device', typedOf(device));
  const [isForgetting, setForgetting] = useState(false);
  const list = sources.value?.sources?.list;
  const mayConfigure = workspaces.value !== undefined && mayIn('CONFIGURE', workspaces.value, workspaceId);
  const mayControl = workspaces.value !== undefined && mayIn('CONTROL', workspaces.value, workspaceId);
  const state = configState(device, refusals().get(datasourceId ?? ''));
  const workspace = workspaces.value?.find(({ _id }) => _id === workspaceId)?.name;
  return (
    <section class="page device-page" aria-labelledby="title">
      <p>
        <a href={devicesAddress()}>{text.toList}</a>
      </p>
      <header class="page-head">
        <h1 id="title">
          <span class="unseen">{text.columns.key} </span>
          {deviceKey}
        </h1>
        <ConnectedSign device={device} />
        <p class="soft">
          {device.isConnected ? text.connectedSince : text.lastConnected} <LastConnected device={device} />
        </p>
        {mayConfigure && (
          <span class="buttons">
            <Button icon="pencil" onClick={() => draft.open(device._id, typedOf(device))}>
              {text.edit}
            </Button>
            <Button icon="trash" onClick={() => setForgetting(true)}>
              {text.forget}
            </Button>
          </span>
        )}
      </header>
      {problem !== undefined && <Problem text={problem} again={reread} againText={ui.again} />}
      <div class="device-cards">
        <Facts device={device} workspace={workspace} />
        <SourcesCard
          device={device}
          list={list}
          error={sources.value?.error}
          mayConfigure={mayConfigure}
          reload={sources.reload}
          onChange={() => {
            sources.reload();
            reread();
          }}
        />
        <SoftwareCard device={device} />
        {isScout(device) && <Commands device={device} mayConfigure={mayConfigure} mayControl={mayControl} />}
        <Messages key={list?.map(({ _id }) => _id).join() ?? ''} device={device} sources={list} />
        <Configuration
          device={device}
          state={state}
          mayConfigure={mayConfigure}
          refusal={refusals().get(datasourceId ?? '')}
          onSaved={reread}
        />
        <RemoteAccess device={device} list={list} />
      </div>
      {draft.target === device._id && <EditDialog device={device} draft={draft} onDone={reread} />}
      {isForgetting && (
        <Question
          title={text.forgetTitle(deviceKey)}
          main={text.forget}
          said={text.forgot(deviceKey)}
          isBarred={(list?.length ?? 0) > 0}
          work={() => deleteDevice(device._id)}
          onClose={() => setForgetting(false)}
          onDone={() => route(devicesAddress())}
        >
          <p>{(list?.length ?? 0) > 0 ? text.forgetInUse : text.forgetText}</p>
        </Question>
      )}
    </section>
  );
}

function Facts({ device, workspace }: { readonly device: Device; readonly workspace: string | undefined }) {
  const text = say();
  const { facts, columns } = text;
  const { value: all } = useHeld(holdReadings, '');
  const { signal, battery, supply, time } = all?.get(device.datasourceId ?? '') ?? {};
  const number = (value: number) => value.toLocaleString(localeOf(language.value), { maximumFractionDigits: 1 });
  const hint =
    device.datasourceId === undefined
      ? facts.noSourceYet
      : device.lastConnected !== undefined
        ? undefined
        : device.secret === undefined
          ? facts.neverNoSecret
          : facts.neverSecret;
  return (
    <Card title={facts.title}>
      {hint !== undefined && <p class="device-warning">{hint}</p>}
      <dl class="facts-list">
        <Fact name={facts.kind}>{text.kinds[isScout(device) ? 'ScoutDevice' : 'Device']}</Fact>
        <Fact name={facts.workspace}>
          <bdi>{workspace ?? text.noWorkspace}</bdi>
        </Fact>
        {signal !== undefined && <Fact name={columns.signal}>{facts.signal(number(signal))}</Fact>}
        {battery !== undefined && <Fact name={columns.battery}>{facts.percent(number(battery))}</Fact>}
        {supply !== undefined && <Fact name={columns.supply}>{facts.volt(number(supply))}</Fact>}
        {time !== undefined && (
          <Fact name={columns.contact}>
            <Since iso={time} />
          </Fact>
        )}
        <Fact name={facts.phone}>{device.phoneNumber ?? text.unknown}</Fact>
        <Fact name={facts.secret}>{device.secret === undefined ? facts.noSecret : facts.hasSecret}</Fact>
        <Fact name={facts.created}>
          <At iso={device.createdTime} />
        </Fact>
      </dl>
    </Card>
  );
}

function SoftwareCard({ device: { software } }: { readonly device: Device }) {
  const text = say().software;
  const isReported = Object.keys(software).length > 0;
  return (
    <Card title={text.title}>
      {!isReported && <p class="soft">{text.none}</p>}
      {isReported && (
        <dl class="facts-list">
          {(['app', 'firmware', 'bootloader'] as const).map((part) => {
            const sent = software[`${part}SentTime`];
            return (
              <Fact key={part} name={text[part]}>
                {software[`${part}Version`] ?? text.notReported}
                {sent !== undefined && (
                  <p class="soft">
                    {text.sent} <Since iso={sent} />
                  </p>
                )}
              </Fact>
            );
          })}
          {software.branch !== undefined && <Fact name={text.branch}>{software.branch}</Fact>}
        </dl>
      )}
    </Card>
  );
}
