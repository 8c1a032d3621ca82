export { PakBusError } from './bytes.ts';
export {
  type DataType,
  dataType,
  type Family,
  type LoggerTime,
  timeOf,
  type Value,
} from './data-types.ts';
export { Deframer, frame, PACKET_BYTES, WAKE_UP } from './framing.ts';
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
  type Secured,
  type Selection,
} from './messages.ts';
export {
  BROADCAST,
  decodePacket,
  EXPECT,
  encodePacket,
  LINK_STATE,
  type Message,
  type Packet,
  PROTOCOL,
} from './packet.ts';
export { type Collected, type LoggerRecord, RecordLayout } from './records.ts';
export { signatureOf } from './signature.ts';
export {
  type Column,
  columnsOf,
  DEFINITIONS_BYTES_MAX,
  decodeTableDefinitions,
  type Field,
  type Table,
} from './table-definitions.ts';
