import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { programs } from '../test/kit/processes/built.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { openServer } from '../test/kit/server.ts';
import { run } from './run.ts';

const server = await openServer({ environment: 'production', workers: false });

/** Every command line of the two runbooks, also within a sentence. */
const lines = ['alarms', 'alerts'].flatMap((page) => {
  const text = readFileSync(new URL(`../docs/guide/operating/${page}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/npm run cli -- ([^\n`]+)/g)].map(([, line = '']) => line);
});

const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

test.each([...new Set(lines)])('the runbook’s command is one: npm run cli -- %s', async (line) => {
  const tenant = server.tenant.tenantId;
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(words(line.replace('TENANT', tenant)), {
    env: { ...settingsOf(server), RAILS: './none.mjs' },
    programs,
    out: (said) => out.push(said),
    err: (said) => err.push(said),
  });
  // 1: it found a fault, as it may here; 2 would be a wrong use.
  expect([0, 1]).toContain(code);
  expect([...out, ...err].join('\n')).not.toBe('');
});
