const INGRESS = ['gateway.ingress.enabled=true', 'gateway.ingress.host=a.example.org', 'gateway.ingress.tlsSecret=a'];

/** These values contradict each other or the smallest that works (templates/_contradictions.tpl), and get this message. */
export const WRONG_PARTS: readonly { what: string; set: readonly string[]; says: RegExp }[] = [
  {
    what: 'values of a chart that was before, as --reuse-values has them',
    set: [
      'upgrade=null',
      'serviceAccount=null',
      'priorityClass=null',
      'extraObjects=null',
      'workload.rollingUpdate=null',
    ],
    says: /values of this version of the chart are missing, as with --reuse-values.*--reset-then-reuse-values/,
  },
  {
    what: 'a volume of NATS that its messages may fill',
    set: ['nats.trial.storage=6Gi'],
    says: /nats\.trial\.storage: 6Gi is too small for nats\.trial\.fileStoreGiB \(6\).*Give 7Gi or more/,
  },
  {
    what: 'a volume of 100 MB',
    set: ['influxdb.trial.storage=100Mi'],
    says: /influxdb\.trial\.storage: 100Mi is less/,
  },
  {
    what: 'a volume of 100 MB for backups',
    set: ['backup.enabled=true', 'backup.plain=true', 'backup.volume.storage=100Mi'],
    says: /backup\.volume\.storage: 100Mi holds no backup/,
  },
  {
    what: 'a roll-out that replaces no pod',
    set: ['workload.rollingUpdate.maxSurge=0'],
    says: /rollingUpdate: with maxSurge and maxUnavailable both 0/,
  },
  {
    what: 'a request above its limit',
    set: ['gateway.resources.requests.memory=2Gi'],
    says: /gateway\.resources: requests\.memory \(2Gi\) is above limits\.memory \(1Gi\)/,
  },
  {
    what: 'a request of a server above its limit',
    set: ['postgresql.trial.resources.limits.cpu=0.2'],
    says: /postgresql\.trial\.resources: requests\.cpu \(250m\) is above limits\.cpu \(0\.2\)/,
  },
  {
    what: 'two registries',
    set: ['image.registry=a.example.org', 'image.repository=b.example.org/catchment'],
    says: /image\.registry: image\.repository \(b\.example\.org\/catchment\) begins with a registry already/,
  },
  { what: 'a registry as a URL', set: ['image.registry=https://a'], says: /image\/registry.*does not match pattern/ },
  {
    what: 'one account for all beside one for each',
    set: ['serviceAccount.name=workload'],
    says: /serviceAccount\.name: .*set create to false/,
  },
  {
    what: 'annotations of an account that is not ours',
    set: ['serviceAccount.create=false', 'serviceAccount.annotations.a=b'],
    says: /serviceAccount\.annotations: accounts that exist are not changed/,
  },
  {
    what: 'labels of all objects that select pods',
    set: ['commonLabels.app\\.kubernetes\\.io/name=x'],
    says: /commonLabels: app\.kubernetes\.io\/name is a label of the chart/,
  },
  {
    what: 'a volume that is mounted and not there',
    set: ['nodes.extraVolumeMounts[0].name=a', 'nodes.extraVolumeMounts[0].mountPath=/a'],
    says: /nodes\.extraVolumeMounts: there is no volume a in nodes\.extraVolumes/,
  },
  {
    what: 'a volume with the name of one of ours',
    set: ['nodes.extraVolumes[0].name=tmp'],
    says: /nodes\.extraVolumes: tmp is the name of a volume of the chart/,
  },
  {
    what: 'a further host without certificate',
    set: [...INGRESS, 'gateway.ingress.extraHosts[0].host=b.example.org'],
    says: /API keys for b\.example\.org would travel unencrypted/,
  },
  {
    what: 'a host twice',
    set: [...INGRESS, 'gateway.ingress.extraHosts[0].host=a.example.org', 'gateway.ingress.extraHosts[0].tlsSecret=a'],
    says: /extraHosts: a\.example\.org is there twice/,
  },
  {
    what: 'further hosts without an Ingress',
    set: ['gateway.ingress.extraHosts[0].host=b.example.org'],
    says: /set gateway\.ingress\.enabled to true/,
  },
  {
    what: 'two ways to scrape',
    set: [
      'monitoring.podMonitor.enabled=true',
      'monitoring.serviceMonitor.enabled=true',
      'networkPolicy.enabled=false',
    ],
    says: /podMonitor and serviceMonitor would scrape each pod twice/,
  },
  {
    what: 'a scraper of services that is not let in',
    set: ['monitoring.serviceMonitor.enabled=true'],
    says: /monitoring\.scrapeFrom: nobody would be let in/,
  },
  {
    what: 'an unknown way to judge room',
    set: ['upgrade.room=maybe'],
    says: /upgrade\/room.*one of 'auto', 'always', 'never'/,
  },
];
