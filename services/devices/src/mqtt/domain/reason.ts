/** Reason codes of MQTT 5; for MQTT 3.1.1 those of CONNACK follow from them. */
export const REASON = {
  malformed: 0x81,
  protocolError: 0x82,
  implementation: 0x83,
  version: 0x84,
  clientId: 0x85,
  credentials: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  shuttingDown: 0x8b,
  authMethod: 0x8c,
  keepAlive: 0x8d,
  takenOver: 0x8e,
  topicName: 0x90,
  unknownPacketId: 0x92,
  receiveMaximum: 0x93,
  topicAlias: 0x94,
  tooLarge: 0x95,
  rate: 0x96,
  quota: 0x97,
  payload: 0x99,
} as const;

export type ReasonCode = (typeof REASON)[keyof typeof REASON];

/** Ends the connection: what the client has done, or what stands in its way. */
export class Ending extends Error {
  readonly code: ReasonCode;
  /** @param message what a person can act on */
  constructor(code: ReasonCode, message: string) {
    super(message);
    this.name = 'Ending';
    this.code = code;
  }
}

const RETURN_CODES: Readonly<Partial<Record<ReasonCode, number>>> = {
  [REASON.version]: 1,
  [REASON.clientId]: 2,
  [REASON.unavailable]: 3,
  [REASON.busy]: 3,
  [REASON.quota]: 3,
  [REASON.credentials]: 4,
  [REASON.notAuthorized]: 5,
  [REASON.rate]: 5,
};

/** Returns the code in a CONNACK of MQTT 3.1.1; undefined: the connection ends without one. */
export const returnCode = (code: ReasonCode): number | undefined => RETURN_CODES[code];
