import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

const script = fileURLToPath(new URL('../scripts/keys.ts', import.meta.url));

interface Options {
  readonly json?: true;
}

interface Status {
  readonly rings: readonly {
    readonly name: string;
    readonly keys: readonly {
      readonly id: string;
      readonly first: boolean;
      readonly values: number;
      readonly may_be_dropped: boolean;
    }[];
    readonly nameless: number;
    readonly next: string;
  }[];
}

/** Runs the service's own script in another process: it reads the settings and the database. */
function runScript<Answer>(
  terminal: Terminal,
  what: 'status' | 'reseal',
  options: Options,
  tell: (answer: Answer) => void,
): ExitCode {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, script, what],
    { env: { ...terminal.env }, encoding: 'utf8' },
  );
  if (status !== 0) {
    for (const line of stderr.trim().split('\n')) terminal.err(line);
    terminal.err('hint: run it with the settings of the running service.');
    return exitCodes.failed;
  }
  if (options.json) terminal.out(stdout.trim());
  else tell(JSON.parse(stdout) as Answer);
  return exitCodes.done;
}

/** `keys status`: what rests on each key, and what to do next. */
export const showKeys = (terminal: Terminal, options: Options): ExitCode =>
  runScript<Status>(terminal, 'status', options, ({ rings }) => {
    for (const { name, keys, nameless, next } of rings) {
      terminal.out(name);
      for (const { id, first, values, may_be_dropped } of keys) {
        const role = first ? 'first' : may_be_dropped ? 'may be dropped' : 'in use';
        terminal.out(`  ${id.padEnd(20)} ${String(values).padStart(10)}  ${role}`);
      }
      if (nameless > 0)
        terminal.out(`  ${'without an id'.padEnd(20)} ${String(nameless).padStart(10)}`);
      terminal.out(`  next: ${next}`);
    }
  });

/** `keys reseal`: has a worker seal anew, under the first key, what older keys have sealed. */
export const resealKeys = (terminal: Terminal, options: Options): ExitCode =>
  runScript<{ readonly tenants: number }>(terminal, 'reseal', options, ({ tenants }) => {
    terminal.out(`A worker now seals the values of each tenant anew (tenants: ${tenants}).`);
    terminal.out('Follow it with: npm run cli -- keys status');
  });
