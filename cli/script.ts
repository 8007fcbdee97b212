import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from './terminal.ts';

/** The rows of a long list fit. */
const maximumOutputBytes = 256 * 1024 * 1024;

interface Ended {
  /** Null: a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  /** The lines of standard error. */
  readonly lines: readonly string[];
}

/** From source a script is started as this process was. */
function argvOf(name: string, programs: string | undefined): readonly string[] {
  if (programs !== undefined) return [join(programs, `${name}.js`)];
  const isBuilt = !import.meta.url.endsWith('.ts');
  const file = isBuilt ? `./${name}.js` : `../scripts/${name}.ts`;
  return [...process.execArgv, fileURLToPath(new URL(file, import.meta.url))];
}

/**
 * Runs one of the repository's scripts with the terminal's settings, in another process: it uses the
 * service, which the command line does not import. Built, it stands beside the command line.
 * @param input for its standard input
 */
export function runScript(
  { env, programs }: Terminal,
  name: string,
  args: readonly string[] = [],
  input = '',
): Ended {
  const how = [...argvOf(name, programs), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, how, {
    env: { ...env, OPERATE_PROGRESS_FD: '3' },
    encoding: 'utf8',
    input,
    maxBuffer: maximumOutputBytes,
    // The fourth is our own standard error, where lines of work under way are seen at once.
    stdio: ['pipe', 'pipe', 'pipe', process.stderr.fd],
  });
  return { status, stdout, lines: stderr.split('\n').filter((line) => line !== '') };
}
