import { useMemo } from 'preact/hooks';
import type { Alarm } from '../../data/alarms/alarms.ts';
import { attributeOf } from '../../data/requests/failures.ts';
import { schemas } from '../../data/requests/schemas.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { type Device, readDevice, updateDevice } from '../../data/sources/devices.ts';
import { formWords } from '../../parts/words-of.ts';
import {
  type Document,
  type Field,
  Form,
  fieldsOf,
  forBody,
  isSame,
  type JsonSchema,
  type Saved,
  type Schemas,
} from '../../ui/form/index.ts';
import { Busy, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { loadAttributeWords } from '../../words/attributes.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { Card } from './card.tsx';
import type { ConfigState } from './rows.ts';
import { ConfigSign } from './signs.tsx';
import { say } from './words.ts';
import '../../styles/console/forms.css';

type ConfigurationProps = {
  readonly device: Device;
  readonly state: ConfigState;
  readonly refusal: Alarm | undefined;
  readonly mayConfigure: boolean;
  readonly onSaved: () => void;
};

/** Shows how far a configuration has come, and what it says. */
export function Configuration({ device, state, refusal, mayConfigure, onSaved }: ConfigurationProps) {
  const text = say().config;
  const { ui } = words.value;
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(
    () => known.value && fieldsOfConfig(known.value as Schemas, device),
    [known.value, device._id],
  );
  if (device.config === undefined)
    return (
      <Card title={text.title}>
        <p class="soft">{text.noneText}</p>
      </Card>
    );
  return (
    <Card title={text.title} class="is-wide">
      <p class="device-config-state">
        <ConfigSign state={state} /> <span>{text[`${state}Text`]}</span>
      </p>
      {state === 'refused' && refusal?.message !== undefined && <q dir="auto">{refusal.message}</q>}
      {!mayConfigure && <p class="soft">{text.readOnly}</p>}
      {!fields &&
        (known.error === undefined ? (
          <Busy text={ui.loading} />
        ) : (
          <Problem text={errorText(known.error)} again={known.again} againText={ui.again} />
        ))}
      {fields && (
        <details class="device-config">
          <summary>{text.change}</summary>
          <Form
            storageKey={`device ${device._id}`}
            document={documentOf(device, fields)}
            revision={JSON.stringify(device.config)}
            groups={[{ title: text.change, fields }]}
            words={wordsOfConfig()}
            isReadOnly={!mayConfigure}
            isShown={() => true}
            special={() => undefined}
            save={(changes, base) => save(device, { changes, base, fields, onSaved })}
          />
        </details>
      )}
    </Card>
  );
}

/** Returns words of forms, with those of what only devices have. */
function wordsOfConfig() {
  const form = formWords();
  const labels: Readonly<Record<string, string>> = say().config.labels;
  return { ...form, label: (name: string) => labels[name] ?? form.label(name) };
}

/** Returns the parts of the configuration; each interface is one, of the kind that the device has it. */
function fieldsOfConfig(all: Schemas, { config }: Device): readonly Field[] {
  const schema = all.Device?.properties?.config;
  if (!schema) return [];
  const given = schema.properties ?? {};
  const kinds =
    (given.interfaces as { readonly additionalProperties?: JsonSchema } | undefined)?.additionalProperties?.anyOf ?? [];
  const interfaces = Object.entries((config?.interfaces ?? {}) as Document).map(([name, settings]) => {
    const isSerial = String((settings as { readonly _class?: string })._class).endsWith('SerialInterface');
    const kind = kinds.find(({ properties = {} }) => Object.hasOwn(properties, 'speed') === isSerial) ?? {};
    return [name, kind] as const;
  });
  const properties = {
    ...given,
    interfaces: { type: 'object', properties: Object.fromEntries(interfaces) } as JsonSchema,
  };
  return fieldsOf({ type: 'object', properties }, all);
}

const documentOf = ({ config }: Device, fields: readonly Field[]): Document =>
  Object.fromEntries(fields.map((field) => [field.name, forBody(config?.[field.name], field)]));

type Save = {
  readonly changes: Document;
  readonly base: Document;
  readonly fields: readonly Field[];
  readonly onSaved: () => void;
};

/** A configuration has no revision to be meant for: what is there now is compared before it is changed. */
async function save(device: Device, { changes, base, fields, onSaved }: Save): Promise<Saved> {
  try {
    const now = await readDevice(device._id);
    const theirs = documentOf(now, fields);
    if (!isSame(theirs, base)) return { kind: 'conflict', document: theirs, revision: JSON.stringify(now.config) };
    const sent = Object.entries(changes).map(([name, value]) => [name, withClasses(value, now.config?.[name])]);
    const saved = await updateDevice(device._id, { config: Object.fromEntries(sent) });
    toast(say().config.saved);
    onSaved();
    return { kind: 'saved', document: documentOf(saved, fields), revision: JSON.stringify(saved.config) };
  } catch (error) {
    const path = attributeOf(error)?.replace(/^config\./, '');
    return { kind: 'refused', message: errorText(error), ...(path !== undefined && { path }) };
  }
}

/** The kind of an interface, which a form does not show, goes along with it. */
function withClasses(value: unknown, before: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof before !== 'object' || before === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, value]) => {
      const part = (before as Document)[name] as { readonly _class?: string } | undefined;
      const isPart = typeof value === 'object' && value !== null && part?._class !== undefined;
      return [name, isPart ? { ...value, _class: part._class } : value];
    }),
  );
}
