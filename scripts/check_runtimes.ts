import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installNode, nodeVersions, testOn } from './check_node.ts';
import { installRuntime, type Runtime } from './runtimes.ts';

/**
 * `npm run check:runtimes`: the packed server SDK on each Node that is supported, Bun and Deno, as a module and
 * as CommonJS. npm brings them on the first run, about 300 MB.
 */
const nodes = nodeVersions.map((version): Runtime => {
  const bin = join(installNode(version), 'node');
  const found = execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim();
  return { name: `Node ${found}`, bin, args: [] };
});
const others = (['bun', 'deno'] as const).flatMap((name) => {
  const runtime = installRuntime(name);
  if (runtime === null) process.stdout.write(`no ${name} is pinned for this kind of machine\n`);
  return runtime ?? [];
});

process.env.SDK_RUNTIMES = JSON.stringify([...nodes, ...others]);
const here = join(process.execPath, '..');
process.exit(await testOn(here, ['test/published/sdk.test.ts', '-t', 'the packed SDK works']));
