export { PakBusError } from './bytes.ts';
export {
  type Family,
  timeOf,
  type Value,
} from './data-types.ts';
export { Deframer, frame, WAKE_UP } from './framing.ts';
export {
  CLOCK,
  COLLECT,
  COMPLETE,
  DENIED,
  FAILURE,
  failureText,
  HELLO,
  type Kind,
  NO_SUCH_VALUE,
  ONE_WAY,
  OTHER_DEFINITION,
  PLEASE_WAIT,
  PROGRAM,
  type Program,
  READ_FILE,
  responseType,
  SET_VALUE,
  type Selection,
} from './messages.ts';
export {
  BROADCAST,
  decodePacket,
  EXPECT,
  encodePacket,
  LINK_STATE,
  type Packet,
  PROTOCOL,
} from './packet.ts';
export { type LoggerRecord, RecordLayout } from './records.ts';
export {
  type Column,
  columnsOf,
  DEFINITIONS_BYTES_MAX,
  decodeTableDefinitions,
  type Field,
  type Table,
} from './table-definitions.ts';
