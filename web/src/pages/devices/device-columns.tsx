import { deviceAddress, nodeAddress } from '../../data/addresses.ts';
import { localeOf, times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import type { Column } from '../../ui/table/index.ts';
import { language } from '../../words/index.ts';
import { sourceText, wayText } from './row-texts.ts';
import { type DeviceRow, lastContactOf } from './rows.ts';
import { ConfigSign, ConnectedSign, LastConnected } from './signs.tsx';
import { say } from './words.ts';

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString(localeOf(language.value), { maximumFractionDigits: 1 });
const timeText = (iso: string | null | undefined): string => (iso ? times().whole(Date.parse(iso)) : say().never);

/** Returns the columns of the table of devices. @param workspaceNames by id */
export function columnsOf(workspaceNames: ReadonlyMap<string, string>): readonly Column<DeviceRow>[] {
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
