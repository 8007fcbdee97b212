import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { selfSigned } from '../kit/http/certificates.ts';
import { root } from '../kit/processes/built.ts';
import { faultsOfManifest } from './manifest_schema.ts';

/**
 * The files of `deploy/` as the programs read them that they are for, where these are installed; each other part is skipped.
 * Debian has haproxy, nginx, prometheus (promtool), systemd, docker-compose and caddy; helm is in no package of it.
 */

const isInstalled = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).error === undefined;

/** Runs a program. @returns what it said where it refuses; empty: it is content */
function refusal(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (error) return error.message;
  return status === 0 ? '' : `${stdout}${stderr}`;
}

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'deploy-'));
  const { cert, key } = selfSigned(['pay.example.com']);
  await writeFile(join(place, 'pay.crt'), cert);
  await writeFile(join(place, 'pay.key'), key);
  await writeFile(join(place, 'pay.pem'), `${cert}${key}`);
});
afterAll(() => rm(place, { recursive: true }));

/** A file of `deploy/` with other words, since what it names is on another machine. */
async function copy(file: string, ...words: readonly (readonly [string, string])[]) {
  let text = await readFile(join(root, 'deploy', file), 'utf8');
  for (const [from, to] of words) {
    expect([file, text.includes(from)]).toEqual([file, true]);
    text = text.replaceAll(from, to);
  }
  const to = join(place, file.replaceAll('/', '_'));
  await writeFile(to, text);
  return to;
}

test.skipIf(!isInstalled('haproxy', '-v'))('haproxy takes its file', async () => {
  const file = await copy('proxy/haproxy.cfg', ['/etc/haproxy/', `${place}/`]);
  expect(refusal('haproxy', ['-c', '-f', file])).toBe('');
});

test.skipIf(!isInstalled('nginx', '-v'))('nginx takes its file', async () => {
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${place}/${name};`)
    .join(' ');
  const file = await copy(
    'proxy/nginx.conf',
    ['/etc/nginx/', `${place}/`],
    ['worker_processes auto;', `worker_processes auto; pid ${place}/nginx.pid;`],
    ['http {', `http { access_log off; ${kept}`],
  );
  expect(refusal('nginx', ['-t', '-e', 'stderr', '-p', place, '-c', file])).toBe('');
});

test.skipIf(!isInstalled('promtool', '--version'))(
  'promtool takes the rules, both configurations, and each expression of a panel',
  async () => {
    const rules = 'deploy/prometheus/rules.yaml';
    expect(refusal('promtool', ['check', 'rules', rules])).toBe('');
    expect(refusal('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yaml'])).toBe('');
    await cp(join(root, rules), join(place, 'rules.yaml'));
    const compose = await copy('compose/prometheus.yaml');
    expect(refusal('promtool', ['check', 'config', compose])).toBe('');
    const { panels } = JSON.parse(
      await readFile(join(root, 'deploy/grafana/tenant-payments.json'), 'utf8'),
    );
    const asked: { expr: string }[] = panels.flatMap(
      ({ targets = [] }: { targets?: { expr: string }[] }) => targets,
    );
    const recorded = asked.map(
      ({ expr }, index) =>
        `      - record: panel:${index}\n        expr: ${JSON.stringify(expr.replaceAll('$__rate_interval', '5m'))}\n`,
    );
    const file = join(place, 'panels.yaml');
    await writeFile(file, `groups:\n  - name: panels\n    rules:\n${recorded.join('')}`);
    expect(refusal('promtool', ['check', 'rules', file])).toBe('');
  },
);

test.skipIf(!isInstalled('systemd-analyze', '--version'))('systemd takes the unit', async () => {
  const file = await copy('systemd/tenant-payments.service', ['/usr/bin/node', process.execPath]);
  const unit = join(place, 'tenant-payments.service');
  await cp(file, unit);
  const said = refusal('systemd-analyze', ['verify', '--man=no', unit]);
  // Messages about this machine, which may not run it.
  const ofUnit = said.split('\n').filter((line) => line.includes('tenant-payments.service'));
  expect(ofUnit).toEqual([]);
});

const composeSettings = {
  RAILS_FILE: './rails.mjs',
  PUBLIC_URL: 'https://pay.example.com',
  PAY_SERVICE_PASSWORD: 'x',
  POSTGRES_PASSWORD: 'x',
  PIN_PEPPER: 'x',
  SEALING_KEY: 'x',
  QR_SIGNING_KEY: 'x',
};

test.skipIf(!isInstalled('docker-compose', 'version'))(
  'docker-compose takes its file, and names a setting that is missing',
  async () => {
    // That of Debian is older than the name of a project.
    const file = await copy('compose/compose.yaml', ['name: tenant-payments\n', '']);
    const args = ['--project-directory', 'deploy/compose', '-f', file, 'config', '--quiet'];
    expect(refusal('docker-compose', args, composeSettings)).toBe('');
    const without = { ...composeSettings, PIN_PEPPER: '' };
    expect(refusal('docker-compose', args, without)).toContain('PIN_PEPPER');
  },
);

describe('helm', () => {
  const isThere = isInstalled('helm', 'version');

  test.skipIf(!isThere)('lints the chart', () => {
    expect(refusal('helm', ['lint', '--strict', 'deploy/helm'])).toBe('');
  });

  test.skipIf(!isThere)('renders manifests that Kubernetes knows', () => {
    const { stdout } = spawnSync('helm', ['template', 'pay', 'deploy/helm'], {
      cwd: root,
      encoding: 'utf8',
    });
    const found = parseAllDocuments(stdout).map((one) => one.toJS());
    expect(found.length).toBeGreaterThan(6);
    expect(found.flatMap(faultsOfManifest)).toEqual([]);
  });
});
