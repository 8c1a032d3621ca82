/** Values that must be refused, and what the message says. */
export const WRONG_VALUES: readonly { what: string; set: readonly string[]; says: RegExp }[] = [
  { what: 'a number as a word', set: ['gateway.replicas=two'], says: /gateway\/replicas.*got string, want integer/ },
  { what: 'an unknown key', set: ['gatewy.replicas=2'], says: /additional properties 'gatewy' not allowed/ },
  { what: 'an unknown key below', set: ['nats.password=x'], says: /'\/nats'.*'password' not allowed/ },
  { what: 'an unknown log level', set: ['logLevel=loud'], says: /logLevel.*one of 'debug', 'info', 'warn', 'error'/ },
  { what: 'two stream replicas', set: ['streamReplicas=2'], says: /streamReplicas.*one of 1, 3, 5/ },
  { what: 'stream replicas on one server', set: ['streamReplicas=3'], says: /need a NATS cluster/ },
  { what: 'a password in a URL', set: ['nats.url=nats://u:p@nats:4222'], says: /put them into a Secret/ },
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
  {
    what: 'a scale upside down',
    set: ['nodes.autoscaling.enabled=true', 'nodes.autoscaling.minReplicas=5', 'nodes.autoscaling.maxReplicas=2'],
    says: /maxReplicas \(2\) is below minReplicas \(5\)/,
  },
  {
    what: 'a secret in the environment',
    set: ['nodes.env.NATS_PASSWORD=x'],
    says: /NATS_PASSWORD is set by the chart/,
  },
];
