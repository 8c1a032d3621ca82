import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { deviceAddress, devicesAddress, nodeAddress } from '../../data/addresses.ts';
import { raised } from '../../data/alarms/alarms.ts';
import { className, fullClass } from '../../data/nodes/classes.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { holdDevices, holdReadings, MOST_DEVICES } from '../../data/sources/device-list.ts';
import { type Device, isScout } from '../../data/sources/devices.ts';
import { holdSources, type Source, transportOf } from '../../data/sources/sources.ts';
import { localeOf, times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import { useDraft } from '../../parts/typed-draft.ts';
import { tableWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { type Choice, type Column, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AddDialog, AddedDialog, type AddTyped, newTyped } from './add-dialog.tsx';
import { refusals } from './refusals.ts';
import { configState, type DeviceRow, isShownIn, lastContactOf, SHOWN, type Shown } from './rows.ts';
import { ConfigSign, ConnectedSign, LastConnected } from './signs.tsx';
import { useHeld } from './use-held.ts';
import { mayIn, useWorkspaces } from './use-workspaces.ts';
import { say } from './words.ts';

const NO_READINGS = {};
const REST_MS = 300;
const WITH_DEVICE = 'transport.deviceId($ne:null)';
const hasDevice = ({ transport }: Source): boolean => typeof transport?.deviceId === 'string';

/** All devices with their connections, kept current. */
export function DeviceList() {
  const text = say();
  const { ui } = words.value;
  const { query, route } = useLocation();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const draft = useDraft<AddTyped>('new device', newTyped());
  const [added, setAdded] = useState<Device>();
  const devices = useHeld(() => holdDevices(asked), asked);
  const sources = useHeld(() => holdSources(WITH_DEVICE, hasDevice), '');
  const readings = useHeld(holdReadings, '');
  const workspaces = useWorkspaces();
  const shown: Shown = SHOWN.find((choice) => choice === query.state) ?? 'all';
  const held = devices.value;
  const isCut = held?.hasMore === true || asked !== '';
  // The server looks for what is typed where not all devices are here.
  useEffect(() => {
    if (!isCut || typed === asked) return;
    const timer = setTimeout(() => setAsked(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, isCut]);

  const refused = refusals();
  const bySource = sources.value?.sources?.list;
  const rows = useMemo(() => {
    const byKey = Map.groupBy(bySource ?? [], ({ transport }) => transport?.deviceId ?? '');
    return (held?.list ?? []).map((device): DeviceRow => {
      const sources = byKey.get(device.deviceKey) ?? [];
      return {
        device,
        source: sources.find(({ _id }) => _id === device.datasourceId) ?? sources[0],
        sourceCount: sources.length,
        readings: readings.value?.get(device.datasourceId ?? '') ?? NO_READINGS,
        config: configState(device, refused.get(device.datasourceId ?? '')),
      };
    });
  }, [held?.list, bySource, readings.value, raised.value]);
  const some = useMemo(() => rows.filter((row) => isShownIn(shown, row)), [rows, shown]);
  const workspaceNames = useMemo(
    () => new Map((workspaces.value ?? []).map(({ _id, name }) => [_id, name])),
    [workspaces.value],
  );
  const columns = useMemo(() => columnsOf(workspaceNames), [workspaceNames, language.value]);
  const mayAdd = (workspaces.value ?? []).some(({ _id }) => mayIn('CONFIGURE', workspaces.value, _id));
  const choice = preference<Choice>('columns.devices').value ?? {};
  const connected = rows.filter(({ device }) => device.isConnected).length;
  const add = mayAdd && (
    <Button look="main" icon="plus" onClick={() => draft.open('', newTyped())}>
      {text.add}
    </Button>
  );
  return (
    <>
      <div class="device-lead">
        <p class="soft" role="status">
          {held &&
            (held.isLoading && rows.length > 0 ? text.reading(rows.length) : text.connectedOf(connected, rows.length))}
        </p>
        {add}
      </div>
      {workspaces.value !== undefined && !mayAdd && <p class="soft">{text.readOnly}</p>}
      {held?.hasMore && <p class="soft">{text.cut(MOST_DEVICES)}</p>}
      {held?.error !== undefined && (
        <Problem text={`${text.failed} ${errorText(held.error)}`} again={devices.reload} againText={ui.again} />
      )}
      {sources.value?.error !== undefined && (
        <Problem
          text={`${text.sources.failed} ${errorText(sources.value.error)}`}
          again={sources.reload}
          againText={ui.again}
        />
      )}
      <Table<DeviceRow>
        label={text.title}
        columns={columns}
        rows={some}
        keyOf={keyOf}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={text.title}
        filter={typed}
        onFilter={setTyped}
        onOpen={({ device }) => route(deviceAddress(device._id))}
        versionOf={versionOf}
        isBusy={held === undefined || held.isLoading}
        choice={choice}
        onChoice={(next) => void setPreference('columns.devices', next).catch(() => {})}
        card={{ below: 720, height: 100, show: (row) => <Card row={row} /> }}
        tools={
          <label class="tool">
            <span class="unseen">{text.state}</span>
            <select
              value={shown}
              onChange={({ currentTarget: { value } }) =>
                route(devicesAddress('list', value === 'all' ? {} : { state: value }), true)
              }
            >
              {SHOWN.map((choice) => (
                <option key={choice} value={choice}>
                  {text.states[choice]}
                </option>
              ))}
            </select>
          </label>
        }
        empty={
          held &&
          !held.isLoading &&
          held.error === undefined && <Nothing isPart={rows.length > 0 || asked !== ''} add={add} />
        }
      />
      {(held === undefined || held.isLoading) && rows.length === 0 && <Busy text={text.loading} />}
      {draft.target !== undefined && workspaces.value && (
        <AddDialog
          draft={draft}
          workspaces={workspaces.value}
          onAdded={(device) => {
            setAdded(device);
            devices.reload();
          }}
        />
      )}
      {added && <AddedDialog made={added} onClose={() => setAdded(undefined)} />}
    </>
  );
}

const keyOf = ({ device }: DeviceRow): string => device._id;
const versionOf = ({ device, config }: DeviceRow): string => `${device.isConnected} ${device.lastConnected} ${config}`;

function Nothing({ isPart, add }: { readonly isPart: boolean; readonly add: preact.ComponentChildren }) {
  const text = say();
  const { route } = useLocation();
  if (!isPart)
    return (
      <EmptyState icon="source" title={text.none} action={add}>
        {text.noneText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="source"
      title={text.noneOfFilter}
      action={<Button onClick={() => route(devicesAddress(), true)}>{text.showAll}</Button>}
    >
      {text.noneOfFilterText}
    </EmptyState>
  );
}

/** Names how a source's device comes: `Scout modem`. Of a device without one, its class says it. */
const wayText = ({ device, source }: DeviceRow): string =>
  className(fullClass(`transport.${source ? transportOf(source) : isScout(device) ? 'Scout' : 'TcpCallback'}`));

const sourceText = ({ source, sourceCount, device }: DeviceRow): string => {
  const text = say();
  if (!source) return device.datasourceId === undefined ? text.noSource : '';
  return sourceCount > 1 ? `${source.name} ${text.moreSources(sourceCount - 1)}` : source.name;
};

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString(localeOf(language.value), { maximumFractionDigits: 1 });
const timeText = (iso: string | null | undefined): string => (iso ? times().whole(Date.parse(iso)) : say().never);

function columnsOf(workspaceNames: ReadonlyMap<string, string>): readonly Column<DeviceRow>[] {
  const text = say();
  const { columns, facts } = text;
  return [
    {
      id: 'key',
      title: columns.key,
      width: 'minmax(10rem, 1fr)',
      isFixed: true,
      text: ({ device }) => device.deviceKey,
      cell: ({ device }) => (
        <a class="device-key" tabIndex={-1} href={deviceAddress(device._id)}>
          {device.deviceKey}
        </a>
      ),
    },
    {
      id: 'state',
      title: columns.state,
      width: '9.5rem',
      text: ({ device }) => (device.isConnected ? text.connected : text.notConnected),
      cell: ({ device }) => <ConnectedSign device={device} />,
    },
    {
      id: 'since',
      title: columns.since,
      width: '9rem',
      value: ({ device }) => device.lastConnected ?? null,
      text: ({ device }) => timeText(device.lastConnected),
      cell: ({ device }) => <LastConnected device={device} />,
    },
    {
      id: 'contact',
      title: columns.contact,
      width: '9rem',
      value: lastContactOf,
      text: (row) => timeText(lastContactOf(row)),
      cell: (row) => <Since iso={lastContactOf(row)} text={text.never} />,
    },
    {
      id: 'source',
      title: columns.source,
      width: 'minmax(10rem, 1.5fr)',
      text: sourceText,
      cell: (row) =>
        row.source ? (
          <a tabIndex={-1} href={nodeAddress(row.source._id, 'diagnosis')} dir="auto">
            {sourceText(row)}
          </a>
        ) : (
          <span class="soft">{sourceText(row)}</span>
        ),
    },
    { id: 'way', title: columns.way, width: 'minmax(9rem, 1fr)', text: wayText },
    {
      id: 'signal',
      title: columns.signal,
      width: '6rem',
      isNumber: true,
      value: ({ readings }) => readings.signal ?? null,
      text: ({ readings }) => (readings.signal === undefined ? '' : facts.signal(number(readings.signal))),
    },
    {
      id: 'battery',
      title: columns.battery,
      width: '6rem',
      isNumber: true,
      value: ({ readings }) => readings.battery ?? readings.supply ?? null,
      text: ({ readings }) =>
        readings.battery === undefined
          ? readings.supply === undefined
            ? ''
            : facts.volt(number(readings.supply))
          : facts.percent(number(readings.battery)),
    },
    {
      id: 'config',
      title: columns.config,
      width: '8rem',
      text: ({ config }) => text.config[config],
      cell: ({ config }) =>
        config === 'none' ? <span class="soft">{text.config.none}</span> : <ConfigSign state={config} isShort />,
    },
    {
      id: 'software',
      title: columns.software,
      width: '7rem',
      text: ({ device }) => device.software.appVersion ?? device.software.firmwareVersion ?? '',
    },
    {
      id: 'workspace',
      title: columns.workspace,
      width: 'minmax(9rem, 1fr)',
      isExtra: true,
      text: ({ device }) => workspaceNames.get(device.workspaceId ?? '') ?? text.noWorkspace,
    },
    { id: 'phone', title: columns.phone, width: '9rem', isExtra: true, text: ({ device }) => device.phoneNumber ?? '' },
    {
      id: 'created',
      title: columns.created,
      width: '11.5rem',
      isExtra: true,
      value: ({ device }) => device.createdTime,
      text: ({ device }) => timeText(device.createdTime),
    },
  ];
}

function Card({ row }: { readonly row: DeviceRow }) {
  const { device, config } = row;
  const text = say();
  return (
    <>
      <p class="card-main">
        <a class="device-key" href={deviceAddress(device._id)}>
          {device.deviceKey}
        </a>
        <ConnectedSign device={device} />
      </p>
      <p class="card-facts">
        <bdi>{sourceText(row)}</bdi>
        <bdi>{wayText(row)}</bdi>
      </p>
      <p class="card-facts">
        <span>
          {text.columns.contact}: <Since iso={lastContactOf(row)} text={text.never} />
        </span>
        {config !== 'none' && config !== 'confirmed' && <ConfigSign state={config} isShort />}
      </p>
    </>
  );
}
