import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ATTR, PAGED_LIST } from '@catchment/query';
import { json, objectId, operation, UNCHANGED, wholeOrPart } from '../openapi/parts.ts';

const tag = 'Devices';
const DEVICE = { $ref: 'Device#' };
const { deviceKey, phoneNumber, secret, config, command, remote } = API_SCHEMAS.device;
const CONFIG = { ...config, description: 'ScoutDevice only.' };

export const listDevices = operation({
  id: 'listDevices',
  tag,
  summary: 'List devices',
  query: PAGED_LIST,
  success: json(200, 'The devices.', { type: 'array', items: wholeOrPart('Device') }),
  others: UNCHANGED,
});

const SECRET = { ...secret, writeOnly: true };
const PHONE = { ...phoneNumber, examples: ['+4512345678'] };
const SUCCESS = json(200, 'Done.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } });
const time = { type: 'string', format: 'date-time' };

export const createDevice = operation({
  id: 'createDevice',
  tag,
  summary: 'Register a device',
  description:
    'An IMEI is unique in the account only, since nobody can prove to own one: other accounts may have registered it too, and no answer shows whether they have. The secret decides whose modem it is, and the modem sends it when it identifies itself. **The answer shows a secret that was made here this once.** A modem without a secret goes to the first registration of its key that has none.',
  body: {
    type: 'object',
    properties: {
      _class: { type: 'string' },
      deviceKey: {
        ...deviceKey,
        description:
          'IMEI, unique in the account; left out = a number of 12 digits is made, unique in the installation.',
      },
      workspaceId: { type: 'string' },
      phoneNumber: PHONE,
      secret: { ...SECRET, description: 'Left out = one is made; null = the device has none.' },
      config: CONFIG,
    },
    examples: [{ _class: 'io.svc.models.device.ScoutDevice', workspaceId: '53eada0ada91110000000046' }],
  },
  success: json(201, 'The new device, with its `secret` when that was made here.', DEVICE),
  extension: true,
});

export const updateDevice = operation({
  id: 'updateDevice',
  tag,
  summary: 'Change a device',
  description:
    'An attribute that is left out stays. When the secret changes, a connected modem is disconnected and must identify itself with the new one. Secrets given back as they are shown (`********`) stay.',
  withId: 'The `_id` of the device.',
  body: {
    type: 'object',
    properties: {
      phoneNumber: PHONE,
      secret: {
        ...SECRET,
        description:
          'null = none from now on: modems without a secret go to registrations of the key first that had none before.',
      },
      config: { ...CONFIG, description: 'ScoutDevice only. What is left out stays; null = the defaults.' },
    },
    examples: [{ secret: 'correct horse battery staple' }],
  },
  success: json(200, 'The device.', DEVICE),
  extension: true,
});

export const getDevice = operation({
  id: 'getDevice',
  tag,
  summary: 'Get a device',
  withId: true,
  query: ATTR,
  success: json(200, 'The device.', wholeOrPart('Device')),
  others: UNCHANGED,
});

export const deleteDevice = operation({
  id: 'deleteDevice',
  tag,
  summary: 'Delete a device',
  description: 'A connected modem is disconnected. 400 while the transport of a source names the device.',
  withId: 'The `_id` of the device.',
  success: SUCCESS,
  extension: true,
});

export const commandDevice = operation({
  id: 'commandDevice',
  tag,
  summary: 'Send a command to a Scout',
  description:
    'Sent at once where the modem is connected, else at its next connection, and again until the modem has answered. An event of the source reports the result. REBOOT, SEND_LOGS and SET_CLOCK need CONTROL; RESET (to its defaults) and UPDATE_SOFTWARE need CONFIGURE. The modem fetches software from `url` by itself, and checks `sha256`. At most 20 commands wait for a device.',
  withId: 'The `_id` of the device.',
  body: {
    type: 'object',
    description: 'All but `command` is for UPDATE_SOFTWARE.',
    required: ['command'],
    properties: command.properties,
    examples: [{ command: 'REBOOT' }],
  },
  success: json(202, 'The command waits to be sent.', {
    type: 'object',
    properties: {
      status: { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' } } },
      command: {
        type: 'object',
        properties: { _id: objectId, ...command.properties, createdTime: time },
      },
    },
  }),
  extension: true,
});

const REMOTE = {
  type: 'object',
  properties: {
    state: {
      enum: ['OPENING', 'LISTENING', 'CONNECTED', 'CLOSED'],
      description: 'CONNECTED: a client is on, and no session of the source runs. CLOSED: there is no remote access.',
    },
    host: { type: 'string' },
    port: { type: ['integer', 'null'] },
    cidr: { type: 'string' },
    username: { type: 'string', description: 'Who opened it.' },
    endTime: { type: 'string', format: 'date-time' },
  },
};

export const startRemote = operation({
  id: 'startRemote',
  tag: 'Nodes',
  summary: 'Open remote access to a logger',
  description:
    'For sources whose device connects by itself (TcpCallback, Scout) and is connected: opens a temporary port on which one client at a time speaks with the logger directly. Needs MODIFY and CONTROL; a SECURITY event names who opened it. 400 where the operator of the installation has given no ports, and while it is open already.',
  withId: true,
  body: {
    type: 'object',
    required: ['cidr', 'minutes'],
    properties: {
      cidr: { type: 'string', description: 'Addresses that may connect: at most /24, or /120 of IPv6.' },
      minutes: remote.minutes,
    },
    examples: [{ cidr: '192.0.2.17/32', minutes: 30 }],
  },
  success: json(200, 'Where the client connects.', REMOTE),
  extension: true,
});

export const readRemote = operation({
  id: 'readRemote',
  tag: 'Nodes',
  summary: 'Get the state of remote access',
  withId: true,
  success: json(200, 'The state.', REMOTE),
  extension: true,
});

export const stopRemote = operation({
  id: 'stopRemote',
  tag: 'Nodes',
  summary: 'End remote access',
  description: 'A client that is connected is disconnected. 404 where remote access is not open.',
  withId: true,
  success: SUCCESS,
  extension: true,
});
