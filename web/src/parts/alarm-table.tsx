import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { keyOf } from '../data/alarms/alarm-list.ts';
import type { Alarm } from '../data/alarms/alarms.ts';
import { nodeDetails } from '../data/nodes/node-details.ts';
import { valueText } from '../data/records/values.ts';
import { may } from '../data/session/rights.ts';
import { localeOf, times } from '../data/times.ts';
import { type Choice, type Column, NOTHING, type Selection, type Sort, Table } from '../ui/table/index.ts';
import { toast } from '../ui/toast.tsx';
import { language, words } from '../words/index.ts';
import { AcknowledgeDialog, type AlarmAction } from './acknowledge-dialog.tsx';
import { placeOf, typeText } from './alarm-names.ts';
import { AlarmState } from './alarm-state.tsx';
import { Since } from './since.tsx';
import { tableWords } from './words-of.ts';

type AlarmTableProps = {
  readonly alarms: readonly Alarm[];
  readonly isLoading: boolean;
  readonly empty: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly fileName: string;
  readonly active?: string | undefined;
  readonly onActive?: (key: string) => void;
  readonly onOpen?: (alarm: Alarm) => void;
  readonly onDone: () => void;
  /** A panel beside it says more of each: who, and where. */
  readonly isCompact?: boolean;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  /** Something else asks for this action, such as a panel beside the table. */
  readonly asked?: { readonly action: AlarmAction; readonly alarm: Alarm } | undefined;
  readonly onAnswered?: () => void;
};

const CARD = { below: 620, height: 88 } as const;

/** Shows alarms with what can be done about them: by hand, and by one key. */
export function AlarmTable(props: AlarmTableProps) {
  const { alarms, asked } = props;
  const { alarms: say } = words.value;
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [sort, setSort] = useState<Sort | undefined>();
  const [dialog, setDialog] = useState<{ readonly action: AlarmAction; readonly alarms: readonly Alarm[] }>();
  const details = useMemo(nodeDetails, []);
  useEffect(() => details.release, [details]);
  const version = details.version.value;
  const { isCompact = false } = props;
  const columns = useMemo(() => columnsOf(details, isCompact), [details, isCompact, version, language.value]);
  useEffect(() => {
    if (!asked) return;
    act(asked.action, [asked.alarm]);
    props.onAnswered?.();
  }, [asked]);

  const mayAct = (action: AlarmAction, alarm: Alarm) => {
    return may(action === 'acknowledge' ? 'ACKNOWLEDGE_ALARMS' : 'EDIT_ALARMS', details.of(alarm.nodeId));
  };
  function act(action: AlarmAction, some: readonly Alarm[]): void {
    const concerned = some.filter(
      (alarm) => (action === 'clear' || alarm.alarmState === 'ACTIVE') && mayAct(action, alarm),
    );
    if (concerned.length > 0) setDialog({ action, alarms: concerned });
    else if (some.length > 0)
      toast(
        some.some((alarm) => !mayAct(action, alarm)) ? words.value.errors.kinds.permission : say.nothingToAcknowledge,
      );
  }
  const chosen = alarms.filter((alarm) => selection.keys.has(keyOf(alarm)));

  return (
    <>
      <Table<Alarm>
        label={say.title}
        columns={columns}
        rows={alarms}
        keyOf={keyOf}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={props.fileName}
        empty={props.empty}
        isBusy={props.isLoading}
        sort={sort}
        onSort={setSort}
        choice={props.choice}
        onChoice={props.onChoice}
        selection={selection}
        onSelection={setSelection}
        toneOf={({ alarmState }) => alarmState.toLowerCase()}
        versionOf={({ alarmState, message, activeTime }) => `${alarmState} ${message} ${activeTime}`}
        onVisible={(rows) => details.want(rows.map(({ nodeId }) => nodeId))}
        card={{ ...CARD, show: (alarm) => <AlarmCard alarm={alarm} value={valueNow(details, alarm)} /> }}
        onKey={(key, rows) => {
          if (key !== 'a' && key !== 'x') return false;
          act(key === 'a' ? 'acknowledge' : 'clear', rows);
          return true;
        }}
        tools={
          <>
            {props.tools}
            {chosen.some((alarm) => mayAct('acknowledge', alarm)) && (
              <button type="button" class="button is-main" onClick={() => act('acknowledge', chosen)}>
                {say.acknowledge}
              </button>
            )}
            {chosen.some((alarm) => mayAct('clear', alarm)) && (
              <button type="button" class="button is-quiet" onClick={() => act('clear', chosen)}>
                {say.clear}
              </button>
            )}
          </>
        }
        {...(props.onActive && { active: props.active, onActive: props.onActive })}
        {...(props.onOpen && { onOpen: props.onOpen })}
      />
      {dialog && (
        <AcknowledgeDialog
          {...dialog}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setSelection(NOTHING);
            props.onDone();
          }}
        />
      )}
    </>
  );
}

type Details = ReturnType<typeof nodeDetails>;

function valueNow(details: Details, { nodeId }: Alarm): string {
  const node = details.of(nodeId);
  // A value without its time is not shown.
  return node && typeof node.currentTime === 'string' ? (valueText(node) ?? '') : '';
}

function columnsOf(details: Details, isCompact: boolean): readonly Column<Alarm>[] {
  const { alarms: say } = words.value;
  const { whole } = times();
  const at = (iso: string | null | undefined) => (iso ? whole(Date.parse(iso)) : '');
  return [
    {
      id: 'state',
      title: say.state,
      width: '9.5rem',
      isFixed: true,
      text: ({ alarmState }) => say[alarmState],
      value: ({ alarmState }) => (alarmState === 'ACTIVE' ? 0 : 1),
      cell: ({ alarmState }) => <AlarmState state={alarmState} />,
    },
    {
      id: 'node',
      title: say.node,
      width: 'minmax(9rem, 1.4fr)',
      isFixed: true,
      text: (alarm) => placeOf(alarm).name,
      cell: (alarm) => <bdi class="strong">{placeOf(alarm).name}</bdi>,
    },
    { id: 'message', title: say.message, width: 'minmax(10rem, 2fr)', text: ({ message }) => message ?? '' },
    {
      id: 'now',
      title: say.valueNow,
      width: '8rem',
      isNumber: true,
      isUnsorted: true,
      text: (alarm) => valueNow(details, alarm),
    },
    {
      id: 'since',
      title: say.since,
      width: '9rem',
      text: ({ activeTime }) => at(activeTime),
      value: ({ activeTime }) => (activeTime ? Date.parse(activeTime) : null),
      cell: ({ activeTime }) => <Since iso={activeTime} text={say.unknownTime} />,
    },
    {
      id: 'place',
      title: say.place,
      width: 'minmax(8rem, 1.4fr)',
      text: (alarm) => placeOf(alarm).place,
      isExtra: isCompact,
    },
    { id: 'type', title: say.type, width: '8.5rem', text: ({ alarmType }) => typeText(alarmType), isExtra: true },
    {
      id: 'by',
      title: say.by,
      width: 'minmax(8rem, 1fr)',
      text: ({ acknowledgeUsername }) => acknowledgeUsername ?? '',
      isExtra: isCompact,
    },
    {
      id: 'comment',
      title: say.comment,
      width: 'minmax(8rem, 1.2fr)',
      isExtra: true,
      text: ({ acknowledgeComment }) => acknowledgeComment ?? '',
    },
    {
      id: 'acknowledgedAt',
      title: say.acknowledgedAt,
      width: '11rem',
      isExtra: true,
      text: ({ acknowledgeTime }) => at(acknowledgeTime),
      value: ({ acknowledgeTime }) => (acknowledgeTime ? Date.parse(acknowledgeTime) : null),
    },
  ];
}

/** An alarm on a phone. */
function AlarmCard({ alarm, value }: { readonly alarm: Alarm; readonly value: string }) {
  const { name, place } = placeOf(alarm);
  return (
    <>
      <p class="card-main">
        <bdi class="strong">{name}</bdi>
        {value !== '' && <span class="number">{value}</span>}
      </p>
      <p class="card-text" dir="auto">
        {alarm.message ?? typeText(alarm.alarmType)}
      </p>
      <p class="card-facts">
        <AlarmState state={alarm.alarmState} />
        <Since iso={alarm.activeTime} text={words.value.alarms.unknownTime} />
        <bdi>{alarm.acknowledgeUsername ?? place}</bdi>
      </p>
    </>
  );
}
