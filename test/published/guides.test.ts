import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { portalEndpoints } from '@tenant-payments/contract/portal/catalog.ts';
import { expect, test } from 'vitest';
import { openRails, sandboxSample } from '../../service/composition.ts';
import { startTestServer } from '../kit/server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs/guide');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Paths that no catalog holds, since they are no operations. */
const otherPaths = ['/portal/api/openapi.json'];

const served = [endpoints, portalEndpoints]
  .flatMap((catalog) => Object.values<{ path: string }>(catalog))
  .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));

test.each(guides)('every path that %s names is served', (name) => {
  const named = textOf(name).match(/\/(v1|portal\/api)\/[\w/$.{}…-]+/g) ?? [];
  const unknown = named
    .map((path) => path.replace(/\.$/, ''))
    .filter((path) => !served.some((known) => known.test(path)) && !otherPaths.includes(path));
  expect(unknown).toEqual([]);
});

test.each(guides)('every page that %s points to is there', (name) => {
  const links = [...textOf(name).matchAll(/\]\(([^)#]+)/g)].map(([, link]) => String(link));
  for (const link of links)
    expect(() => readFileSync(join(folder, link)), link).not.toThrow(/ENOENT/);
});

/** All that a page has one type in, in its order, for the service at `baseUrl`. */
const scriptOf = (name: string, baseUrl: string, dataDir: string) =>
  [...textOf(name).matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, block]) => block)
    .join('')
    .replace('http://localhost:8080', baseUrl)
    .replaceAll('./.data', dataDir)
    // The harness answers at once.
    .replaceAll('sleep 6', 'sleep 1')
    .replaceAll('npm run cli --', 'npm run --silent cli --');

/** Says where a script ended, without what its variables held. */
const onError = `set -E; trap 'echo "failed: $BASH_COMMAND"' ERR\n`;

/** Runs a script that ends at the first line which fails, as a call does that is answered 4xx or 5xx. */
async function shell(script: string, dataDir: string) {
  writeFileSync(join(dataDir, '.curlrc'), 'fail-with-body\nshow-error\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', onError + script], {
    cwd: root,
    env: { ...process.env, CURL_HOME: dataDir, DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

test.skipIf(!hasTools)(
  'what sandbox.md has one type works as it stands',
  async () => {
    const house = await startTestServer({ answerAfterSeconds: 0 });
    const { baseUrl, service, tenant } = house;
    const rails = await openRails(service);
    await sandboxSample(service, rails).seed(tenant.tenantId);
    const dataDir = mkdtempSync(join(tmpdir(), 'tpay-guide-'));
    const facts = { ...tenant, base_url: baseUrl };
    writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(facts));
    const { code, output } = await shell(scriptOf('sandbox.md', baseUrl, dataDir), dataDir);
    rmSync(dataDir, { recursive: true });
    await house.stop();
    expect(code, output.slice(-3_000)).toBe(0);
  },
  240_000,
);
