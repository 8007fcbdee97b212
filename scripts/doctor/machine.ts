import { stat, statfs } from 'node:fs/promises';
import { connect } from 'node:tls';
import { adapterSettings } from '../../adapters/settings.ts';
import { secretFilesOf } from '../../service/config/adapters.ts';
import { keyFiles, warningsOf } from '../../service/config/careless.ts';
import type { ParsedConfig } from '../../service/config/config.ts';
import { findPort } from '../../service/http/port.ts';
import { daysLeft, type Finding, failed, ok, saidBy, warning } from './finding.ts';

/** Checks of the machine: Node, files, disk, ports, and the address that Tenants use. */

type Environment = Readonly<Record<string, string | undefined>>;

const withinMs = 3_000;

export function node(): Finding {
  const what = `Node ${process.versions.node}`;
  const [old] = warningsOf(Date.now());
  return old === undefined ? ok('node', what) : warning('node', what, `${old}.`);
}

/** Secrets are for the service's user alone; a module of RAILS runs inside the service, so nobody else may write it. */
export async function files(
  env: Environment,
  { rails, adapters }: ParsedConfig,
): Promise<Finding[]> {
  const asked = [
    ...[...keyFiles, ...secretFilesOf(adapterSettings, adapters)].map((name) => ({
      name,
      path: env[name],
      bits: 0o077,
      right: '600',
    })),
    { name: 'RAILS', path: rails ?? undefined, bits: 0o022, right: 'go-w' },
  ];
  const found: Finding[] = [];
  for (const { name, path, bits, right } of asked) {
    if (!path) continue;
    const stats = await stat(path).catch(() => null);
    if (stats === null)
      found.push(failed('files', `${name}: ${path} is not there`, 'Name a file that is.'));
    else if ((stats.mode & bits) !== 0)
      found.push(
        warning(
          'files',
          `${name}: others may ${bits === 0o077 ? 'read' : 'write'} ${path}`,
          `Run: chmod ${right} ${path}`,
        ),
      );
  }
  return found.length > 0 ? found : [ok('files', 'nobody else may read the secrets')];
}

const gigabyte = 1e9;

/** The disk of DATA_DIR: of the embedded database, or of nothing where another server keeps it. */
export async function disk({ dataDir, databaseUrl, environment }: ParsedConfig): Promise<Finding> {
  if (databaseUrl !== null && environment === 'production')
    return ok('disk', 'nothing is written here; look at the disk of the database there');
  const facts = await statfs(dataDir).catch(() => null);
  if (facts === null) return ok('disk', `${dataDir} is not there yet`);
  const free = facts.bavail * facts.bsize;
  const share = Math.round((100 * facts.bavail) / facts.blocks);
  const what = `${(free / gigabyte).toFixed(1)} GB of the disk of ${dataDir} are free, ${share} %`;
  if (free < gigabyte)
    return failed('disk', what, 'Make room: the database stops when it is full.');
  return share < 10 ? warning('disk', what, 'Make room.') : ok('disk', what);
}

/** Whether a process of this service has the port of the metrics. */
async function isRunning({ metricsHost, metricsPort }: ParsedConfig): Promise<boolean> {
  const host = metricsHost === '0.0.0.0' || metricsHost === '::' ? 'localhost' : metricsHost;
  const signal = AbortSignal.timeout(withinMs);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${metricsPort}/livez`;
  return fetch(url, { signal }).then(
    async (reply) => reply.ok && (await reply.text()) === 'live\n',
    () => false,
  );
}

export async function ports(settings: ParsedConfig): Promise<Finding> {
  const { roles, hosts, port, metricsPort } = settings;
  const all = roles.has('api') ? `${port} and ${metricsPort}` : `${metricsPort}`;
  if (await isRunning(settings)) return ok('ports', `a process of this service has ${all}`);
  const asked = [[[settings.metricsHost], metricsPort] as const];
  if (roles.has('api')) asked.push([hosts as [string], port]);
  for (const [at, one] of asked)
    try {
      if (one !== 0) await findPort(at, one);
    } catch {
      const name = one === metricsPort ? 'METRICS_PORT' : 'PORT';
      const advice = `Stop the process that listens there, or set another ${name}.`;
      return failed('ports', `${name}: ${one} is in use by another program`, advice);
    }
  return ok('ports', `${all} are free`);
}

/** The certificate behind PUBLIC_URL, as this machine sees it. */
export function address({ publicUrl }: ParsedConfig): Promise<Finding> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return Promise.resolve(ok('address', `${publicUrl} is without TLS`));
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const away = (why: string) =>
      end(
        warning(
          'address',
          `${publicUrl} was not reached from here: ${why}`,
          'See that Tenants reach it.',
        ),
      );
    socket.setTimeout(withinMs, () => away('no answer'));
    socket.on('error', (error) => away(saidBy(error)));
    socket.on('secureConnect', () =>
      end(daysLeft('address', publicUrl, socket.getPeerCertificate().valid_to)),
    );
  });
}
