import { useState } from 'preact/hooks';
import { nodeAddress } from '../../data/addresses.ts';
import type { Device } from '../../data/sources/devices.ts';
import type { Source } from '../../data/sources/sources.ts';
import { localeOf } from '../../data/times.ts';
import { At } from '../../parts/since.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language } from '../../words/index.ts';
import { Card } from './card.tsx';
import type { Message } from './message-log.ts';
import { useMessages } from './use-messages.ts';
import { say } from './words.ts';

type MessagesProps = { readonly device: Device; readonly sources: readonly Source[] | undefined };

/** Shows what a device sends and what happens to it, as it comes. */
export function Messages({ device, sources }: MessagesProps) {
  const text = say().messages;
  const [isPaused, setPaused] = useState(false);
  const { messages, waiting, isLoading, error } = useMessages(sources, isPaused);
  if (sources?.length === 0)
    return (
      <Card title={text.title} class="is-wide">
        <p class="soft">{text.noSource}</p>
      </Card>
    );
  return (
    <Card title={text.title} class="is-wide">
      <p class="soft">{text.text}</p>
      {error !== undefined && <Problem text={`${text.failed} ${errorText(error)}`} />}
      <div class="device-messages">
        <Table<Message>
          label={text.title}
          columns={columnsOf()}
          rows={messages}
          keyOf={keyOf}
          words={tableWords()}
          locale={localeOf(language.value)}
          fileName={device.deviceKey}
          toneOf={toneOf}
          card={{ below: 560, height: 66, show: (message) => <MessageCard message={message} /> }}
          tools={
            <>
              <Button aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
                {isPaused ? text.goOn : text.pause}
              </Button>
              <span role="status" class="soft">
                {isPaused && text.paused(waiting)}
              </span>
            </>
          }
          empty={!isLoading && <p class="soft">{text.none}</p>}
        />
      </div>
      {isLoading && messages.length === 0 && <Busy text={text.loading} />}
      {device.datasourceId !== undefined && (
        <p>
          <a href={nodeAddress(device.datasourceId, 'events')}>{text.all}</a>
        </p>
      )}
    </Card>
  );
}

const keyOf = ({ key }: Message): string => key;
const toneOf = ({ level }: Message): string | undefined => (level === 'DEBUG' ? 'soft' : undefined);

function columnsOf(): readonly Column<Message>[] {
  const text = say().messages;
  return [
    {
      id: 'time',
      title: text.columns.time,
      width: '11.5rem',
      isFixed: true,
      isUnsorted: true,
      text: ({ time }) => time,
      cell: ({ time }) => <At iso={time} />,
    },
    { id: 'kind', title: text.columns.kind, width: '7rem', isUnsorted: true, text: ({ kind }) => text.kinds[kind] },
    {
      id: 'text',
      title: text.columns.text,
      width: 'minmax(14rem, 1fr)',
      isFixed: true,
      isUnsorted: true,
      text: textOf,
    },
  ];
}

const textOf = ({ name, text }: Message): string => (name === undefined ? text : `${name}: ${text}`);

function MessageCard({ message }: { readonly message: Message }) {
  return (
    <>
      <p class="card-main" dir="auto">
        {textOf(message)}
      </p>
      <p class="card-facts">
        <At iso={message.time} />
        <span>{say().messages.kinds[message.kind]}</span>
      </p>
    </>
  );
}
