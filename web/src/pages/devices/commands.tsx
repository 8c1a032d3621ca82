import { useState } from 'preact/hooks';
import { attributeOf } from '../../data/requests/failures.ts';
import { COMMANDS, type Command, commandDevice, type Device } from '../../data/sources/devices.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Question } from '../../parts/question.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { Card } from './card.tsx';
import { say } from './words.ts';

type CommandsProps = { readonly device: Device; readonly mayConfigure: boolean; readonly mayControl: boolean };

/** What changes more than the moment needs more (docs/reference/devices.md#commands). */
const NEEDS_CONFIGURE: ReadonlySet<Command> = new Set(['RESET', 'UPDATE_SOFTWARE']);

/** These are the commands of a Scout. */
export function Commands({ device, mayConfigure, mayControl }: CommandsProps) {
  const text = say().commands;
  const [asked, setAsked] = useState<Command>();
  const allowed = COMMANDS.filter((command) => (NEEDS_CONFIGURE.has(command) ? mayConfigure : mayControl));
  const saidOf = (command: Command) => {
    const name = text.names[command];
    return device.isConnected ? text.sentNow(name) : text.waits(name);
  };
  const send = async (command: Command) => {
    try {
      await commandDevice(device._id, { command });
      toast(saidOf(command));
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  const close = () => setAsked(undefined);
  return (
    <Card title={text.title}>
      <p class="soft">{allowed.length === 0 ? text.noControl : text.text}</p>
      <p class="buttons">
        {allowed.map((command) => (
          <Button
            key={command}
            onClick={() => (command === 'SET_CLOCK' || command === 'SEND_LOGS' ? send(command) : setAsked(command))}
          >
            {text.names[command]}
          </Button>
        ))}
      </p>
      {(asked === 'REBOOT' || asked === 'RESET') && (
        <Question
          title={asked === 'RESET' ? text.resetTitle : text.rebootTitle}
          main={text.names[asked]}
          said={saidOf(asked)}
          work={() => commandDevice(device._id, { command: asked })}
          onClose={close}
        >
          <p>{asked === 'RESET' ? text.resetText : text.rebootText}</p>
        </Question>
      )}
      {asked === 'UPDATE_SOFTWARE' && <Update device={device} said={saidOf('UPDATE_SOFTWARE')} onClose={close} />}
    </Card>
  );
}

const PARTS = ['version', 'url', 'sha256'] as const;
type Part = (typeof PARTS)[number];

function Update({
  device,
  said,
  onClose,
}: {
  readonly device: Device;
  readonly said: string;
  readonly onClose: () => void;
}) {
  const all = say();
  const text = all.commands;
  const [component, setComponent] = useState('APP');
  const [values, setValues] = useState<Readonly<Record<Part, string>>>({ version: '', url: '', sha256: '' });
  const [problem, setProblem] = useState<{ readonly at: string; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const trimmed = Object.fromEntries(PARTS.map((part) => [part, values[part].trim()]));
      await commandDevice(device._id, { command: 'UPDATE_SOFTWARE', component, ...trimmed });
      toast(said);
      onClose();
    } catch (error) {
      setProblem({ at: attributeOf(error) ?? '', text: errorText(error) });
      setBusy(false);
    }
  };
  const hints: Partial<Record<Part, string>> = { url: text.urlHint, sha256: text.sha256Hint };
  const isAtField = PARTS.some((part) => part === problem?.at);
  return (
    <FormDialog
      title={text.updateTitle}
      problem={isAtField ? '' : (problem?.text ?? '')}
      isBusy={isBusy}
      main={text.send}
      onSend={send}
      onClose={onClose}
    >
      <Field label={text.component}>
        {(control) => (
          <select {...control} value={component} onChange={(event) => setComponent(event.currentTarget.value)}>
            <option value="APP">{all.software.app}</option>
            <option value="FIRMWARE">{all.software.firmware}</option>
            <option value="BOOTLOADER">{all.software.bootloader}</option>
          </select>
        )}
      </Field>
      {PARTS.map((part) => (
        <Field
          key={part}
          label={text[part]}
          hint={hints[part]}
          problem={problem?.at === part ? problem.text : undefined}
        >
          {(control) => (
            <input
              {...control}
              spellcheck={false}
              autocomplete="off"
              maxLength={2_000}
              value={values[part]}
              onInput={(event) => setValues({ ...values, [part]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}
