import { Command } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { awaitServers } from '../await-servers.ts';
import { dataDirOption } from '../data-dir.ts';
import { broker } from './checks/broker.ts';
import { certificates } from './checks/certificates.ts';
import { chromium } from './checks/chromium.ts';
import { configuration } from './checks/configuration.ts';
import { disk } from './checks/disk.ts';
import { influxdbs } from './checks/influxdb.ts';
import { pods } from './checks/pods.ts';
import { postgresql } from './checks/postgresql.ts';
import { retention } from './checks/retention.ts';
import { outboxes, schemas } from './checks/schemas.ts';
import { services } from './checks/services.ts';
import { versions } from './checks/versions.ts';
import { addressesOf, findInstallation, type Installation } from './installation.ts';
import { onceEach } from './once-each.ts';
import { count, reportLines } from './report-lines.ts';
import { type Check, runChecks } from './run-checks.ts';
import { serviceRules } from './service-rules.ts';

type Options = {
  readonly dataDir: string;
  readonly settings?: string;
  readonly json: boolean;
  readonly timeout: number;
  readonly wait: number;
};

/** `catchment doctor`: looks, and changes nothing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .addOption(dataDirOption())
    .option('--settings <folder>', 'settings of the services: <folder>/<service>/<SETTING>, a file each')
    .option('--timeout <seconds>', 'for each check; they run side by side', wholeNumber(1, 600), 15)
    .option(
      '--wait <seconds>',
      'begin when servers and services take connections, or after so many seconds',
      wholeNumber(0, 600),
      0,
    )
    .option(
      '--json',
      'for programs: {"problems", "warnings", "findings": [{"about", "level", "says", "advice"}]}',
      false,
    )
    .addHelpText(
      'after',
      `
The command checks the settings of the services by their rules, PostgreSQL, NATS and InfluxDB (reachable, new enough, their clocks), the
services, their pods and versions, writes that stores refuse, streams with their readers and dead letters, schemas, messages that wait, certificates that end soon, the disk,
and the Chromium that reports need.

Where the installation is found:
  DATABASE_URL, NATS_URL, INFLUX_URL, NODES_ADDRESS … in the environment, as the services have them (in a container: those of its service),
  with --settings from the settings of every service,
  otherwise the installation that runs with "npm start" on this machine.
Further variables: GATEWAY_URL (the gateway as it is reached from here), NATS_MONITOR_URL (http_port of NATS: reports what clients do not learn),
BACKEND_VOLUMES (sizes of volumes: postgresql=10Gi,nats=8Gi,influxdb=20Gi), POD_SELECTOR (labels of the pods of the installation, of which Kubernetes is asked).

Levels: ok, unknown (cannot be asked from here), warning, problem. The exit code is 1 with a problem, otherwise 0.

Examples:
  catchment doctor
  catchment doctor --json | jq '.findings[] | select(.level != "ok")'
  helm test catchment --logs --filter name=catchment-doctor`,
    )
    .action(async (options: Options) => {
      const installation = await findInstallation(options);
      if (options.wait > 0) await awaitServers(addressesOf(installation), options.wait * 1_000, console.error);
      const findings = onceEach(await runChecks(allChecks(installation), options.timeout * 1_000));
      const { problem: problems, warning: warnings } = count(findings);
      if (options.json) console.log(JSON.stringify({ problems, warnings, findings }));
      else for (const line of reportLines(findings)) console.log(line);
      // The rest of a check ends with the process.
      process.stdout.write('', () => process.exit(problems > 0 ? 1 : 0));
    });
}

function allChecks(installation: Installation): Check[] {
  const rules = serviceRules(installation);
  return [
    configuration(installation, rules),
    postgresql(installation, rules),
    schemas(installation),
    outboxes(installation),
    retention(installation),
    broker(installation),
    ...influxdbs(installation),
    ...services(installation),
    ...pods(installation),
    versions(installation),
    ...certificates(installation),
    disk(installation),
    chromium(installation),
  ];
}
