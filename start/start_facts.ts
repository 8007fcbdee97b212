import { hostsOf } from '@tenant-payments/engine/database/hosts.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';

/** Host, port and name of a database: neither login nor password. */
function placeOf(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'embedded';
  const urls = hostsOf(databaseUrl).map((one) => new URL(one));
  const hosts = urls.map((url) => url.searchParams.get('host') ?? (url.host || 'localhost'));
  return `${hosts.join(',')}${urls[0]?.pathname ?? ''}`;
}

/** The facts that a start logs of itself, beside the version, which each line has. */
export function startFacts(config: Config, metricsPort: number | null) {
  const { environment, roles, hosts, port, metricsHost, cells, isOnCitus, databaseUrl } = config;
  return {
    started: {
      environment,
      roles: [...roles],
      ...(roles.has('api') ? { hosts, port } : {}),
      ...(metricsPort === null ? {} : { metrics_host: metricsHost, metrics_port: metricsPort }),
      cells: isOnCitus ? 'citus' : cells,
      database: placeOf(databaseUrl),
      rails: config.rails,
      in_ms: Math.round(process.uptime() * 1_000),
    },
  };
}
