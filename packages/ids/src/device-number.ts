import { randomInt } from 'node:crypto';

const DEVICE_NUMBER = /^\d{12}$/;
const IMEI = /^\d{15}$/;

/** Returns a fresh device number of 12 random digits. Uniqueness is settled by the registry. */
export const newDeviceNumber = (): string => randomInt(1_000_000).toString().padStart(6, '0') + sixDigits();

const sixDigits = (): string => randomInt(1_000_000).toString().padStart(6, '0');

export const isDeviceNumber = (text: string): boolean => DEVICE_NUMBER.test(text);

/** True for 15 digits whose last one is the Luhn check digit of the others. */
export function isImei(text: string): boolean {
  if (!IMEI.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const digit = text.charCodeAt(i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
