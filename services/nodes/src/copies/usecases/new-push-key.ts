import { randomInt } from 'node:crypto';
import { pushKeyOf } from '../domain/push-key.ts';

export const newPushKey = (): string => pushKeyOf((below) => randomInt(below));
