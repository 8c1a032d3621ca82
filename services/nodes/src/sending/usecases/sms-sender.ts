type OutgoingSms = {
  /** The same for every try. */
  readonly id: string;
  /** `+` and digits. */
  readonly to: string;
  readonly text: string;
};

export type SmsSender = {
  /** @throws SmsFailure, or what `fetch` throws: then another try may succeed */
  send(message: OutgoingSms): Promise<void>;
};

/** The gateway answers this to a message that it does not take. */
export class SmsFailure extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the SMS gateway answered ${status}`);
    this.name = 'SmsFailure';
    this.status = status;
  }
}

/** Statuses of a gateway that is busy or slow; so is any from 500 on. The rest says that another try makes no difference. */
const BUSY = [408, 429];

/** Returns the loggable part of a failure, and whether a further try makes no difference. Addresses may hold a login: none is shown. */
export function smsFailureOf(error: unknown): { facts: Readonly<Record<string, string | number>>; isFinal: boolean } {
  if (error instanceof SmsFailure) {
    const { status } = error;
    return { facts: { code: 'HTTP', response: status }, isFinal: status < 500 && !BUSY.includes(status) };
  }
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  const code = name === 'TimeoutError' ? 'TIMEOUT' : cause?.code;
  return { facts: { code: typeof code === 'string' ? code : 'UNKNOWN' }, isFinal: false };
}
