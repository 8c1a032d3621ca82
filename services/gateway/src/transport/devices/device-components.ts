import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { partly } from '../openapi/attributes.ts';
import { objectId } from '../openapi/parts.ts';
import { type Component, string, time } from '../openapi/schema-parts.ts';

const { device } = API_SCHEMAS;

export const DEVICE_COMPONENTS: readonly Component[] = [
  {
    $id: 'Device',
    type: 'object',
    description: 'A modem or other device that connects.',
    required: ['_class', '_id', 'deviceKey', 'isConnected', 'createdTime', 'software'],
    properties: {
      _class: { type: 'string', enum: device.classes },
      _id: objectId,
      deviceKey: string('IMEI or generated number.', '356938035643809'),
      workspaceId: objectId,
      datasourceId: objectId,
      isConnected: { type: 'boolean' },
      lastConnected: time,
      createdTime: time,
      phoneNumber: { type: ['string', 'null'], examples: ['+4512345678'] },
      software: device.software,
      config: { ...(partly(device.config) as object), description: 'ScoutDevice only.' },
      isOutOfDate: {
        type: 'boolean',
        description: 'The modem has not confirmed the newest configuration. ScoutDevice only.',
      },
      secret: {
        type: 'string',
        description:
          'There when the device has one: `********`, except in the one answer that shows a generated secret (POST /devices).',
      },
    },
  },
];
