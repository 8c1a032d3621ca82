import { BlockList, isIP } from 'node:net';
import { isHeaderOfHttp, type SettingsOf, type TransportName } from '@catchment/contracts/transports';
import { type Fields, invalidAttribute, type JsonObject, type Rule } from '../body/rule.ts';
import { CODE } from '../body/rules.ts';
import type { NodeKind } from './node-class.ts';

type TransportRow<Field extends string = string> = {
  readonly fields: Readonly<Record<Field, Fields[string]>>;
  /** Has a key that others send to; made here. */
  readonly hasKey?: true;
  /** A station calls itself by this name, sent without a secret: made here unless a person chooses one. */
  readonly drawn?: Field;
  /** Fields that name the device or station; a clone lacks them. */
  readonly deviceFields?: readonly Field[];
  /** Adds defaults that follow from other fields. */
  readonly complete?: (fields: JsonObject) => JsonObject;
  /** Rules between fields. @throws DomainError invalid_argument */
  readonly check?: (fields: JsonObject, kind: NodeKind) => void;
};

/** A row for each transport, a field for each of its settings, as the contract has them. */
type TransportTable = {
  readonly [Name in TransportName]: TransportRow<Exclude<keyof SettingsOf<Name> & string, 'key'>> &
    ('key' extends keyof SettingsOf<Name> ? { readonly hasKey: true } : { readonly hasKey?: never });
};

const choice = (...of: readonly string[]): Rule => ({ kind: 'choice', of });
const text = (min: number, max: number): Rule => ({ kind: 'text', min, max });
const secret = (max: number): Rule => ({ kind: 'secret', max });
const PORT: Rule = { kind: 'integer', min: 1, max: 65_535 };
const HOST: Rule = { kind: 'text', max: 253, pattern: /^[A-Za-z0-9._:-]+$/, rule: 'must be a host name or an address' };
const URL_RULE: Rule = {
  kind: 'text',
  max: 2000,
  pattern: /^https?:\/\/\S+$/,
  rule: 'must be an http or https address',
};
/** A device has 15 digits (IMEI), or the 12 digits of a generated number (docs/reference/devices.md#device-attributes). */
const DEVICE: Rule = {
  kind: 'text',
  max: 15,
  pattern: /^(\d{15}|\d{12})$/,
  rule: 'must be a device key: 15 digits (IMEI) or 12 digits',
};
const STATION = text(1, 60);

const CIDR: Rule = {
  kind: 'checked',
  rule: { kind: 'text', max: 50 },
  check: (value: string, at) => {
    if (!isCidr(value)) throw invalidAttribute(at, 'must be an address range such as 192.0.2.0/24 or 2001:db8::/32');
    return value;
  },
};
const HEADER_NAME: Rule = {
  kind: 'checked',
  rule: {
    kind: 'text',
    max: 100,
    pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    rule: 'must be the name of a header',
  },
  check: (value: string, at) => {
    if (isHeaderOfHttp(value)) throw invalidAttribute(at, `must not be ${value}, which the request has by itself`);
    return value;
  },
};
const WHITELIST = { ipWhitelist: { rule: { kind: 'list', max: 50, item: CIDR }, default: [] } } satisfies Fields;

function isCidr(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

const needsPassword = (authentication: string) => (fields: JsonObject) => {
  if (fields.authentication === authentication && fields.password === undefined)
    throw invalidAttribute('transport.password', `is required when authentication is ${authentication}`);
};
const LOGIN = (authentication: string) => ({
  authentication: { rule: choice('NONE', authentication), default: 'NONE' },
  password: { rule: secret(255) },
  ...WHITELIST,
});
const HTTP_PUSH = LOGIN('BASIC');
const UPLOAD = { password: { required: true as const, rule: secret(255) }, ...WHITELIST };

const TABLE: TransportTable = {
  None: { fields: {} },
  FtpDownload: {
    fields: {
      host: { required: true, rule: HOST },
      port: { rule: PORT },
      mode: { rule: choice('FTP', 'FTPS_EXPLICIT', 'FTPS_IMPLICIT'), default: 'FTP' },
      path: { rule: text(0, 1000), default: '' },
      user: { rule: text(1, 255), default: 'anonymous' },
      password: { rule: secret(255) },
    },
    complete: (fields) => ({ port: fields.mode === 'FTPS_IMPLICIT' ? 990 : 21, ...fields }),
  },
  SftpDownload: {
    fields: {
      host: { required: true, rule: HOST },
      port: { rule: PORT, default: 22 },
      path: { rule: text(0, 1000), default: '' },
      user: { required: true, rule: text(1, 255) },
      password: { rule: secret(255) },
      privateKey: { rule: { kind: 'secret', max: 16_384, lines: true } },
      hostKey: {
        rule: {
          kind: 'text',
          max: 60,
          pattern: /^SHA256:[A-Za-z0-9+/]{43}=?$/,
          rule: 'must be SHA256: and the fingerprint of a key, as ssh-keygen -l shows it',
        },
      },
    },
    check: ({ password, privateKey }) => {
      if (password === undefined && privateKey === undefined)
        throw invalidAttribute('transport.password', 'is required without a privateKey');
    },
  },
  HttpDownload: {
    fields: {
      headers: {
        default: [],
        rule: {
          kind: 'list',
          max: 20,
          uniqueBy: 'name',
          item: {
            kind: 'object',
            fields: {
              name: {
                required: true,
                rule: HEADER_NAME,
              },
              // Keys of other platforms travel in headers.
              value: {
                required: true,
                rule: { kind: 'secret', max: 2000, pattern: /^[\x20-\x7e]*$/, rule: 'must be printable ASCII' },
              },
            },
          },
        },
      },
    },
  },
  HttpUpload: { fields: HTTP_PUSH, hasKey: true, check: needsPassword('BASIC') },
  LorawanUpload: {
    fields: {
      network: { required: true, rule: choice('TTS', 'CHIRPSTACK') },
      ...HTTP_PUSH,
      decoder: { rule: CODE },
      deviceEui: {
        rule: {
          kind: 'text',
          max: 16,
          pattern: /^[0-9a-fA-F]{16}$/,
          rule: 'must be 16 hexadecimal digits',
        },
      },
    },
    hasKey: true,
    check: needsPassword('BASIC'),
  },
  Email: {
    fields: {
      senderFilter: {
        rule: {
          kind: 'text',
          max: 320,
          pattern: /^[^\s@]*@[^\s@]+$/,
          rule: 'must be an e-mail address or @ and a domain',
        },
      },
      dataFrom: { rule: choice('ATTACHMENTS', 'BODY'), default: 'ATTACHMENTS' },
      processBody: { rule: choice('NO', 'PLAIN_TEXT', 'HTML') },
    },
    hasKey: true,
    check: (fields, kind) => {
      if (fields.processBody !== undefined && kind !== 'attachmentSource')
        throw invalidAttribute('transport.processBody', 'is for attachment sources only');
    },
  },
  Sms: { fields: {}, hasKey: true },
  Mqtt: { fields: LOGIN('CONNECT'), hasKey: true, check: needsPassword('CONNECT') },
  FtpUpload: { fields: UPLOAD, hasKey: true },
  SftpUpload: { fields: UPLOAD, hasKey: true },
  S3: {
    fields: {
      bucket: { required: true, rule: text(3, 63) },
      accessKeyId: { required: true, rule: text(1, 128) },
      secret: { required: true, rule: secret(255) },
      prefix: { rule: text(0, 1000), default: '' },
      endpoint: { rule: URL_RULE },
    },
  },
  Dropbox: {
    fields: { account: { required: true, rule: text(1, 255) }, token: { required: true, rule: secret(4000) } },
  },
  TcpClient: { fields: { host: { required: true, rule: HOST }, port: { required: true, rule: PORT } } },
  TcpCallback: { fields: { deviceId: { required: true, rule: DEVICE } }, deviceFields: ['deviceId'] },
  Scout: { fields: { deviceId: { required: true, rule: DEVICE } }, deviceFields: ['deviceId'] },
  TcpServer: { fields: { siteId: { rule: STATION } }, drawn: 'siteId', deviceFields: ['siteId'] },
  Meshlium: {
    fields: {
      meshliumId: { required: true, rule: STATION },
      authKey: { required: true, rule: secret(255) },
      waspmoteId: { required: true, rule: STATION },
    },
    deviceFields: ['meshliumId', 'waspmoteId'],
  },
};

/** See docs/reference/acquisition.md#transports. Maximum lengths are decided here. */
export const TRANSPORTS: Readonly<Record<TransportName, TransportRow>> = TABLE;
