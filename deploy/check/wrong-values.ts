import { WRONG_PARTS } from './wrong-parts.ts';

/** These cannot be beside shared pods of nodes and historic. */
const PROCESSES: readonly (readonly [what: string, set: string, says: RegExp])[] = [
  ['one service in shared pods', 'processes.front.services={gateway}', /processes\/front\/services.*minItems/],
  [
    'an unknown service in shared pods',
    'processes.front.services={gateway,web}',
    /processes\/front\/services.*one of 'gateway'/,
  ],
  [
    'a service in two',
    'processes.front.services={gateway,nodes}',
    /nodes is in core and in front; a service runs in one/,
  ],
  [
    'shared pods with the name of a service',
    'processes.alarms.services={gateway,alarms}',
    /alarms is the name of another part/,
  ],
  ['shared pods that are scaled', 'processes.core.autoscaling.enabled=true', /'autoscaling' not allowed/],
  [
    'a service of shared pods that is scaled',
    'historic.autoscaling.enabled=true',
    /historic\.autoscaling: historic shares the pods of core.*take it out of processes\.core\.services/,
  ],
  [
    'shared pods where everything is scaled',
    'workload.autoscaling.enabled=true',
    /historic shares the pods of core|nodes shares the pods of core/,
  ],
  ['replicas of a service of shared pods', 'nodes.replicas=2', /say how many in processes\.core\.replicas/],
  [
    'a place of a service of shared pods',
    'nodes.nodeSelector.disk=ssd',
    /nodes\.nodeSelector: nodes shares the pods of core: give it in processes\.core/,
  ],
  ['options of Node.js for one of two services', 'nodes.env.NODE_OPTIONS=--inspect', /give it in processes\.core\.env/],
  [
    'a setting of a service for shared pods',
    'processes.core.env.LOG_LEVEL=debug',
    /LOG_LEVEL is a setting of services/,
  ],
];

/** These values must be refused, with this message. */
export const WRONG_VALUES: readonly { what: string; set: readonly string[]; says: RegExp }[] = [
  {
    what: 'the address of a listener that there is not',
    set: ['gateway.deviceAddresses.telnet=example.org:23'],
    says: /invalid propertyName 'telnet'/,
  },
  { what: 'a number as a word', set: ['gateway.replicas=two'], says: /gateway\/replicas.*got string, want integer/ },
  { what: 'an unknown key', set: ['gatewy.replicas=2'], says: /additional properties 'gatewy' not allowed/ },
  { what: 'an unknown key below', set: ['nats.password=x'], says: /'\/nats'.*'password' not allowed/ },
  { what: 'an unknown log level', set: ['logLevel=loud'], says: /logLevel.*one of 'debug', 'info', 'warn', 'error'/ },
  { what: 'two stream replicas', set: ['streamReplicas=2'], says: /streamReplicas.*one of 1, 3, 5/ },
  { what: 'more traces than requests', set: ['otlpTraceShare=10'], says: /otlpTraceShare.*maximum/ },
  { what: 'a stream without room', set: ['streams.ingestMiB=63'], says: /streams\/ingestMiB/ },
  { what: 'an unknown stream', set: ['streams.logMiB=64'], says: /'\/streams'.*'logMiB' not allowed/ },
  {
    what: 'streams without room for attachments',
    set: ['streams.ingestMiB=4096'],
    says: /streams: all together take 6144 MiB.*nats\.trial\.fileStoreGiB/,
  },
  { what: 'stream replicas on one server', set: ['streamReplicas=3'], says: /need a NATS cluster/ },
  { what: 'a password in a URL', set: ['nats.url=nats://u:p@nats:4222'], says: /put them into a Secret/ },
  {
    what: 'a digest of one image of two',
    set: [`image.digest=sha256:${'0'.repeat(64)}`],
    says: /render\.reports\.digest.*Chromium/,
  },
  { what: 'the tag latest', set: ['image.tag=latest'], says: /name a version/ },
  {
    what: 'an Ingress without certificate',
    set: ['gateway.ingress.enabled=true', 'gateway.ingress.host=a.example.org'],
    says: /API keys would travel unencrypted/,
  },
  { what: 'an Ingress without host', set: ['gateway.ingress.enabled=true'], says: /needs the host name/ },
  {
    what: 'modems without TLS in public',
    set: ['devices.modem.service.type=LoadBalancer'],
    says: /modems' passwords would travel unencrypted/,
  },
  {
    what: 'a listener that there is not',
    set: ['devices.listeners.gopher.enabled=true'],
    says: /devices\.listeners\.gopher: there is no such listener/,
  },
  {
    what: 'listeners without TLS in public',
    set: ['devices.listeners.service.type=LoadBalancer'],
    says: /keys and passwords would travel unencrypted/,
  },
  {
    what: 'SFTP without a key',
    set: ['devices.listeners.sftp.enabled=true'],
    says: /clients know the server by its key/,
  },
  { what: 'mails without a domain', set: ['devices.listeners.smtp.enabled=true'], says: /name what follows the @/ },
  { what: 'a login without server', set: ['postgresql.existingSecret=a'], says: /belong to an external server/ },
  { what: 'a password in the URL of mails', set: ['mail.url=smtp://u:p@mail'], says: /mail\.existingSecret/ },
  { what: 'mails from nobody', set: ['mail.url=smtp://mail'], says: /name the sender/ },
  { what: 'a sender without mail server', set: ['mail.from=a@b.example'], says: /give mail\.url too/ },
  { what: 'a password in the URL of SMS', set: ['sms.url=https://u:p@sms'], says: /sms\.existingSecret/ },
  { what: 'SMS from nobody', set: ['sms.preset=twilio'], says: /name the sender of the SMS/ },
  { what: 'a sender without gateway', set: ['sms.from=Catchment'], says: /give sms\.preset or sms\.url too/ },
  {
    what: 'an address in the place of a range',
    set: ['events.webhooks.allowedRanges={10.20.0.1}'],
    says: /events\/webhooks\/allowedRanges\/0.*does not match pattern/,
  },
  { what: 'brokers as a URL', set: ['kafka.brokers=kafka://a:9092'], says: /kafka\/brokers.*does not match pattern/ },
  {
    what: 'an unknown topic',
    set: ['kafka.topics={nodes}'],
    says: /kafka\/topics.*one of 'events', 'alarms', 'records'/,
  },
  {
    what: 'a login at brokers without a name',
    set: ['kafka.brokers=a:9092', 'kafka.saslMechanism=PLAIN'],
    says: /kafka\.saslMechanism and kafka\.existingSecret go together/,
  },
  { what: 'a login without brokers', set: ['kafka.existingSecret=a'], says: /give kafka\.brokers too/ },
  {
    what: 'a scale upside down',
    set: ['nodes.autoscaling.enabled=true', 'nodes.autoscaling.minReplicas=5', 'nodes.autoscaling.maxReplicas=2'],
    says: /maxReplicas \(2\) is below minReplicas \(5\)/,
  },
  ...[
    'NATS_PASSWORD',
    'INFLUX_NORTH_PASSWORD',
    'DATABASE_URL',
    'BASE_URL',
    'HISTORIC_ADDRESS',
    'INGEST_PARTITIONS',
  ].map((name) => ({
    what: `${name} in the environment`,
    set: [`nodes.env.${name}=x`],
    says: new RegExp(`nodes\\.env: ${name} is set by the chart`),
  })),
  ...['SMS_INCOMING_TOKEN', 'SMS_INCOMING_TWILIO_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTHER_PASSWORD'].map(
    (name) => ({
      what: `${name} in the environment`,
      set: [`gateway.env.${name}=x`],
      says: new RegExp(`gateway\\.env: ${name} is secret.*name that in gateway\\.envFromSecret`),
    }),
  ),
  {
    what: 'a scraper that is not let in',
    set: ['monitoring.podMonitor.enabled=true'],
    says: /monitoring\.scrapeFrom: nobody would be let in/,
  },
  {
    what: 'an alert that there is not',
    set: ['monitoring.rules.enabled=true', 'monitoring.rules.disabled={CatchmentOnFire}'],
    says: /there is no alert CatchmentOnFire/,
  },
  {
    what: 'an unknown field of an alert',
    set: ['monitoring.rules.overrides.CatchmentDatabaseSlow.severity=critical'],
    says: /'severity' not allowed/,
  },
  {
    what: 'two InfluxDBs of one name',
    set: ['influxdb.url=http://a:8086', 'influxdb.shards[0].name=default', 'influxdb.shards[0].url=http://b:8086'],
    says: /influxdb\.shards: the name default is taken/,
  },
  {
    what: 'a password in the URL of a further InfluxDB',
    set: ['influxdb.url=http://a:8086', 'influxdb.shards[0].name=b', 'influxdb.shards[0].url=http://u:p@b:8086'],
    says: /influxdb\.shards: the URL of b must not hold a user or password/,
  },
  {
    what: 'a name of an InfluxDB that historic refuses',
    set: [
      'influxdb.url=http://a:8086',
      `influxdb.shards[0].name=b${'x'.repeat(20)}`,
      'influxdb.shards[0].url=http://b:8086',
    ],
    says: /influxdb\/shards\/0\/name.*does not match pattern/,
  },
  {
    what: 'a further InfluxDB beside the one for trials',
    set: ['influxdb.shards[0].name=b', 'influxdb.shards[0].url=http://b:8086'],
    says: /give influxdb\.url too/,
  },
  {
    what: 'new workspaces on an InfluxDB that is not there',
    set: ['influxdb.newShard=north'],
    says: /there is no shard north: name one of default, or fewest/,
  },
  {
    what: 'a backup that nobody encrypts',
    set: ['backup.enabled=true'],
    says: /backup\.recipientSecret, or set backup\.plain/,
  },
  {
    what: 'a backup that is encrypted and is not',
    set: ['backup.enabled=true', 'backup.plain=true', 'backup.recipientSecret=a'],
    says: /backup\.recipientSecret, or set backup\.plain/,
  },
  {
    what: 'a restore without the volume of backups',
    set: ['backup.restore.enabled=true'],
    says: /set backup\.enabled=true too/,
  },
  { what: 'a backup at no time', set: ['backup.schedule=nightly'], says: /backup\/schedule.*does not match pattern/ },
  {
    what: 'a scale by lag that nobody measures',
    set: ['historic.autoscaling.enabled=true', 'historic.autoscaling.lag.enabled=true'],
    says: /historic\.autoscaling\.lag: give the address of Prometheus/,
  },
  {
    what: 'a scale by lag without a scale',
    set: ['historic.autoscaling.lag.enabled=true', 'historic.autoscaling.lag.prometheusUrl=http://p:9090'],
    says: /set autoscaling\.enabled too/,
  },
  {
    what: 'a scale by lag whose Prometheus is not let in',
    set: [
      'historic.autoscaling.enabled=true',
      'historic.autoscaling.lag.enabled=true',
      'historic.autoscaling.lag.prometheusUrl=http://p:9090',
    ],
    says: /historic\.autoscaling\.lag: Prometheus would not be let in.*monitoring\.scrapeFrom/,
  },
  ...WRONG_PARTS,
  ...PROCESSES.map(([what, set, says]) => ({ what, set: ['processes.core.services={nodes,historic}', set], says })),
];
