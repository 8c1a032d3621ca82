import { API_SCHEMAS } from '@catchment/contracts/api-schemas';

type Class = { readonly about: string; readonly example?: object };

const ID = '53eada0ada91110000000046';

/** People read this about each class of nodes; an example is the body of a creation. */
export const NODE_CLASSES: Readonly<Record<keyof typeof API_SCHEMAS.nodes, Class>> = {
  Workspace: {
    about: 'A workspace: everything about a project or site lies below one, and access is given to it.',
    example: { _class: 'io.svc.models.node.Workspace', name: 'Glacier' },
  },
  Templates: { about: 'The root of the templates of the account; there is one at most.' },
  Group: { about: 'A group of nodes, such as a folder.' },
  Location: {
    about: 'A place, fixed or moving: its records are coordinates.',
    example: { _class: 'io.svc.models.node.location.Location', name: 'Pier', parentId: ID },
  },
  TextParserSource: { about: 'A data source of files of delimited text.' },
  JtsSource: {
    about: 'A data source of JTS documents, also of what programs write by the API.',
    example: { _class: 'io.svc.models.node.source.data.Jts', name: 'Logger', parentId: ID },
  },
  ConverterSource: { about: 'A data source of files that a converter of the installation reads.' },
  CampbellPakBusSource: { about: 'A data source of loggers that speak PakBus.' },
  WaterLogSource: { about: 'A data source of WaterLOG loggers.' },
  SensorLogSource: { about: 'A data source of SensorLog loggers.' },
  WaspmoteSource: { about: 'A data source of Waspmote boards.' },
  OttNetDlSource: { about: 'A data source of OTT netDL loggers.' },
  ModbusSource: {
    about: 'A data source that reads registers by Modbus TCP.',
    example: {
      _class: 'io.svc.models.node.source.data.Modbus',
      name: 'PLC',
      parentId: ID,
      transport: { _class: 'io.svc.models.node.transport.TcpClient', host: 'plc.example.org', port: 502 },
      registers: [{ series: 'level', address: 100, type: 'FLOAT32', units: 'm' }],
    },
  },
  ProcessorSource: { about: 'A processor: a program that makes records of several parameters.' },
  AttachmentSource: { about: 'A source of files that are kept as attachments, such as pictures of a camera.' },
  Attachment: { about: 'A file. It is made by `POST /nodes/{id}/attachments`.' },
  NumberPoint: {
    about: 'A parameter whose records are numbers.',
    example: { _class: 'io.svc.models.node.point.NumberPoint', name: 'Level', parentId: ID, units: 'm' },
  },
  TextPoint: { about: 'A parameter whose records are texts.' },
  TimePoint: { about: 'A parameter whose records are times.' },
  NumberControlPoint: { about: 'A number that can be written to a logger.' },
  TextControlPoint: { about: 'A text that can be written to a logger.' },
  TimeControlPoint: { about: 'A time that can be written to a logger.' },
  NumberProcessPoint: { about: 'A parameter whose numbers a program computes.' },
  TextProcessPoint: { about: 'A parameter whose texts a program computes.' },
  TimeProcessPoint: { about: 'A parameter whose times a program computes.' },
  NumberRatingPoint: { about: 'A parameter whose numbers follow from another parameter by a rating.' },
  HistoricChart: { about: 'A chart of parameters over time.' },
  WindRoseChart: { about: 'A chart of the speeds and directions of wind.' },
  DisplacementChart: { about: 'A chart of measurements along a profile.' },
  Dashboard: { about: 'A page of tiles that show values, charts and maps.' },
  Report: { about: 'A document about nodes, made as a PDF.' },
};

/** Returns the public class of nodes by the name of its schema. */
export const classOf = (name: keyof typeof API_SCHEMAS.nodes): string =>
  API_SCHEMAS.nodes[name].properties._class.enum[0];
